import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'

export const cardsQuery = ['payment-methods']

/** Saved cards; a failure to load them is an empty list, silently. */
export function useCards() {
  const { data, isPending } = useQuery({
    queryKey: cardsQuery,
    queryFn: ({ signal }) => api.listPaymentMethods(undefined, { signal }),
  })
  return { cards: data?.paymentMethods ?? [], isPending }
}
