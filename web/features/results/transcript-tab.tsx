/**
 * The transcript: one text node for each paragraph, and ranges of the CSS Custom Highlight API for
 * the word being spoken, unsure words and what is searched. A span for each word would make an
 * hour of speech slow.
 */
import { Search } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { MouseEvent, RefObject } from 'react'
import type { FindingsOf } from '../../../contract/findings.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { controlClass } from '../../ui/field.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import type { Playhead } from './playhead.ts'
import type { Reel } from './reel.ts'
import { layOut, wordAt } from './transcript-layout.ts'
import type { LaidOut } from './transcript-layout.ts'

const unsureBelow = 0.5

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
  if (transcript.words.length === 0) {
    return <EmptyState title="No speech">Nobody speaks in this footage.</EmptyState>
  }
  const jump = (event: MouseEvent) => {
    const word = wordUnder(event, paragraphs)
    if (word) playhead.seek(word.startFrame)
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
        {paragraphs.map((paragraph) => (
          <div
            key={paragraph.startFrame}
            className="-mx-3 grid grid-cols-[5.5rem_minmax(0,1fr)] gap-3 border-l-2 border-transparent px-3 py-1 data-current:border-playhead data-current:bg-raised max-sm:grid-cols-1 max-sm:gap-0.5"
          >
            <button
              type="button"
              onClick={() => playhead.seek(paragraph.startFrame)}
              className="timecode self-start rounded-sm pt-0.5 text-left text-xs text-ink-3 hover:text-brand-ink"
            >
              {reel.timecode(paragraph.startFrame)}
            </button>
            {/* The button beside it is the keyboard's way; clicking a word is the pointer's. */}
            {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions, jsx-a11y/no-noninteractive-element-interactions */}
            <p
              data-paragraph={paragraph.index}
              onClick={jump}
              className="cursor-text text-[15px]/[26px]"
            >
              {paragraph.text}
            </p>
          </div>
        ))}
      </div>
    </div>
  )
}

function wordUnder(event: MouseEvent, paragraphs: readonly LaidOut[]) {
  const at = document.caretPositionFromPoint?.(event.clientX, event.clientY)
  const element = at?.offsetNode.parentElement?.closest<HTMLElement>('[data-paragraph]')
  const paragraph = paragraphs[Number(element?.dataset.paragraph ?? -1)]
  return paragraph && at ? wordAt(paragraph, at.offset) : null
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

function useHighlights(of: {
  body: RefObject<HTMLDivElement | null>
  paragraphs: readonly LaidOut[]
  query: string
  playhead: Playhead
}): void {
  const { body, paragraphs, query, playhead } = of
  useEffect(() => {
    const unsure = new Highlight()
    const found = new Highlight()
    const wanted = query.trim().toLowerCase()
    for (const paragraph of paragraphs) {
      const node = textOf(body.current, paragraph)
      if (!node) continue
      for (const word of paragraph.words) {
        if (word.confidence < unsureBelow) unsure.add(rangeOf(node, word.from, word.to))
      }
      for (const from of wanted ? matches(paragraph.text, wanted) : []) {
        found.add(rangeOf(node, from, from + wanted.length))
      }
    }
    CSS.highlights.set('unsure', unsure)
    CSS.highlights.set('found', found)
    return () => {
      CSS.highlights.delete('unsure')
      CSS.highlights.delete('found')
    }
  }, [body, paragraphs, query])
  useEffect(() => {
    const spoken = new Highlight()
    CSS.highlights.set('spoken', spoken)
    const follow = (): void => {
      const frame = playhead.frame()
      spoken.clear()
      const paragraph = paragraphs.find((item) => frame >= item.startFrame && frame < item.endFrame)
      const word = paragraph?.words.find(
        (item) => frame >= item.startFrame && frame < item.endFrame,
      )
      const node = paragraph && textOf(body.current, paragraph)
      markRow(body.current, node?.parentElement?.parentElement ?? null)
      if (!node) return
      if (playhead.speed() !== 0) node.parentElement?.scrollIntoView({ block: 'nearest' })
      if (word) spoken.add(rangeOf(node, word.from, word.to))
    }
    follow()
    const stop = playhead.subscribe(follow)
    return () => {
      stop()
      CSS.highlights.delete('spoken')
    }
  }, [body, paragraphs, playhead])
}

function markRow(body: HTMLElement | null, row: HTMLElement | null): void {
  const before = body?.querySelector<HTMLElement>('[data-current]')
  if (before === row) return
  before?.removeAttribute('data-current')
  row?.setAttribute('data-current', '')
}

function matches(text: string, wanted: string): number[] {
  const all: number[] = []
  const lower = text.toLowerCase()
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) all.push(at)
  return all
}

function textOf(body: HTMLElement | null, paragraph: LaidOut): Node | null {
  return body?.querySelector(`[data-paragraph="${paragraph.index}"]`)?.firstChild ?? null
}

function rangeOf(node: Node, from: number, to: number): StaticRange {
  return new StaticRange({
    startContainer: node,
    startOffset: from,
    endContainer: node,
    endOffset: to,
  })
}
