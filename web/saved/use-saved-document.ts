import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { createSavedDocument } from './saved-document.ts'
import type { DocumentRules, DocumentView, SavedDocument, Stored } from './saved-document.ts'

export type DocumentState<Value, Conflict> = SavedDocument<Value, Conflict> &
  DocumentView<Value, Conflict>

/** Follows a document, and saves it at the latest when its screen is left. */
export function useDocument<Value, Conflict>(
  document: SavedDocument<Value, Conflict>,
): DocumentState<Value, Conflict> {
  const view = useSyncExternalStore(document.subscribe, document.view)
  useEffect(() => document.attend(), [document])
  return useMemo(() => ({ ...document, ...view }), [document, view])
}

/** Loads a document, and again whenever its window is worked in. `rules` are those of its key. */
export function useLoadedDocument<Value, Conflict>(
  queryKey: readonly string[],
  load: (signal: AbortSignal) => Promise<Stored<Value>>,
  rules: DocumentRules<Value, Conflict>,
  isWanted = true,
): DocumentState<Value, Conflict> & { isError: boolean } {
  const queries = useQueryClient()
  const name = queryKey.join(' ')
  const document = useMemo(() => {
    const created = createSavedDocument({
      ...rules,
      // A later screen begins with what this one saved.
      async save(value, version, options) {
        const next = await rules.save(value, version, options)
        queries.setQueryData(queryKey, { value, version: next })
        return next
      },
    })
    const known = queries.getQueryData<Stored<Value>>(queryKey)
    if (known) created.receive(known)
    return created
    // The rest is of that name, and new with every render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [name])
  const { data, isError, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => load(signal),
    enabled: isWanted,
    staleTime: Infinity,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  })
  useEffect(() => {
    if (data) document.receive(data)
    void document.save()
  }, [data, document])
  useEffect(() => {
    // Two windows side by side are both visible: only this shows which one is worked in.
    const look = (): void => void (isWanted && refetch())
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [isWanted, refetch])
  const state = useDocument(document)
  return useMemo(() => ({ ...state, isError }), [state, isError])
}
