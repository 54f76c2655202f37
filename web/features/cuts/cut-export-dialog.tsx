/** Exports a cut in any format; clips that are conformed or missing are named before. */
import { Download, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { api as endpoints } from '../../../contract/api.ts'
import { saveFile } from '../../app/save-file.ts'
import { saveFirst } from '../../saved/save-first.ts'
import { cutFormats } from '../../../domain/export-formats.ts'
import type { CutExportFormat } from '../../../domain/export-formats.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, RadioCards } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { useCut } from './cut-context.ts'
import { seamBetween } from './seam.ts'
import { spanSeconds } from './source-seconds.ts'
import { clipRate, isConformed, rateText } from './timeline-fields.tsx'

const kinds = [
  { id: 'timeline', name: 'Timeline' },
  { id: 'markers', name: 'Bins and markers' },
  { id: 'text', name: 'Text and data' },
] as const

export function CutExportDialog({ onClose }: { onClose: () => void }) {
  const { state, comments } = useCut()
  const hasComments = comments.length > 0
  const [format, setFormat] = useState<CutExportFormat>('fcpxml')
  const [handles, setHandles] = useState('0')
  const [withComments, setWithComments] = useState(hasComments)
  const [busy, setBusy] = useState(false)
  const [file, setFile] = useState<NotedFile | null>(null)
  const isWrong = !/^\d{1,3}$/.test(handles.trim())
  const run = async (): Promise<void> => {
    if (isWrong) return
    setBusy(true)
    const options: Record<string, string> = { format }
    if (Number(handles) > 0) options.handle_frames = String(Number(handles))
    if (withComments) options.comments = 'true'
    const isSaved = await saveFirst('Not exported', state)
    const saved = isSaved ? await download(state.cut.id, options) : null
    setBusy(false)
    if (saved && saved.notes.length > 0) setFile(saved)
    else if (saved) onClose()
  }
  if (file) return <Notes file={file} onAgain={() => setFile(null)} onClose={onClose} />
  return (
    <Dialog
      onClose={onClose}
      title={`Export “${state.cut.name}”`}
      description="One timeline with all its sources. Every export is verified frame by frame."
      width="wide"
      footer={
        <Link to="/docs/editors" className="mr-auto self-center text-brand-ink hover:underline">
          How to import it
        </Link>
      }
      action={
        <Button look="primary" busy={busy} onClick={() => void run()}>
          <Download size={14} aria-hidden /> Download
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Doubts />
        {kinds.map(({ id, name }) => (
          <RadioCards
            key={id}
            legend={name}
            items={cutFormats.filter((item) => item.kind === id)}
            value={format}
            onChange={setFormat}
          />
        ))}
        <TextField
          label="Handles, frames on each side"
          inputMode="numeric"
          value={handles}
          error={isWrong ? 'Use a number of frames from 0 to 999' : undefined}
          hint="Extra frames around each clip, as far as the source has them. For lists and texts, use the same handles as your timeline export."
          onChange={(event) => setHandles(event.target.value)}
          className="max-w-60"
        />
        {hasComments && (
          <Checkbox
            label="Comments of shared links as markers"
            checked={withComments}
            onChange={(event) => setWithComments(event.target.checked)}
          />
        )}
      </div>
    </Dialog>
  )
}

/** Lists what was conformed, is offline or was left out, as the file itself says it. */
function Notes({
  file,
  onAgain,
  onClose,
}: {
  file: NotedFile
  onAgain: () => void
  onClose: () => void
}) {
  return (
    <Dialog
      onClose={onClose}
      title={`${file.name} is ready`}
      description="Read back and compared frame by frame. Please note:"
      footer={
        <>
          <Button onClick={onAgain}>Another format</Button>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <ul aria-label="Notes of the export" className="flex list-disc flex-col gap-1.5 pl-4">
        {file.notes.map((note) => (
          <li key={note} className="break-words">
            {note}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** Warns of clips that are missing or conformed; the export stays possible. */
function Doubts() {
  const { state, view } = useCut()
  const used = new Set(view.events.map((event) => event.contentId))
  const sources = state.sources.filter((source) => used.has(source.content_id))
  const offline = sources.filter((source) => source.offline)
  const conformed = sources.filter((source) => isConformed(source, state.cut))
  const jumps = view.passages.filter((passage, index) => {
    const next = view.passages[index + 1]
    return (
      next &&
      seamBetween(passage, next, (id, span) => spanSeconds(view.sources.get(id), span))?.isDoubtful
    )
  })
  const lines = [
    ...offline.map(({ name }) => `${name} is missing: its clips are exported as offline.`),
    ...conformed.map(
      (source) => `${source.name}: ${clipRate(source)}, conformed to ${rateText(state.cut)}.`,
    ),
    ...(jumps.length > 0
      ? [`${jumps.length === 1 ? '1 edit' : `${jumps.length} edits`} may jump.`]
      : []),
  ]
  if (lines.length === 0) return null
  return (
    <ul className="flex flex-col gap-1 rounded-md border border-line bg-warn-wash px-3 py-2 text-sm">
      {lines.slice(0, 8).map((line) => (
        <li key={line} className="flex gap-2">
          <TriangleAlert size={14} aria-hidden className="mt-1 shrink-0 text-warn" />
          {line}
        </li>
      ))}
      {lines.length > 8 && <li className="pl-6">and {lines.length - 8} more</li>}
    </ul>
  )
}

interface NotedFile {
  name: string
  notes: readonly string[]
}

/** Returns null when it was refused; a toast has shown why. */
async function download(id: string, query: Record<string, string>): Promise<NotedFile | null> {
  const fallback = 'The export could not be made. Please try again.'
  const saved = await saveFile(endpoints.exportCut, {
    name: `cut.${query.format}`,
    params: { id },
    query,
    failure: { title: 'Export failed', fallback },
  })
  if (!saved) return null
  const notes = decodeURIComponent(saved.headers.get('x-export-notes') ?? '')
  return { name: saved.name, notes: notes.split('\n').filter(Boolean) }
}
