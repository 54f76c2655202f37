import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { api } from '../../../app/api.ts'
import { isMissingCall } from '../../../app/failures.ts'
import { keys } from '../../../app/queries.ts'
import { createCorrectionStore } from './correction-store.ts'
import type { CorrectionStore, CorrectionView } from './correction-store.ts'

export type CorrectionState = CorrectionView &
  Pick<CorrectionStore, 'change' | 'undo' | 'redo' | 'undoAt' | 'redoAt' | 'decide' | 'save'>

/** A service without corrections offers none. */
export function useCorrections(jobId: string, isWanted: boolean): CorrectionState {
  const store = useMemo(() => createCorrectionStore(jobId), [jobId])
  const view = useSyncExternalStore(store.subscribe, store.view)
  const { data } = useQuery({
    queryKey: [...keys.corrections, jobId],
    queryFn: ({ signal }) => api.getCorrections({ params: { id: jobId } }, { signal }),
    enabled: isWanted,
    staleTime: Infinity,
    refetchOnWindowFocus: 'always',
    retry: (count, failure) => !isMissingCall(failure) && count < 3,
  })
  useEffect(() => {
    if (data) store.receive(data)
  }, [data, store])
  useEffect(() => store.attend(), [store])
  return useMemo(() => ({ ...store, ...view }), [store, view])
}
