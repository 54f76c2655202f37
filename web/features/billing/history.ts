import { useQuery } from '@tanstack/react-query'
import { syncPrice } from '../../../domain/money/catalogue.ts'
import type { Transaction } from '../../app/answers.ts'
import { api } from '../../app/api.ts'
import { keys } from '../../app/queries.ts'

/** A failed history is an empty one without a toast, as the specification wants it. */
export function useHistory(query: { limit: number; type: 'credit' | 'charge' }) {
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: [...keys.billingHistory, query.type, query.limit],
    queryFn: ({ signal }) => api.listBillingHistory({ query }, { signal }),
  })
  return {
    transactions: data?.transactions ?? [],
    isPending,
    isError: isError && !data,
    retry: () => void refetch(),
  }
}

/** At most so many pages are read for one list: ten years of free credits between two purchases. */
const maxPages = 12

/**
 * The latest purchases. Credits are more than purchases (free credits, refunds), so that further
 * pages are read until the list is full.
 */
export function usePurchases(count: number) {
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: [...keys.billingHistory, 'purchases', count],
    queryFn: async ({ signal }) => {
      const purchases: Transaction[] = []
      const query: { limit: number; type: 'credit'; cursor?: string } = {
        limit: count,
        type: 'credit',
      }
      for (let page = 0; page < maxPages; page += 1) {
        const reply = await api.listBillingHistory({ query }, { signal })
        purchases.push(...reply.transactions.filter(isPurchase))
        if (purchases.length >= count || !reply.next_cursor) break
        query.cursor = reply.next_cursor
      }
      return purchases.slice(0, count)
    },
  })
  return {
    purchases: data ?? [],
    isPending,
    isError: isError && !data,
    retry: () => void refetch(),
  }
}

/** Grants and refunds say what they are; a credit that does not is a purchase. */
function isPurchase({ kind = 'purchase' }: Transaction): boolean {
  return kind === 'purchase' || kind === 'reload'
}

export function isAutoReload(transaction: Transaction): boolean {
  return metadataOf(transaction)?.is_auto_reload === true
}

/** The job behind a sync has a page of its own. */
export function isOfSync(transaction: Transaction): boolean {
  const extractors = metadataOf(transaction)?.extractors
  return Array.isArray(extractors) && extractors[0] === syncPrice.id
}

function metadataOf({
  metadata,
}: Transaction): { is_auto_reload?: unknown; extractors?: unknown } | null {
  try {
    return JSON.parse(metadata) as { is_auto_reload?: unknown; extractors?: unknown }
  } catch {
    return null
  }
}
