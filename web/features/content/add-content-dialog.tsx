import { useQueryClient } from '@tanstack/react-query'
import { FileVideo, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Place } from '../../../contract/footage/content.ts'
import { timings } from '../../../domain/money/catalogue.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AddReferenceForm } from './add-reference-form.tsx'
import { fileSize } from '../../app/file-size.ts'
import { DropZone } from './drop-zone.tsx'
import { refreshLibrary } from './library.ts'
import { useUploadDialog } from './upload-bar.tsx'
import { UploadProgress } from './upload-progress.tsx'
import { dropUnsent, forgetEnded, startUpload, useUploads } from './uploads.ts'
import type { Unsent } from './uploads.ts'

/** Adds to the library: a file of this machine, or the address of one elsewhere. */
export function AddContentDialog({
  files: dropped,
  place,
  onClose,
}: {
  /** Dropped files, uploaded at once. Keep the array while the dialog is open. */
  files?: readonly File[]
  /** Where uploads and references are added. */
  place?: Place
  onClose: () => void
}) {
  const [files, setFiles] = useState<readonly File[]>(dropped ?? [])
  const state = useUploads()
  const queries = useQueryClient()
  const isUploading = state.phase === 'uploading'
  const rows =
    state.phase === 'failed'
      ? state.unsent
      : files.map((file): Unsent => ({ file, reason: null, isDuplicate: false, itemId: null }))
  const chooseFiles = (next: readonly File[]) => {
    forgetEnded()
    setFiles(next)
  }
  useUploadOf(dropped, place, onClose)
  return (
    <Dialog
      // An upload goes on without it.
      onClose={onClose}
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
                  onRemove={(file) => {
                    setFiles(files.filter((item) => item !== file))
                    void dropUnsent(file).then(() => refreshLibrary(queries))
                  }}
                  onUpload={() =>
                    startUpload(
                      rows.flatMap((row) => (row.isDuplicate ? [] : [row.file])),
                      { place },
                    )
                  }
                />
              ),
            },
            {
              id: 'url',
              label: 'Add URL Reference',
              content: <AddReferenceForm place={place} onAdded={onClose} />,
            },
          ]}
        />
      )}
    </Dialog>
  )
}

/** Sends dropped files at once, and closes the dialog when all have arrived. */
function useUploadOf(
  dropped: readonly File[] | undefined,
  place: Place | undefined,
  onClose: () => void,
): void {
  const { phase } = useUploads()
  useUploadDialog()
  useEffect(() => {
    forgetEnded()
    if (dropped && dropped.length > 0) startUpload(dropped, { place })
    return forgetEnded
  }, [dropped, place])
  useEffect(() => {
    if (phase !== 'completed') return undefined
    const timer = setTimeout(onClose, timings.uploadModalCloseMs)
    return () => clearTimeout(timer)
  }, [phase, onClose])
}

function ChooseFiles({
  rows,
  onChoose,
  onRemove,
  onUpload,
}: {
  rows: readonly Unsent[]
  onChoose: (files: readonly File[]) => void
  onRemove: (file: File) => void
  onUpload: () => void
}) {
  return (
    <div className="flex flex-col gap-4 pt-4">
      <DropZone onFiles={onChoose} />
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
              <IconButton label={`Remove ${file.name}`} onClick={() => onRemove(file)}>
                <X size={14} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className="flex justify-end">
        <Button look="primary" onClick={onUpload}>
          {rows.some(({ itemId }) => itemId) ? 'Retry' : 'Upload'}
        </Button>
      </div>
    </div>
  )
}
