import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Findings } from '../../../../domain/findings/findings.ts'
import { exportFile } from '../../../saved/export-file.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'

const maxShownCharacters = 100_000

/** The findings as programs get them: to read, to copy and to download. */
export function JsonTab({ jobId, findings }: { jobId: string; findings: Partial<Findings> }) {
  const parts = Object.entries(findings).filter(([, part]) => part !== undefined)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-2">
        <p className="grow text-xs text-ink-3">Click a name to expand it.</p>
        <CopyButton text={() => JSON.stringify(findings, null, 2)} label="Copy all as JSON" />
        <Button onClick={() => void exportFile({ job: jobId }, { format: 'json' })}>
          <Download size={14} aria-hidden /> Download
        </Button>
      </div>
      {parts.map(([name, part], index) => (
        <Part key={name} name={name} value={part} isFirst={index === 0} />
      ))}
    </div>
  )
}

/** Written when opened, since a part of a long film is megabytes of text. */
function Part({ name, value, isFirst }: { name: string; value: unknown; isFirst: boolean }) {
  const [isOpen, setOpen] = useState(isFirst)
  return (
    <details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="rounded-md border border-line"
    >
      <summary className="timecode cursor-pointer px-3 py-1.5 text-xs font-medium">{name}</summary>
      {isOpen && <PartText value={value} />}
    </details>
  )
}

function PartText({ value }: { value: unknown }) {
  const text = useMemo(() => JSON.stringify(value, shorten, 2), [value])
  return (
    <pre className="timecode border-t border-line px-3 py-2 text-xs leading-5 break-words whitespace-pre-wrap text-ink-2">
      {text.slice(0, maxShownCharacters)}
      {text.length > maxShownCharacters && '\n… the rest is in the download'}
    </pre>
  )
}

/** The score of each frame is bytes in base64: nothing to read. */
function shorten(key: string, value: unknown): unknown {
  return key === 'bytes' && typeof value === 'string' ? `${value.slice(0, 24)}…` : value
}
