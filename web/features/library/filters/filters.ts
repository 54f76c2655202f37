/** Filters of the library, kept in the address so that they can be linked to. */
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { useSearchParams } from 'react-router'
import type { ContentFilter } from '../../../../contract/footage/content.ts'
import { addedFrom } from './added-since.ts'

export const filterNames = [
  'q',
  'kind',
  'rate',
  'analysed',
  'speech',
  'min_rating',
  'max_rating',
  'keyword',
  'added_from',
] as const
type FilterName = (typeof filterNames)[number]
const names = [...filterNames, 'project_id', 'bin_id', 'sort', 'order'] as const

export type LibraryView = 'grid' | 'list'

export interface LibraryFilters {
  filter: ContentFilter
  /** As the address has it: a number of days, or a moment. */
  added: string
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
  const day = useSyncExternalStore(onReturn, today)
  const filter = useMemo(() => readFilter(new URLSearchParams(text), new Date(day)), [text, day])
  const set = useCallback<LibraryFilters['set']>(
    (change) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          // A bin belongs to its project.
          if (change.project_id !== undefined) next.delete('bin_id')
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
    added: params.get('added_from') ?? '',
    view: params.get('view') === 'list' ? 'list' : 'grid',
    active: filterNames.filter((name) => params.get(name)),
    set,
    clear: () => set(Object.fromEntries(filterNames.map((name) => [name, null]))),
  }
}

/** Looked at again when somebody comes back to the tab. */
function onReturn(listener: () => void): () => void {
  addEventListener('visibilitychange', listener, true)
  return () => removeEventListener('visibilitychange', listener, true)
}

function today(): string {
  return new Date().toDateString()
}

function readFilter(params: URLSearchParams, now: Date): ContentFilter {
  const entries = names.flatMap((name) => {
    const text = params.get(name)
    const value = text && name === 'added_from' ? addedFrom(text, now) : text
    return value ? [[name, value]] : []
  })
  return Object.fromEntries(entries) as ContentFilter
}
