/** A cut as text: a document of passages with speakers, clip names and every word's frames. */
import type { CutTimeline, CutTranscript, CutWord, FrameSpan, SourceTiming } from './cut.ts'
import { cutEvents } from './cut-times.ts'
import type { CutEvent } from './cut-times.ts'

export interface PassageWord extends CutWord {
  /** Its middle lies in frames that were removed. */
  struck: boolean
}

/** The words of one speaker in one range; a range without words is one empty passage. */
export interface CutPassage {
  rangeId: string
  rangeIndex: number
  contentId: string
  clipName: string
  offline: boolean
  disabled: boolean
  transcribed: boolean
  speaker: string | null
  joiner: '' | ' '
  words: PassageWord[]
  /** Frames of the source that it covers; passages of a range meet. */
  in: number
  out: number
  /** Frame of the cut, from 0, at which its first kept frame plays; null if none does. */
  recordIn: number | null
  /** Frames of the cut that are kept of it. */
  recordFrames: number
}

interface TextSource extends SourceTiming {
  name: string
  offline: boolean
  transcribed: boolean
}

export function cutTranscript(
  cut: Pick<CutTimeline, 'frame_rate' | 'ranges'>,
  sources: readonly TextSource[],
  transcripts: readonly CutTranscript[],
): CutPassage[] {
  const known = new Map(sources.map((source) => [source.content_id, source]))
  const texts = new Map(
    transcripts.map((text) => [text.content_id, { ...text, within: wordFinder(text.words) }]),
  )
  const events = Map.groupBy(cutEvents(cut, sources), (event) => event.rangeIndex)
  return cut.ranges.flatMap((range, rangeIndex) => {
    const source = known.get(range.content_id)
    const text = texts.get(range.content_id)
    const words = (text?.within(range) ?? []).map((word) => ({
      ...word,
      struck: covers(range.removed, middle(word)),
    }))
    const runs = bySpeaker(words)
    return runs.map((run, index): CutPassage => {
      const span = {
        in: index === 0 ? range.in : Math.max(range.in, run[0]!.in),
        out: Math.min(range.out, runs[index + 1]?.[0]?.in ?? range.out),
      }
      return {
        rangeId: range.id,
        rangeIndex,
        contentId: range.content_id,
        clipName: source?.name ?? '',
        offline: source?.offline ?? true,
        disabled: range.disabled,
        transcribed: source?.transcribed ?? false,
        speaker: run[0]?.speaker ?? null,
        joiner: text?.joiner ?? ' ',
        words: run,
        ...span,
        ...placed(events.get(rangeIndex) ?? [], span),
      }
    })
  })
}

/** The kept words as plain text. */
export function spokenText({ words, joiner }: Pick<CutPassage, 'words' | 'joiner'>): string {
  return words
    .filter((word) => !word.struck)
    .map((word) => word.text)
    .join(joiner)
}

/** The frames of words next to each other: what to strike, or to bring back. */
export function spanOf(words: readonly CutWord[]): FrameSpan | null {
  if (words.length === 0) return null
  return {
    in: Math.min(...words.map((word) => word.in)),
    out: Math.max(...words.map((word) => Math.max(word.out, word.in + 1))),
  }
}

function bySpeaker(words: readonly PassageWord[]): PassageWord[][] {
  const runs: PassageWord[][] = [[]]
  for (const word of words) {
    const run = runs.at(-1)!
    if (run.length === 0 || run.at(-1)!.speaker === word.speaker) run.push(word)
    else runs.push([word])
  }
  return runs
}

/** Finds the words whose middle lies in a span, in the order of the text, without reading all. */
function wordFinder(words: readonly CutWord[]): (span: FrameSpan) => CutWord[] {
  const order = words
    .map((word, index) => ({ index, at: middle(word) }))
    .sort((a, b) => a.at - b.at)
  const firstFrom = (frame: number): number => {
    let [low, high] = [0, order.length]
    while (low < high) {
      const half = (low + high) >> 1
      if (order[half]!.at < frame) low = half + 1
      else high = half
    }
    return low
  }
  return (span) =>
    order
      .slice(firstFrom(span.in), firstFrom(span.out))
      .sort((a, b) => a.index - b.index)
      .map(({ index }) => words[index]!)
}

/** Returns, for events that play in real time, the share that lies in the span. */
function placed(events: readonly CutEvent[], span: FrameSpan) {
  let recordIn: number | null = null
  let recordFrames = 0
  for (const event of events) {
    const pace = (event.recordOut - event.recordIn) / (event.out - event.in)
    const from = Math.max(event.in, span.in)
    const to = Math.min(event.out, span.out)
    if (to <= from) continue
    const start = event.recordIn + Math.round((from - event.in) * pace)
    const end = event.recordIn + Math.round((to - event.in) * pace)
    recordIn ??= start
    recordFrames += end - start
  }
  return { recordIn, recordFrames }
}

function middle(word: FrameSpan): number {
  return (word.in + Math.max(word.out, word.in + 1) - 1) / 2
}

function covers(spans: readonly FrameSpan[], frame: number): boolean {
  return spans.some((span) => span.in <= frame && frame < span.out)
}
