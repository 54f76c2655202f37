/**
 * The transcript: paragraphs of plain text, in which only the unsure words are elements. One for
 * each word would make an hour of speech slow; what changes with time is highlighted.
 */
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import type { FindingsOf } from '../../../../domain/findings/findings.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { SearchField } from '../../../ui/field.tsx'
import { offsetOf } from '../../../dom/text-places.ts'
import { Kbd } from '../../../keys/kbd.tsx'
import { groupWords, replacePlaces } from '../corrections/edit-words.ts'
import { ReplaceDialog } from '../corrections/replace-dialog.tsx'
import type { Playhead } from '../viewer/playhead.ts'
import { useWorkbench } from '../workbench-context.ts'
import { useHighlights } from './transcript-highlights.ts'
import { createSelectionGesture } from './selection-gesture.ts'
import { findSaid, layOut, passageOf } from './transcript-layout.ts'
import type { Hit, LaidOut } from './transcript-layout.ts'
import { Paragraph } from './transcript-paragraph.tsx'
import { useEditing } from './use-editing.ts'

const firstParagraphs = 60

export function TranscriptTab({
  transcript,
  find,
  onPassage,
  correctHere,
}: {
  transcript: FindingsOf<'transcription'>
  find: RefObject<HTMLInputElement | null>
  /** Words were selected: the frames in which they are said. */
  onPassage: (passage: { startFrame: number; endFrame: number }) => void
  /** Takes the function that opens the words under the playhead. */
  correctHere: RefObject<(() => void) | null>
}) {
  const { reel, playhead, correcting } = useWorkbench()
  const [query, setQuery] = useState('')
  const [isReplacing, setReplacing] = useState(false)
  const heard = correcting?.detected.transcription
  const corrections = correcting?.state.corrections
  const groups = useMemo(
    () => (heard && corrections ? groupWords(heard, corrections.words) : []),
    [heard, corrections],
  )
  const all = useMemo(() => layOut(transcript, groups), [transcript, groups])
  // The first paragraphs come at once, the rest of a long film without holding up the page.
  const drawn = useDeferredValue(Infinity, firstParagraphs)
  const paragraphs = useMemo(() => all.slice(0, drawn), [all, drawn])
  const hits = useMemo(() => findSaid(paragraphs, query), [paragraphs, query])
  const body = useRef<HTMLDivElement>(null)
  useHighlights({ body, paragraphs, hits, playhead })
  usePassage({ body, paragraphs, onPassage })
  const { editing, onEdit, onSpeaker } = useEditing({
    correcting,
    transcript,
    groups,
    paragraphs: all,
    playhead,
    correctHere,
  })
  // Drawn once: an hour of speech is too much to go through with every change around it.
  const rows = useMemo(
    () =>
      paragraphs.map((paragraph) => (
        <Paragraph
          key={paragraph.index}
          paragraph={paragraph}
          timecode={reel.timecode(paragraph.startFrame)}
          language={transcript.language ?? undefined}
          editing={editing?.paragraph === paragraph.index ? editing : null}
          onSeek={playhead.seek}
          onEdit={onEdit}
          onSpeaker={onSpeaker}
        />
      )),
    [paragraphs, reel, transcript.language, playhead, editing, onEdit, onSpeaker],
  )
  if (transcript.words.length === 0 && groups.length === 0) {
    return <EmptyState title="No speech">Nobody speaks in this footage.</EmptyState>
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="sticky top-0 z-1 flex gap-2 bg-panel">
        <Find
          field={find}
          query={query}
          hits={hits}
          playhead={playhead}
          onQuery={setQuery}
          onHit={({ index }) => body.current?.children[index]?.scrollIntoView({ block: 'center' })}
        />
        {correcting && (
          <Button size="md" onClick={() => setReplacing(true)}>
            Replace…
          </Button>
        )}
      </div>
      {transcript.audio_track !== undefined && (
        <p className="text-sm text-ink-3">
          Heard in Sound {transcript.audio_track + 1}, because the sound that plays here has no
          voice.
        </p>
      )}
      <div ref={body} className="flex flex-col gap-1">
        {rows}
      </div>
      {isReplacing && heard && corrections && (
        <ReplaceDialog
          find={query}
          transcript={transcript}
          groups={groups}
          timecodeOf={(seconds) => reel.timecode(reel.frameAtSecond(seconds))}
          onReplace={(places) => {
            correcting?.state.change(replacePlaces(corrections, heard, places))
            setReplacing(false)
          }}
          onClose={() => setReplacing(false)}
        />
      )}
    </div>
  )
}

