import { useInfiniteQuery } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { ContentItem } from '../../../contract/content.ts'
import { api } from '../../api.ts'

const libraryQuery = ['content']

export interface Library {
  items: readonly ContentItem[]
  isPending: boolean
  isError: boolean
  hasMore: boolean
  isLoadingMore: boolean
  loadMore: () => void
}

/** The library, newest first; empty where it cannot be loaded. */
export function useLibrary(): Library {
  const pages = useInfiniteQuery({
    queryKey: libraryQuery,
    queryFn: ({ signal, pageParam }) =>
      api.listContent({ query: pageParam ? { cursor: pageParam } : {} }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
  return {
    items: pages.data?.pages.flatMap((page) => page.content) ?? [],
    isPending: pages.isPending,
    isError: pages.isError,
    hasMore: pages.hasNextPage,
    isLoadingMore: pages.isFetchingNextPage,
    loadMore: () => void pages.fetchNextPage(),
  }
}

export function refreshLibrary(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: libraryQuery })
}
