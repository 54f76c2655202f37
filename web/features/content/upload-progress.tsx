import { CircleCheck } from 'lucide-react'
import { counted } from '../../app/format.ts'
import { Button } from '../../ui/button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { paceText } from './upload-pace.ts'
import { cancelUpload } from './uploads.ts'
import type { Sending, UploadState } from './uploads.ts'

/** How far an upload is, and the ways to leave it or to stop it. */
export function UploadProgress({
  state,
  onHide,
}: {
  state: UploadState
  /** Without it there is nowhere to hide it. */
  onHide?: () => void
}) {
  if (state.phase !== 'uploading') {
    return (
      <p role="status" className="flex items-center gap-2 py-4 text-good">
        <CircleCheck size={16} aria-hidden /> Upload complete
      </p>
    )
  }
  const percent = Math.floor(state.share * 100)
  const isSent = state.share >= 1
  return (
    <div className="flex flex-col gap-3 py-2">
      <div className="flex items-baseline gap-3">
        <p className="min-w-0 grow truncate font-medium">{nameOf(state)}</p>
        <p className="figures text-ink-2">{percent}%</p>
      </div>
      <Progress label={`Uploading ${nameOf(state)}`} value={state.share} />
      <div className="flex items-center justify-between gap-3">
        <p role="status" className="text-ink-3">
          {state.count > 1 && `${state.done} of ${state.count} done. `}
          {state.isWaiting
            ? 'Connection lost. The upload resumes when you’re back online.'
            : isSent
              ? `Reading ${state.count > 1 ? 'files' : 'file'}…`
              : `Uploading... ${paceText(state)}`}
        </p>
        <div className="flex gap-2">
          {onHide && (
            <Button title="The upload continues in the background" onClick={onHide}>
              Hide
            </Button>
          )}
          <Button onClick={cancelUpload}>Cancel</Button>
        </div>
      </div>
    </div>
  )
}

/** The one file, or how many. */
export function nameOf({ file, count }: Sending): string {
  return count > 1 ? counted(count, 'file') : file.name
}
