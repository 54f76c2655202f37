import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { counted } from '../../app/format.ts'
import { currentSession } from '../../app/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { showToast } from '../../ui/toast.tsx'
import { refreshLibrary } from './library.ts'
import { paceText } from './upload-pace.ts'
import { nameOf } from './upload-progress.tsx'
import { cancelUpload, dismissEnded, forgetEnded, startUpload, useUploads } from './uploads.ts'
import type { Sending, Unsent } from './uploads.ts'
import { createSignal } from '../../ui/signal.ts'

let dialogs = 0
const { announce, subscribe } = createSignal()

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
  // The next person at this screen is not shown whose files these were.
  useEffect(() => () => void (currentSession().token ?? dismissEnded()), [])
  if (hasDialog) return null
  const failed = state.phase === 'failed' ? state.unsent.filter(({ reason }) => reason) : []
  if (state.phase !== 'uploading' && failed.length === 0) return null
  return (
    <section
      aria-label="Upload"
      className="fixed bottom-4 left-4 z-30 flex w-80 max-w-[calc(100%-2rem)] flex-col gap-2 rounded-lg border border-line bg-panel p-3 shadow-float"
    >
      {state.phase === 'uploading' ? <Running {...state} /> : <Failed unsent={failed} />}
    </section>
  )
}

function Running(sending: Sending) {
  const { share, done, count } = sending
  const name = nameOf(sending)
  return (
    <>
      <div className="flex items-center gap-3">
        <p className="min-w-0 grow truncate font-medium">{name}</p>
        <p className="figures text-ink-2">
          {count > 1 && `${done} done · `}
          {Math.floor(share * 100)}%
        </p>
        <Button onClick={cancelUpload}>Cancel</Button>
      </div>
      <Progress label={`Uploading ${name}`} value={share} />
      <p className="figures text-xs text-ink-3">{paceText(sending)}</p>
    </>
  )
}

const maxNamed = 4

/** Which files did not arrive and why, until it has been read: the toasts of it name none. */
function Failed({ unsent }: { unsent: readonly Unsent[] }) {
  const again = unsent.flatMap((item) => (item.isDuplicate ? [] : [item.file]))
  const rest = unsent.length - maxNamed
  return (
    <>
      <p className="font-medium">{titleOf(unsent)}</p>
      <ul className="flex flex-col gap-1.5">
        {unsent.slice(0, maxNamed).map(({ file, reason }) => (
          <li key={`${file.name} ${file.size} ${file.lastModified}`}>
            <p className="truncate" title={file.name}>
              {file.name}
            </p>
            <p className="text-xs text-ink-3">{reason}</p>
          </li>
        ))}
        {rest > 0 && <li className="text-ink-3">and {rest} more</li>}
      </ul>
      <div className="flex gap-2">
        {again.length > 0 && <Button onClick={() => startUpload(again)}>Try Again</Button>}
        <Button look="quiet" onClick={dismissEnded}>
          Dismiss
        </Button>
      </div>
    </>
  )
}

function titleOf(unsent: readonly Unsent[]): string {
  const unread = unsent.filter(({ itemId }) => itemId).length
  if (unread === unsent.length) return `${counted(unread, 'file')} can’t be read`
  return unsent.length === 1 ? 'Not uploaded' : 'Some files were not uploaded'
}

/** For the dialog that shows the upload itself. */
export function useUploadDialog(): void {
  useEffect(() => {
    const count = (by: number): void => {
      dialogs += by
      announce()
    }
    count(1)
    return () => count(-1)
  }, [])
}
