import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { showToast } from '../../ui/toast.tsx'
import { refreshLibrary } from './library.ts'
import { cancelUpload, forgetEnded, useUploads } from './uploads.ts'

let dialogs = 0
const listeners = new Set<() => void>()

/** An upload on whatever screen one is, while its own dialog is not there to show it. */
export function UploadBar() {
  const state = useUploads()
  const hasDialog = useSyncExternalStore(subscribe, () => dialogs > 0)
  const queries = useQueryClient()
  const { phase } = state
  useEffect(() => {
    if (phase === 'completed' || phase === 'failed') void refreshLibrary(queries)
  }, [phase, queries])
  useEffect(() => {
    if (hasDialog || phase !== 'completed') return
    const message = 'Your files are in your library'
    showToast({ type: 'success', title: 'Upload complete', message })
    forgetEnded()
  }, [hasDialog, phase])
  if (state.phase !== 'uploading' || hasDialog) return null
  const { file, share } = state
  return (
    <section
      aria-label="Upload"
      className="fixed bottom-4 left-4 z-30 flex w-80 max-w-[calc(100%-2rem)] flex-col gap-2 rounded-lg border border-line bg-panel p-3 shadow-float"
    >
      <div className="flex items-center gap-3">
        <p className="min-w-0 grow truncate font-medium">{file.name}</p>
        <p className="figures text-ink-2">{Math.floor(share * 100)}%</p>
        <Button onClick={cancelUpload}>Cancel</Button>
      </div>
      <Progress label={`Uploading ${file.name}`} value={share >= 1 ? undefined : share} />
    </section>
  )
}

/** For the dialog that shows the upload itself. */
export function useUploadDialog(): void {
  useEffect(() => {
    const count = (by: number): void => {
      dialogs += by
      for (const listener of listeners) listener()
    }
    count(1)
    return () => count(-1)
  }, [])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
