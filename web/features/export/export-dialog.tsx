/** One dialog for every export: where somebody edits, what it will be, and what matters for it. */
import { CircleCheck, CircleDashed, Download, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { editors, fileTypes } from '../../../domain/export-formats.ts'
import type { EditorId } from '../../../domain/export-formats.ts'
import { exportFile } from '../../saved/export-file.ts'
import type { ExportSubject, NotedFile } from '../../saved/export-file.ts'
import { useNarrow } from '../../dom/narrow.ts'
import { Kbd } from '../../keys/kbd.tsx'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { firstChoice, firstFormat, formatsFor, queryOf, rememberChoice } from './export-choice.ts'
import type { ExportChoice } from './export-choice.ts'
import { areHandlesWrong, ExportSettings } from './export-settings.tsx'
import { useMediaFolder } from './media-folder.tsx'

export function ExportDialog({
  subject,
  onClose,
}: {
  subject: ExportSubject
  onClose: () => void
}) {
  const [choice, setChoice] = useState(() => firstChoice(subject))
  const [busy, setBusy] = useState(false)
  const [file, setFile] = useState<NotedFile | null>(null)
  const folder = useMediaFolder(subject.project)
  const set = (change: Partial<ExportChoice>) => setChoice({ ...choice, ...change })
  const run = async () => {
    if (busy || areHandlesWrong(subject, choice)) return
    setBusy(true)
    rememberChoice(subject, choice)
    const [isSaved] = await Promise.all([subject.prepare?.() ?? true, folder.save()])
    const saved = isSaved ? await exportFile(subject.exported, queryOf(subject, choice)) : null
    setBusy(false)
    if (saved && saved.notes.length > 0) setFile(saved)
    else if (saved) onClose()
  }
  if (file) return <Notes file={file} onAgain={() => setFile(null)} onClose={onClose} />
  const editor = editors.find(({ id }) => id === choice.editor)!
  return (
    <Dialog
      width="widest"
      onClose={onClose}
      title={subject.title}
      onCtrlEnter={() => void run()}
      action={
        <Button
          look="primary"
          busy={busy}
          className="max-sm:h-12! max-sm:w-full"
          onClick={() => void run()}
        >
          <Download size={14} aria-hidden /> Download
          {editor.id !== 'files' && ` for ${editor.name}`} <Kbd>Ctrl ↵</Kbd>
        </Button>
      }
    >
      <div className="-mx-5 -my-4 flex flex-col">
        <div className="border-b border-line px-5 py-4">
          <Editors subject={subject} choice={choice} set={set} />
        </div>
        <div className="grid sm:grid-cols-[minmax(0,9fr)_minmax(0,11fr)]">
          <div className="px-5 py-4 sm:border-r sm:border-line">
            <Formats subject={subject} choice={choice} set={set} />
          </div>
          <SettingsFold>
            <ExportSettings subject={subject} choice={choice} set={set} folder={folder} />
          </SettingsFold>
        </div>
        <Content subject={subject} choice={choice} />
        <Checked choice={choice} editorName={editor.id === 'files' ? null : editor.name} />
      </div>
    </Dialog>
  )
}

interface Part {
  subject: ExportSubject
  choice: ExportChoice
  set: (change: Partial<ExportChoice>) => void
}

function Editors({ subject, choice, set }: Part) {
  const items = editors.map(({ id, name }) => {
    const formats = formatsFor(subject, id)
    const names = formats.slice(0, 3).map((format) => fileTypes[format].name)
    const use = id === 'files' ? 'Every format, texts, tables' : names.join(', ')
    return { id, name, use, note: formats.length === 0 ? 'Nothing it can open' : undefined }
  })
  return (
    <RadioCards<EditorId>
      legend={
        <>
          Where do you edit?{' '}
          <span className="ml-1 font-normal text-ink-3">
            {subject.project ? `remembered for ${subject.project.name}` : 'remembered'}
          </span>
        </>
      }
      columns="grid-cols-2 sm:grid-cols-5"
      items={items}
      value={choice.editor}
      onChange={(editor) => set({ editor, format: firstFormat(subject, editor, choice.format) })}
    />
  )
}

function Formats({ subject, choice, set }: Part) {
  const formats = formatsFor(subject, choice.editor)
  const isLong = formats.length > 6
  return (
    <RadioCards
      legend="What it will be"
      columns={isLong ? 'sm:grid-cols-2' : ''}
      isCompact={isLong}
      items={formats.map((id) => {
        const { name, use } = fileTypes[id]
        return { id, name, use: subject.uses?.[id] ?? use, note: subject.missing?.[id] }
      })}
      value={choice.format}
      onChange={(format) => set({ format })}
    />
  )
}

/** Folded where there is little room. */
function SettingsFold({ children }: { children: ReactNode }) {
  const isNarrow = useNarrow()
  if (!isNarrow) {
    return (
      <div className="px-5 py-4">
        <h3 className="mb-1 text-sm font-medium">Settings</h3>
        {children}
      </div>
    )
  }
  return (
    <details className="border-t border-line px-5">
      <summary className="py-3 text-sm font-medium">Settings</summary>
      <div className="pb-4">{children}</div>
    </details>
  )
}

function Content({ subject, choice }: Omit<Part, 'set'>) {
  const { doubts = [], settings, holds } = subject
  const isPart = fileTypes[choice.format].carries.some((setting) => setting === 'sequence')
  const part = isPart && settings.parts?.find(({ value }) => value === choice.which)
  return (
    <div className="border-y border-line bg-raised px-5 py-3">
      <p className="font-medium">{part ? part.holds : holds}</p>
      {doubts.length > 0 && (
        <ul className="mt-1 flex max-h-24 flex-col gap-0.5 overflow-y-auto text-sm">
          {doubts.map((line) => (
            <li key={line} className="flex gap-2">
              <TriangleAlert size={14} aria-hidden className="mt-1 shrink-0 text-warn" />
              {line}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Says what docs/EXPORTS.md records of the format, and nothing else. */
function Checked({ choice, editorName }: { choice: ExportChoice; editorName: string | null }) {
  const lines = ['Read back and compared frame by frame', ...fileTypes[choice.format].checked]
  return (
    <ul aria-label="What was checked" className="grid gap-x-6 gap-y-1 px-5 py-3 sm:grid-cols-2">
      {lines.map((line) => (
        <li key={line} className="flex gap-2">
          <CircleCheck size={16} aria-hidden className="mt-0.5 shrink-0 text-good" />
          {line}
        </li>
      ))}
      <li className="flex gap-2 text-ink-2">
        <CircleDashed size={16} aria-hidden className="mt-0.5 shrink-0" />
        <span>
          Not yet opened by us in {editorName ?? 'any editing software'}.{' '}
          <Link to="/docs/editors" className="text-brand-ink underline">
            How to import it
          </Link>
        </span>
      </li>
    </ul>
  )
}

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
