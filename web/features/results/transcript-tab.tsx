/**
 * The transcript: paragraphs of plain text, in which only the unsure words are elements. One for
 * each word would make an hour of speech slow; what changes with time is highlighted.
 */
import { Search } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { MouseEvent, RefObject } from 'react'
import type { FindingsOf } from '../../../contract/findings.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { controlClass } from '../../ui/field.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import type { Playhead } from './playhead.ts'
import type { Reel } from './reel.ts'
import { useHighlights } from './transcript-highlights.ts'
import { layOut, partsOf, wordAt } from './transcript-layout.ts'
import type { LaidOut } from './transcript-layout.ts'

export function TranscriptTab({
  transcript,
  reel,
  playhead,
  find,
}: {
  transcript: FindingsOf<'transcription'>
  reel: Reel
  playhead: Playhead
  find: RefObject<HTMLInputElement | null>
}) {
  const [query, setQuery] = useState('')
  const paragraphs = useMemo(() => layOut(transcript), [transcript])
  const body = useRef<HTMLDivElement>(null)
  useHighlights({ body, paragraphs, query, playhead })
  // Drawn once: an hour of speech is too much to go through with every change around it.
  const rows = useMemo(
    () =>
      paragraphs.map((paragraph) => (
        <Paragraph
          key={paragraph.startFrame}
          paragraph={paragraph}
          timecode={reel.timecode(paragraph.startFrame)}
          onSeek={playhead.seek}
        />
      )),
    [paragraphs, reel, playhead],
  )
  if (transcript.words.length === 0) {
    return <EmptyState title="No speech">Nobody speaks in this footage.</EmptyState>
  }
  return (
    <div className="flex flex-col gap-3">
      <label className="relative block">
        <Search
          size={14}
          aria-hidden
          className="absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3"
        />
        <input
          ref={find}
          type="search"
          aria-label="Find in the transcript"
          placeholder="Find word…"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            event.stopPropagation()
            if (event.key === 'Escape') event.currentTarget.blur()
            if (event.key === 'Enter') seekNext(paragraphs, query, playhead)
          }}
          className={`${controlClass} pl-8!`}
        />
        <span className="absolute top-1/2 right-2 -translate-y-1/2">
          <Kbd>/</Kbd>
        </span>
      </label>
      <div ref={body} className="flex flex-col gap-1">
        {rows}
      </div>
    </div>
  )
}

function Paragraph({
  paragraph,
  timecode,
  onSeek,
}: {
  paragraph: LaidOut
  timecode: string
  onSeek: (frame: number) => void
}) {
  const jump = (event: MouseEvent) => {
    const word = wordUnder(event, paragraph)
    if (word) onSeek(word.startFrame)
  }
  return (
    <div className="-mx-3 grid [contain-intrinsic-size:auto_5rem] grid-cols-[5.5rem_minmax(0,1fr)] gap-3 border-l-2 border-transparent px-3 py-1 [content-visibility:auto] data-current:border-playhead data-current:bg-raised max-sm:grid-cols-1 max-sm:gap-0.5">
      <button
        type="button"
        onClick={() => onSeek(paragraph.startFrame)}
        className="timecode self-start rounded-sm pt-0.5 text-left text-xs text-ink-3 hover:text-brand-ink"
      >
        {timecode}
      </button>
      {/* The button beside it is the keyboard's way; clicking a word is the pointer's. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions, jsx-a11y/no-noninteractive-element-interactions */}
      <p onClick={jump} className="cursor-text text-[15px]/[26px]">
        {partsOf(paragraph).map(({ from, text, isUnsure }) =>
          isUnsure ? (
            <span key={from} className="unsure">
              {text}
            </span>
          ) : (
            text
          ),
        )}
      </p>
    </div>
  )
}

function wordUnder(event: MouseEvent, paragraph: LaidOut) {
  const at = document.caretPositionFromPoint?.(event.clientX, event.clientY)
  if (!at || !event.currentTarget.contains(at.offsetNode)) return null
  const before = document.createRange()
  before.setStart(event.currentTarget, 0)
  before.setEnd(at.offsetNode, at.offset)
  return wordAt(paragraph, before.toString().length)
}

function seekNext(paragraphs: readonly LaidOut[], query: string, playhead: Playhead): void {
  const wanted = query.trim().toLowerCase()
  if (!wanted) return
  const hits = paragraphs.flatMap((paragraph) =>
    paragraph.words.filter((word) => word.text.toLowerCase().includes(wanted)),
  )
  const next = hits.find((word) => word.startFrame > playhead.frame()) ?? hits[0]
  if (next) playhead.seek(next.startFrame)
}
