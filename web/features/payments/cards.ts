import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'

export const cardsQuery = ['payment-methods']

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

const brands: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** The provider's word for a brand as it stands on the card. */
export function brandName(brand: string): string {
  return brands[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1)
}
