import { CircleCheck, FileVideo, Upload } from 'lucide-react'
import { useEffect, useState } from 'react'
import { timings } from '../../../contract/catalogue.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AddReferenceForm } from './add-reference-form.tsx'
import { fileSize } from './file-size.ts'
import { useUploadDialog } from './upload-bar.tsx'
import { cancelUpload, forgetEnded, startUpload, useUploads } from './uploads.ts'
import type { Sending, Unsent, UploadState } from './uploads.ts'

/** Adds to the library: a file of this machine, or the address of one elsewhere. */
export function AddContentDialog({
  files: given,
  onClose,
}: {
  /** Files that were dropped: they are uploaded at once. Keep the array while the dialog is open. */
  files?: readonly File[]
  onClose: () => void
}) {
  const [files, setFiles] = useState<readonly File[]>(given ?? [])
  const state = useUploads()
  const isUploading = state.phase === 'uploading'
  const rows =
    state.phase === 'failed'
      ? state.unsent
      : files.map((file): Unsent => ({ file, reason: null, isDuplicate: false }))
  const chooseFiles = (next: readonly File[]) => {
    forgetEnded()
    setFiles(next)
  }
  useUploadDialog()
  useEffect(() => {
    forgetEnded()
    if (given && given.length > 0) startUpload(given)
    return forgetEnded
  }, [given])
  useEffect(() => {
    if (state.phase !== 'completed') return undefined
    const timer = setTimeout(onClose, timings.uploadModalCloseMs)
    return () => clearTimeout(timer)
  }, [state.phase, onClose])
  return (
    <Dialog
      open
      // An upload goes on without it.
      onOpenChange={(open) => !open && onClose()}
      title="Add Content"
      description="Videos, audio, PDFs, images and documents up to 10 GB."
    >
      {isUploading || state.phase === 'completed' ? (
        <UploadProgress state={state} onHide={onClose} />
      ) : (
        <Tabs
          isFlush
          label="Where the content is"
          tabs={[
            {
              id: 'upload',
              label: 'Upload File',
              content: (
                <ChooseFiles
                  rows={rows}
                  onChoose={chooseFiles}
                  onUpload={() =>
                    startUpload(rows.flatMap((row) => (row.isDuplicate ? [] : [row.file])))
                  }
                />
              ),
            },
            {
              id: 'url',
              label: 'Add URL Reference',
              content: <AddReferenceForm onAdded={onClose} />,
            },
          ]}
        />
      )}
    </Dialog>
  )
}

function ChooseFiles({
  rows,
  onChoose,
  onUpload,
}: {
  rows: readonly Unsent[]
  onChoose: (files: readonly File[]) => void
  onUpload: () => void
}) {
  const [isOver, setOver] = useState(false)
  return (
    <div className="flex flex-col gap-4 pt-4">
      <label
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          onChoose([...event.dataTransfer.files])
        }}
        className={classes(
          'flex cursor-pointer flex-col items-center gap-1 rounded-lg border border-dashed px-6 py-8 text-center',
          'focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-brand hover:bg-hover',
          isOver ? 'border-brand bg-brand-wash' : 'border-line-strong',
        )}
      >
        <Upload size={20} aria-hidden className="text-ink-3" />
        <span className="font-medium">Choose a file</span>
        <span className="text-ink-3">or drop it here</span>
        <input
          type="file"
          multiple
          className="sr-only"
          onChange={(event) => onChoose([...(event.target.files ?? [])])}
        />
      </label>
      {rows.length > 0 && (
        <ul aria-label="Chosen files" className="flex flex-col gap-1.5">
          {rows.map(({ file, reason, isDuplicate }) => (
            <li key={`${file.name} ${file.size} ${file.lastModified}`} className="flex gap-2">
              <FileVideo size={16} aria-hidden className="mt-0.5 shrink-0 text-ink-3" />
              <div className="min-w-0 grow">
                <p className="truncate" title={file.name}>
                  {file.name}
                </p>
                {reason && (
                  <p className={isDuplicate ? 'text-xs text-warn' : 'text-xs text-bad'}>{reason}</p>
                )}
              </div>
              <span className="figures whitespace-nowrap text-ink-3">{fileSize(file.size)}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="flex justify-end">
        <Button look="primary" onClick={onUpload}>
          Upload
        </Button>
      </div>
    </div>
  )
}

function UploadProgress({ state, onHide }: { state: UploadState; onHide: () => void }) {
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
            ? 'Connection lost. The upload goes on as soon as it is back.'
            : isSent
              ? 'Looking at the file...'
              : `Uploading... ${paceOf(state)}`}
        </p>
        <div className="flex gap-2">
          <Button title="The upload goes on" onClick={onHide}>
            Hide
          </Button>
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
