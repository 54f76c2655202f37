import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { keys } from '../../app/queries.ts'

export function useBillingStats() {
  return useQuery({
    queryKey: keys.billingStats,
    queryFn: ({ signal }) => api.getBillingStats(undefined, { signal }),
  })
}
