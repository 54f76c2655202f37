import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { ContentItem } from '../../app/answers.ts'
import { api } from '../../app/api.ts'
import { keys } from '../../app/queries.ts'

const libraryQuery = keys.content

export interface Library {
  items: readonly ContentItem[]
  isPending: boolean
  isError: boolean
  retry: () => void
  hasMore: boolean
  isLoadingMore: boolean
  loadMore: () => void
}

/** The library, newest first; empty where it could not be loaded. */
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
    isError: pages.isError && !pages.data,
    retry: () => void pages.refetch(),
    hasMore: pages.hasNextPage,
    isLoadingMore: pages.isFetchingNextPage,
    loadMore: () => void pages.fetchNextPage(),
  }
}

/** Items by a part of their name, among those loaded and in the service. */
export function useItemsNamed(name: string): readonly ContentItem[] {
  const { items, hasMore } = useLibrary()
  const q = name.trim()
  const { data } = useQuery({
    queryKey: [...libraryQuery, 'named', q],
    queryFn: ({ signal }) => api.listContent({ query: { q } }, { signal }),
    enabled: hasMore && q !== '',
  })
  const loaded = new Set(items.map(({ id }) => id))
  const further = data?.content.filter(({ id }) => !loaded.has(id)) ?? []
  const isNamed = (item: ContentItem) => item.file_name.toLowerCase().includes(q.toLowerCase())
  return [...items, ...further].filter(isNamed)
}

/** Whether a job on the item can succeed; an address that did not answer may do so next time. */
export function isUsable({ check }: ContentItem): boolean {
  return check?.state !== 'refused' && check?.state !== 'not_media'
}

export function refreshLibrary(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: libraryQuery })
}
