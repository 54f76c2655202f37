import { useQuery } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { ContentItem } from '../../app/answers.ts'
import { api } from '../../app/api.ts'
import { counted } from '../../app/format.ts'
import { keys } from '../../app/queries.ts'

const libraryQuery = keys.content

export interface Library {
  items: readonly ContentItem[]
  /** "1,284 items"; of those that have come, where the service does not count. */
  total: string
  isPending: boolean
  isError: boolean
  retry: () => void
  hasMore: boolean
}

/** The latest of the library, newest first; empty where it could not be loaded. */
export function useLibrary(): Library {
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: libraryQuery,
    queryFn: ({ signal }) => api.listContent({ query: {} }, { signal }),
  })
  const items = data?.content ?? []
  return {
    items,
    total: counted(data?.total ?? items.length, 'item'),
    isPending,
    isError: isError && !data,
    retry: () => void refetch(),
    hasMore: Boolean(data?.next_cursor),
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
