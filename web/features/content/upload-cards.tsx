import { useQueryClient } from '@tanstack/react-query'
import { RotateCw, X } from 'lucide-react'
import { useState } from 'react'
import { fileSize } from '../../app/file-size.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { refreshLibrary } from './library.ts'
import { paceText } from './upload-pace.ts'
import {
  cancelUpload,
  dismissUnsent,
  removeUpload,
  retryUpload,
  useUploadEntries,
  useUploads,
} from './uploads.ts'
import type { UploadEntry } from './uploads.ts'

const order = { sending: 0, unsent: 1, waiting: 2 }

/** The files on their way, and those that did not arrive, as cards before the library's own. */
export function UploadCards({ columns }: { columns: number }) {
  const entries = useUploadEntries()
  const state = useUploads()
  const [isOpen, setOpen] = useState(false)
  if (entries.length === 0) return null
  const sorted = [...entries].sort((a, b) => order[a.phase] - order[b.phase] || a.id - b.id)
  const room = isOpen ? sorted.length : columns
  const shown = sorted.length > room ? sorted.slice(0, Math.max(1, room - 1)) : sorted
  const hidden = sorted.length - shown.length
  const unsent = entries.filter(({ phase }) => phase === 'unsent')
  const duplicates = unsent.filter(({ isDuplicate }) => isDuplicate).length
  const failed = unsent.length - duplicates
  const arriving = entries.length - unsent.length
  return (
    <section aria-label="Uploads" className="pb-3">
      <div className="flex h-9 items-center gap-3">
        <h3 className="text-sm font-semibold">Arriving</h3>
        <p role="status" className="figures text-sm text-ink-3">
          {[
            arriving > 0 && `${arriving} to go`,
            state.phase === 'uploading' && paceText(state),
            failed > 0 && `${failed} failed`,
            duplicates > 0 && `${duplicates} already here`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <span className="h-px grow bg-line" />
        {unsent.length > 1 && (
          <Button look="quiet" onClick={dismissUnsent}>
            Dismiss {unsent.length}
          </Button>
        )}
        {arriving > 1 && (
          <Button look="quiet" onClick={cancelUpload}>
            Cancel all
          </Button>
        )}
      </div>
      <ul
        className="grid gap-2"
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
      >
        {shown.map((entry) => (
          <UploadCard key={entry.id} entry={entry} />
        ))}
        {hidden > 0 && (
          <li className="p-1">
            <button
              type="button"
              onClick={() => setOpen(true)}
              className="grid aspect-video w-full place-items-center rounded-sm border border-dashed border-line-strong text-sm text-ink-2 hover:text-ink"
            >
              +{hidden} more
            </button>
          </li>
        )}
      </ul>
    </section>
  )
}

function UploadCard({ entry }: { entry: UploadEntry }) {
  const queries = useQueryClient()
  const { id, file, phase, reason, isDuplicate } = entry
  const canRetry = phase === 'unsent' && !isDuplicate
  return (
    <li aria-label={file.name} className="group flex min-w-0 flex-col gap-1 p-1">
      <div className="relative grid aspect-video place-items-center overflow-hidden rounded-sm border border-line bg-surround">
        <Middle entry={entry} />
        <span className="absolute top-0 right-0 flex">
          {canRetry && (
            <IconButton label={`Retry ${file.name}`} onClick={() => retryUpload(id)}>
              <RotateCw size={14} aria-hidden />
            </IconButton>
          )}
          <IconButton
            label={`Remove ${file.name}`}
            onClick={() => void removeUpload(id).then(() => refreshLibrary(queries))}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </span>
        {phase === 'sending' && (
          <span className="absolute inset-x-0 bottom-0">
            <Progress label={`Uploading ${file.name}`} value={entry.share} />
          </span>
        )}
      </div>
      <p className="truncate px-1 text-sm font-medium" title={file.name}>
        {file.name}
      </p>
      <p
        className={
          phase === 'unsent'
            ? `px-1 text-xs ${isDuplicate ? 'text-warn' : 'text-bad'}`
            : 'figures truncate px-1 text-xs text-ink-3'
        }
      >
        {phase === 'unsent' ? (reason ?? 'Upload was cancelled') : noteOf(entry)}
      </p>
    </li>
  )
}

function Middle({ entry: { phase, share, isDuplicate, itemId } }: { entry: UploadEntry }) {
  if (phase === 'waiting') return <span className="text-sm text-ink-2">Waiting</span>
  if (phase === 'unsent') {
    return (
      <span className={isDuplicate ? 'text-sm text-warn' : 'text-sm text-bad'}>
        {isDuplicate ? 'Already here' : itemId ? 'Can’t be read' : 'Not added'}
      </span>
    )
  }
  if (share >= 1) return <span className="text-sm text-ink-2">Reading file…</span>
  return <span className="timecode text-md font-semibold">{Math.floor(share * 100)} %</span>
}

function noteOf({ phase, file, share, isWaiting, bytesPerSecond }: UploadEntry): string {
  if (phase === 'waiting') return fileSize(file.size)
  if (isWaiting) return 'Connection lost. Resumes by itself.'
  return paceText({ sentBytes: file.size * share, totalBytes: file.size, bytesPerSecond })
}
