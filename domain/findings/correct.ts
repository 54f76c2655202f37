/**
 * Lays corrections over findings. The screen, search and every export call this, so they show the
 * same words, speakers and shots. Findings are copied, never changed.
 */
import type { Corrections, Unmatched } from './corrections.ts'
import type { Findings, FindingsOf, ShotChange, Word } from './findings.ts'
import { surely } from './speakers.ts'
import { formatRational, toNumber } from '../time/rational.ts'
import { analysedFrames, overlap, shotsBetween, withoutOverlap } from './recut.ts'
import { joinerOf, replaceWords, spanFromTo } from './replace-words.ts'
import { sourceTimes } from '../time/source-times.ts'

type Transcript = FindingsOf<'transcription'>

export interface Corrected {
  findings: Partial<Findings>
  unmatched: Unmatched[]
}

export function correctFindings(original: Partial<Findings>, corrections: Corrections): Corrected {
  const unmatched: Unmatched[] = []
  const findings = { ...original }
  if (original.transcription) {
    const named = nameWords(original.transcription, corrections.speakers, unmatched)
    const replaced = replaceWords(named, corrections.words, unmatched)
    findings.transcription = regroup(replaced, corrections.paragraphs, unmatched)
  }
  if (original.talking) findings.talking = nameFaces(original.talking, corrections.speakers.names)
  if (original.shots && original.media) {
    findings.shots = correctShots(
      { ...original, media: original.media, shots: original.shots },
      corrections.shots,
      unmatched,
    )
  }
  return { findings, unmatched }
}

function nameWords(
  transcript: Transcript,
  { names, passages }: Corrections['speakers'],
  unmatched: Unmatched[],
): Transcript {
  const words = transcript.words.map((word) => {
    const name = word.speaker === null ? undefined : names[word.speaker]
    return name === undefined ? word : { ...word, speaker: name }
  })
  for (const { start, end, speaker } of passages) {
    let isFound = false
    for (const [index, word] of words.entries()) {
      const middle = (word.start + word.end) / 2
      if (middle < start || middle >= end) continue
      words[index] = surely(word, speaker)
      isFound = true
    }
    if (!isFound) unmatched.push({ kind: 'speaker', seconds: start, text: speaker })
  }
  return { ...transcript, words }
}

function nameFaces(
  talking: FindingsOf<'talking'>,
  names: Corrections['speakers']['names'],
): FindingsOf<'talking'> {
  const named = <T extends { face: string | null }>(span: T): T =>
    span.face === null ? span : { ...span, face: names[span.face] ?? span.face }
  const faces = new Map<string, FindingsOf<'talking'>['faces'][number]>()
  for (const face of talking.faces) {
    const id = names[face.id] ?? face.id
    const known = faces.get(id)
    const spans = [...(known?.spans ?? []), ...face.spans]
    faces.set(id, {
      id,
      spans: spans.toSorted((a, b) => a.start_frame - b.start_frame),
      talking_seconds: (known?.talking_seconds ?? 0) + face.talking_seconds,
    })
  }
  return {
    ...talking,
    talking: talking.talking.map(named),
    lip_flap: talking.lip_flap.map(named),
    faces: [...faces.values()],
  }
}

/** How far a word's start may have moved between two runs, in seconds. */
const reachSeconds = 0.5

function regroup(
  transcript: Transcript,
  changes: Corrections['paragraphs'],
  unmatched: Unmatched[],
): Transcript {
  let { paragraphs } = transcript
  for (const { at, action } of changes) {
    const wordIndex = nearestWord(transcript.words, at)
    const index = paragraphs.findIndex(
      (paragraph) => paragraph.first_word <= wordIndex && wordIndex <= paragraph.last_word,
    )
    const paragraph = paragraphs[index]
    const previous = paragraphs[index - 1]
    const isStart = paragraph?.first_word === wordIndex
    if (wordIndex < 0 || !paragraph || (action === 'join' && (!isStart || !previous))) {
      unmatched.push({ kind: 'paragraph', seconds: at, text: action })
    } else if (action === 'join' && previous) {
      const joined = passage(transcript, previous.first_word, paragraph.last_word)
      paragraphs = paragraphs.toSpliced(index - 1, 2, joined)
    } else if (!isStart) {
      const parts = [
        passage(transcript, paragraph.first_word, wordIndex - 1),
        passage(transcript, wordIndex, paragraph.last_word),
      ]
      paragraphs = paragraphs.toSpliced(index, 1, ...parts)
    }
  }
  return { ...transcript, paragraphs }
}

function nearestWord(words: readonly Word[], seconds: number): number {
  let best = -1
  let gap = reachSeconds
  for (const [index, word] of words.entries()) {
    const distance = Math.abs(word.start - seconds)
    if (distance < gap) [best, gap] = [index, distance]
  }
  return best
}

function passage(
  transcript: Transcript,
  first: number,
  last: number,
): Transcript['paragraphs'][number] {
  const words = transcript.words.slice(first, last + 1)
  return {
    ...spanFromTo(words[0]!, words.at(-1)!),
    text: words.map((word) => word.text).join(joinerOf(transcript)),
    first_word: first,
    last_word: last,
  }
}

function correctShots(
  findings: Findings & { shots: FindingsOf<'shots'> },
  { removed, added }: Corrections['shots'],
  unmatched: Unmatched[],
): FindingsOf<'shots'> {
  const { shots, media } = findings
  if (removed.length === 0 && added.length === 0) return shots
  const timeOf = sourceTimes(findings)
  const gone = new Set(removed)
  const known = new Set(shots.candidates.map((change) => change.start_frame))
  for (const frame of removed) {
    const isKnown = known.has(frame)
    if (!isKnown)
      unmatched.push({ kind: 'shot', seconds: toNumber(timeOf(frame)), text: 'removed' })
  }
  const inside = added.filter(
    ({ start_frame: start, end_frame: end }) => start > 0 && start <= end && end < media.frames,
  )
  for (const change of added) {
    if (inside.includes(change)) continue
    const seconds = toNumber(timeOf(change.start_frame))
    unmatched.push({ kind: 'shot', seconds, text: `added ${change.type}` })
  }
  const placed = inside.map(({ start_frame: start, end_frame: end, type }): ShotChange => {
    const [from, to] = [timeOf(start), timeOf(end)]
    return {
      type,
      score: 1,
      start_frame: start,
      end_frame: end,
      start_time: formatRational(from),
      end_time: formatRational(to),
      start: toNumber(from),
      end: toNumber(to),
    }
  })
  const byHand = withoutOverlap(placed)
  // A person is surer than any score: what was found and meets their change gives way.
  const kept = (change: ShotChange): boolean =>
    !gone.has(change.start_frame) &&
    !byHand.some((other) =>
      other.start_frame < change.start_frame ? overlap(other, change) : overlap(change, other),
    )
  const merge = (changes: readonly ShotChange[]): ShotChange[] =>
    [...changes.filter(kept), ...byHand].toSorted((a, b) => a.start_frame - b.start_frame)
  const changes = merge(shots.changes)
  return {
    ...shots,
    changes,
    candidates: merge(shots.candidates),
    shots: shotsBetween(changes, {
      known: shots.shots,
      film: analysedFrames(shots, media.frames),
      timeOf: (frame) => ({
        time: formatRational(timeOf(frame)),
        seconds: toNumber(timeOf(frame)),
      }),
    }),
  }
}
