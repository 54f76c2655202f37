import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'

const pollMs = 1000
const slowPollMs = 5000
const quickPolls = 20

/** Asks whether a checkout has been credited until it has, less often after a while. */
export function usePaymentSession(id: string | null) {
  return useQuery({
    queryKey: ['payment-session', id],
    queryFn: ({ signal }) => api.getPaymentSession({ params: { id: id ?? '' } }, { signal }),
    enabled: id !== null,
    refetchInterval: ({ state }) => {
      if (state.data && state.data.status !== 'pending') return false
      return state.dataUpdateCount + state.errorUpdateCount < quickPolls ? pollMs : slowPollMs
    },
  })
}
