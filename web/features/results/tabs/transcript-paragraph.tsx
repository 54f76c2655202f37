import { Pencil } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { MouseEvent } from 'react'
import { speakerName } from '../../../../domain/findings/speakers.ts'
import { IconButton } from '../../../ui/button.tsx'
import { offsetUnder } from '../../../dom/caret.ts'
import { classes } from '../../../ui/classes.ts'
import { focusOn, isNowhere } from '../../../dom/kept-focus.ts'
import { ParagraphEditor } from '../corrections/paragraph-editor.tsx'
import type { ParagraphActions } from '../corrections/paragraph-editor.tsx'
import { speakerColour } from '../speaker-colour.ts'
import { partsOf, wordAt } from './transcript-layout.ts'
import type { LaidOut, PlacedWord } from './transcript-layout.ts'

export interface Editing {
  text: string
  selected: { from: number; to: number } | null
  actions: ParagraphActions
}

export function Paragraph({
  paragraph,
  timecode,
  language,
  editing,
  onSeek,
  onEdit,
  onSpeaker,
}: {
  paragraph: LaidOut
  timecode: string
  /** Language of the paragraph's words. */
  language: string | undefined
  /** While its words are being corrected. */
  editing: Editing | null
  onSeek: (frame: number) => void
  /** Absent where nothing can be corrected. */
  onEdit: ((paragraph: LaidOut, word: PlacedWord | null) => void) | undefined
  onSpeaker: ((paragraph: LaidOut) => void) | undefined
}) {
  const jump = (event: MouseEvent): void => {
    if (!getSelection()?.isCollapsed) return
    const word = wordUnder(event, paragraph)
    if (word) onSeek(word.startFrame)
  }
  const edit = (event: MouseEvent): void => {
    const word = wordUnder(event, paragraph)
    if (onEdit) getSelection()?.removeAllRanges()
    onEdit?.(paragraph, word)
  }
  const root = useFocusAfter(editing !== null)
  return (
    <div
      ref={root}
      className="group relative -mx-3 grid [contain-intrinsic-size:auto_5rem] grid-cols-[5.5rem_minmax(0,1fr)] gap-3 border-l-2 border-transparent px-3 py-1 [content-visibility:auto] data-current:border-playhead data-current:bg-raised max-sm:grid-cols-1 max-sm:gap-0.5"
    >
      <div className="text-xs text-ink-3 max-sm:flex max-sm:items-center max-sm:gap-3 max-sm:pointer-coarse:min-h-11">
        <button
          type="button"
          onClick={() => onSeek(paragraph.startFrame)}
          className="timecode rounded-sm pt-0.5 text-left hover:text-brand-ink max-sm:pointer-coarse:self-stretch"
        >
          {timecode}
        </button>
        <Speaker paragraph={paragraph} timecode={timecode} onSpeaker={onSpeaker} />
      </div>
      {onEdit && !editing && (
        <EditButton timecode={timecode} onEdit={() => onEdit(paragraph, null)} />
      )}
      {editing && <ParagraphEditor {...editing} joiner={paragraph.joiner} />}
      {/* The button beside it is the keyboard's way; clicking a word is the pointer's. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions, jsx-a11y/no-noninteractive-element-interactions */}
      <p
        dir="auto"
        lang={language}
        onClick={jump}
        onDoubleClick={edit}
        hidden={editing !== null}
        className={classes('cursor-text text-[15px]/[26px]', onEdit && 'sm:pointer-coarse:pr-12')}
      >
        <Text paragraph={paragraph} />
      </p>
    </div>
  )
}

function EditButton({ timecode, onEdit }: { timecode: string; onEdit: () => void }) {
  return (
    <IconButton
      label={`Correct the words at ${timecode}`}
      look="secondary"
      onClick={onEdit}
      className="absolute top-0.5 right-2 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
    >
      <Pencil size={14} aria-hidden />
    </IconButton>
  )
}

function Text({ paragraph }: { paragraph: LaidOut }) {
  return partsOf(paragraph).map(({ from, text, look, detected }) =>
    look === 'plain' ? (
      text
    ) : (
      <span key={from} className={look} title={titleOf(look, detected)}>
        {text}
      </span>
    ),
  )
}

function titleOf(look: string, heard: string | null): string | undefined {
  if (look === 'struck') return 'Marked as not spoken'
  return heard === null ? undefined : `Found: ${heard}`
}

/** Who says it; with nobody known, a way to name somebody. */
function Speaker({
  paragraph,
  timecode,
  onSpeaker,
}: {
  paragraph: LaidOut
  timecode: string
  onSpeaker: ((paragraph: LaidOut) => void) | undefined
}) {
  const mark = paragraph.isSure ? '' : '?'
  const name = paragraph.speaker === null ? null : `${speakerName(paragraph.speaker)}${mark}`
  const title = paragraph.isSure ? undefined : 'Not sure: judged by the sound of the voice'
  const dot = paragraph.speaker !== null && (
    <span
      aria-hidden
      className={classes(
        'mr-1 inline-block size-2 rounded-full',
        !paragraph.isSure && 'opacity-40',
      )}
      style={{ background: speakerColour(paragraph.speaker) }}
    />
  )
  if (!onSpeaker) {
    return name === null ? null : (
      <p title={title}>
        {dot}
        {name}
      </p>
    )
  }
  return (
    <button
      type="button"
      title={title}
      aria-label={`${name ?? 'Nobody named'} at ${timecode}: change who speaks`}
      onClick={() => onSpeaker(paragraph)}
      className={classes(
        'block max-w-full truncate rounded-sm text-left hover:text-brand-ink max-sm:pointer-coarse:self-stretch',
        name === null &&
          'opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100',
      )}
    >
      {dot}
      {name ?? 'Name speaker'}
    </button>
  )
}

function wordUnder(event: MouseEvent, paragraph: LaidOut): PlacedWord | null {
  const offset = offsetUnder(event)
  return offset === null ? null : wordAt(paragraph, offset)
}

/** The paragraph has the focus when its editor has taken the one that it had with it. */
function useFocusAfter(isEditing: boolean) {
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isEditing) return undefined
    const element = root.current
    return () => {
      requestAnimationFrame(() => {
        if (element && isNowhere()) focusOn(element)
      })
    }
  }, [isEditing])
  return root
}
