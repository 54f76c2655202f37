import { useQuery } from '@tanstack/react-query'
import type { Transaction } from '../../../contract/billing.ts'
import { api } from '../../api.ts'

/** A failed history is an empty one without a toast, as the specification wants it. */
export function useHistory(query: { limit: number; type: 'credit' | 'charge' }) {
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: ['billing-history', query.type, query.limit],
    queryFn: ({ signal }) => api.listBillingHistory({ query }, { signal }),
  })
  return {
    transactions: data?.transactions ?? [],
    isPending,
    isError: isError && !data,
    retry: () => void refetch(),
  }
}

/** Purchases and reloads carry the percent of their package; grants and refunds carry none. */
export function isPurchase(transaction: Transaction): boolean {
  return transaction.credit_package_bonus_percentage !== null
}

export function isAutoReload(transaction: Transaction): boolean {
  try {
    const metadata = JSON.parse(transaction.metadata) as { is_auto_reload?: unknown }
    return metadata.is_auto_reload === true
  } catch {
    return false
  }
}
