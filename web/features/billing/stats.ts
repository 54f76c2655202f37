import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'

export function useBillingStats() {
  return useQuery({
    queryKey: ['billing-stats'],
    queryFn: ({ signal }) => api.getBillingStats(undefined, { signal }),
  })
}
