import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { keys } from '../../app/queries.ts'

export const cardsQuery = keys.cards

/** Saved cards; a failure to load them is an empty list, without a toast. */
export function useCards() {
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: cardsQuery,
    queryFn: ({ signal }) => api.listPaymentMethods(undefined, { signal }),
  })
  return {
    cards: data?.paymentMethods ?? [],
    isPending,
    isError: isError && !data,
    retry: () => void refetch(),
  }
}
