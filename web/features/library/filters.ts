/** What the library shows, kept in the address so that it can be linked to and gone back to. */
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { ContentFilter } from '../../../contract/content.ts'

export const filterNames = ['q', 'kind', 'rate', 'analysed', 'speech', 'added_from'] as const
type FilterName = (typeof filterNames)[number]
const names = [...filterNames, 'project_id', 'sort', 'order'] as const

export type LibraryView = 'grid' | 'list'

export interface LibraryFilters {
  filter: ContentFilter
  view: LibraryView
  /** Filters beside the project and the order. */
  active: readonly FilterName[]
  /** The address's query without the view, which a saved filter keeps. */
  query: string
  /** Shows what a saved filter shows. */
  show: (query: string) => void
  set: (change: Partial<Record<keyof ContentFilter | 'view', string | null>>) => void
  clear: () => void
}

export function useLibraryFilters(): LibraryFilters {
  const [params, setParams] = useSearchParams()
  const text = params.toString()
  const filter = useMemo(() => readFilter(new URLSearchParams(text)), [text])
  const set = useCallback<LibraryFilters['set']>(
    (change) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          for (const [name, value] of Object.entries(change)) {
            if (value) next.set(name, value)
            else next.delete(name)
          }
          return next
        },
        { replace: true },
      ),
    [setParams],
  )
  const show = useCallback<LibraryFilters['show']>(
    (query) =>
      setParams((before) => {
        const next = new URLSearchParams(query)
        const view = before.get('view')
        if (view) next.set('view', view)
        return next
      }),
    [setParams],
  )
  const saved = new URLSearchParams(params)
  saved.delete('view')
  return {
    query: saved.toString(),
    show,
    filter,
    view: params.get('view') === 'list' ? 'list' : 'grid',
    active: filterNames.filter((name) => params.get(name)),
    set,
    clear: () => set(Object.fromEntries(filterNames.map((name) => [name, null]))),
  }
}

function readFilter(params: URLSearchParams): ContentFilter {
  const entries = names.flatMap((name) => {
    const value = params.get(name)
    return value ? [[name, value]] : []
  })
  return Object.fromEntries(entries) as ContentFilter
}
