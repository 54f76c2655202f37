import { CircleCheck } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { fileSize } from '../../app/file-size.ts'
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
        <p className="min-w-0 grow truncate font-medium">{state.file.name}</p>
        <p className="figures text-ink-2">{percent}%</p>
      </div>
      <Progress label={`Uploading ${state.file.name}`} value={isSent ? undefined : state.share} />
      <div className="flex items-center justify-between gap-3">
        <p role="status" className="text-ink-3">
          {state.count > 1 && `File ${state.index + 1} of ${state.count}. `}
          {state.isWaiting
            ? 'Connection lost. The upload resumes when you’re back online.'
            : isSent
              ? 'Reading file…'
              : `Uploading... ${paceOf(state)}`}
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

/** The size, and once it is known how fast it goes and how long it takes. */
function paceOf({ file, share, bytesPerSecond }: Sending): string {
  const size = fileSize(file.size)
  if (!bytesPerSecond) return size
  const seconds = Math.ceil((file.size * (1 - share)) / bytesPerSecond)
  const left = seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
  return `${size} at ${fileSize(Math.round(bytesPerSecond))}/s, about ${left} left`
}