/** Finds what is said. Enter leads to the next place, with Shift to the one before. */
function Find({
  field,
  query,
  hits,
  playhead,
  onQuery,
  onHit,
}: {
  field: RefObject<HTMLInputElement | null>
  query: string
  hits: readonly Hit[]
  playhead: Playhead
  onQuery: (query: string) => void
  onHit: (hit: Hit) => void
}) {
  const [at, setAt] = useState<number | null>(null)
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') event.currentTarget.blur()
    if (event.key !== 'Enter') return
    const next = placeFrom(hits, at, playhead.frame(), event.shiftKey ? -1 : 1)
    const hit = hits[next]
    if (!hit) return
    setAt(next)
    playhead.seek(hit.startFrame)
    onHit(hit)
  }
  return (
    <SearchField
      ref={field}
      label="Find in the transcript"
      placeholder="Find word…"
      value={query}
      onValue={(value) => {
        onQuery(value)
        setAt(null)
      }}
      onKeyDown={onKeyDown}
      className="block grow"
    >
      <span className="absolute top-1/2 right-2 -translate-y-1/2">
        {query.trim() ? (
          <span role="status" className="figures bg-panel px-2 text-xs text-ink-3">
            {at === null ? `${hits.length || 'None'} found` : `${at + 1} of ${hits.length}`}
          </span>
        ) : (
          <Kbd>/</Kbd>
        )}
      </span>
    </SearchField>
  )
}

/** The place after the last one, or before it; the first time, the one nearest to the playhead. */
function placeFrom(
  hits: readonly Hit[],
  at: number | null,
  frame: number,
  direction: 1 | -1,
): number {
  if (at !== null) return (at + direction + hits.length) % hits.length
  if (direction > 0) {
    const after = hits.findIndex((hit) => hit.startFrame > frame)
    return Math.max(0, after)
  }
  const before = hits.findLastIndex((hit) => hit.startFrame < frame)
  return before < 0 ? hits.length - 1 : before
}

/** Reports which words the pointer selected, wherever it was let go. */
function usePassage(input: {
  body: RefObject<HTMLDivElement | null>
  paragraphs: readonly LaidOut[]
  onPassage: (passage: { startFrame: number; endFrame: number }) => void
}): void {
  const { body, paragraphs, onPassage } = input
  useEffect(() => {
    const gesture = createSelectionGesture()
    const press = ({ target }: MouseEvent): void =>
      gesture.press(body.current?.contains(target as Node) ?? false, getSelection())
    const read = (): void => {
      const selection = getSelection()
      if (!gesture.release(selection)) return
      if (!body.current || !selection || selection.isCollapsed) return
      const range = selection.getRangeAt(0)
      if (!body.current.contains(range.commonAncestorContainer)) return
      const first = paragraphAt(body.current, paragraphs, range.startContainer, range.startOffset)
      const last = paragraphAt(body.current, paragraphs, range.endContainer, range.endOffset)
      const passage = first && last && passageOf(first, last)
      if (passage) onPassage(passage)
    }
    addEventListener('mousedown', press)
    document.addEventListener('selectionchange', gesture.change)
    addEventListener('mouseup', read)
    return () => {
      removeEventListener('mousedown', press)
      document.removeEventListener('selectionchange', gesture.change)
      removeEventListener('mouseup', read)
    }
  }, [body, paragraphs, onPassage])
}

/** The paragraph at a DOM position and the offset into its text; null outside all paragraphs. */
function paragraphAt(
  body: HTMLElement,
  paragraphs: readonly LaidOut[],
  node: Node,
  offset: number,
): { paragraph: LaidOut; offset: number } | null {
  const index = [...body.children].findIndex((row) => row.contains(node))
  const paragraph = paragraphs[index]
  const text = body.children[index]?.lastElementChild
  if (!paragraph || !text) return null
  if (!text.contains(node)) return { paragraph, offset: 0 }
  return { paragraph, offset: offsetOf(text, node, offset) }
}
