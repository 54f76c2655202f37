/**
 * Marks the word being spoken and the words searched by the CSS Custom Highlight API. The browser
 * places and paints all ranges again with every frame, so there are few: unsure words, which never
 * change, are elements instead.
 */
import { useEffect } from 'react'
import type { RefObject } from 'react'
import { rangeOfText } from '../../../dom/text-places.ts'
import type { Playhead } from '../viewer/playhead.ts'
import type { Hit, LaidOut, PlacedWord } from './transcript-layout.ts'

export function useHighlights(input: {
  /** Its children are the rows of the paragraphs, in order; a row ends with its text. */
  body: RefObject<HTMLDivElement | null>
  paragraphs: readonly LaidOut[]
  hits: readonly Hit[]
  playhead: Playhead
}): void {
  const { body, paragraphs, hits, playhead } = input
  useEffect(() => {
    if (!body.current || hits.length === 0) return undefined
    return markFound(body.current, hits)
  }, [body, hits])
  useEffect(
    () => (body.current ? followPlayhead(body.current, paragraphs, playhead) : undefined),
    [body, paragraphs, playhead],
  )
}

/** Marks what is searched in the paragraphs that are in view, and near it. */
function markFound(body: HTMLElement, hits: readonly Hit[]): () => void {
  const marks = shownAs('found')
  const rows = Map.groupBy(hits, ({ index }) => body.children[index])
  const near = new Set<Element>()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) near.add(target)
        else near.delete(target)
      }
      marks.clear()
      for (const row of near) {
        for (const hit of rows.get(row) ?? []) marks.add(rangeOf(row, hit))
      }
    },
    { rootMargin: '50% 0%', scrollMargin: '50% 0%' },
  )
  for (const row of rows.keys()) if (row) observer.observe(row)
  return () => {
    observer.disconnect()
    CSS.highlights.delete('found')
  }
}

function followPlayhead(
  body: HTMLElement,
  paragraphs: readonly LaidOut[],
  playhead: Playhead,
): () => void {
  const spoken = shownAs('spoken')
  let at: { row?: Element; word?: PlacedWord; isRunning: boolean } = { isRunning: false }
  const follow = (): void => {
    const frame = playhead.frame()
    const isHere = (item: { startFrame: number; endFrame: number }): boolean =>
      frame >= item.startFrame && frame < item.endFrame
    const paragraph = paragraphs.findLast(isHere)
    const row = paragraph && body.children[paragraph.index]
    // Two words share the frame in which one ends and the next begins: it is the next one's.
    const word = paragraph?.words.findLast(isHere)
    const isRunning = playhead.speed() !== 0
    if (row !== at.row) {
      at.row?.removeAttribute('data-current')
      row?.setAttribute('data-current', '')
    }
    // Who scrolls away while it plays may read there until the next paragraph begins.
    if (isRunning && (row !== at.row || !at.isRunning)) row?.scrollIntoView({ block: 'nearest' })
    if (word !== at.word) {
      spoken.clear()
      if (row && word) spoken.add(rangeOf(row, word))
    }
    at = { row, word, isRunning }
  }
  follow()
  const stop = playhead.subscribe(follow)
  return () => {
    stop()
    at.row?.removeAttribute('data-current')
    CSS.highlights.delete('spoken')
  }
}

function shownAs(name: string): Highlight {
  const highlight = new Highlight()
  CSS.highlights.set(name, highlight)
  return highlight
}

function rangeOf(row: Element, place: { from: number; to: number }): StaticRange {
  return rangeOfText(row.lastElementChild ?? row, place)
}
