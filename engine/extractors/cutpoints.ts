/**
 * Where to cut. Every frame gets a score for "the new clip may begin here": pauses, ends of words
 * and sentences, closed mouths, little motion and changes of shot speak for it, the middle of a
 * word and the last frames before a change of shot against it. The curve is kept whole; the best
 * frames, one for each place, become points with the reasons that a person would give.
 */
import type { CutPoint, FindingsOf, ShotChange } from '../../contract/findings.ts'
import { fractionText, toNumber } from '../clock.ts'
import type { FrameClock } from '../clock.ts'
import { lipsPerSecond, mouthRuns } from '../faces/lips.ts'
import type { FaceTracks } from '../faces/tracks.ts'
import { findFillers } from '../speech/fillers.ts'
import { readLevels } from '../speech/levels.ts'
import { findSilence } from '../speech/silence.ts'
import { soundSpan } from '../speech/spans.ts'
import { speechSpans } from '../speech/vad.ts'
import type { Seconds } from '../speech/vad.ts'

export interface CutPointsInput {
  clock: FrameClock
  /** Each is used where it is known; the more, the better the points. */
  words?: readonly { text: string; start: number; end: number }[]
  vad?: Float32Array
  audioFile?: string
  samples?: number
  faces?: FaceTracks
  shots?: { changes: readonly ShotChange[] }
  /** How much each frame differs from the one before, on any scale. */
  motion?: ArrayLike<number>
  signal?: AbortSignal
}

const minScore = 0.4
const apartSeconds = 0.5
const maxPoints = 5000
/** What stays of a silence on each side when it is taken out. */
const handleSeconds = 0.15
const minRemovalSeconds = 0.5
/** Frames that still show a bit of the other shot are the worst place to cut. */
const remnantFrames = 6
const closedMouth = 0.045

/** What is known about one frame. */
interface Evidence {
  score: Float32Array
  reasons: Map<number, string[]>
}

export async function findCutPoints(input: CutPointsInput): Promise<FindingsOf<'cutpoints'>> {
  const { clock } = input
  const silence =
    input.audioFile && input.samples
      ? findSilence(
          await readLevels(input.audioFile, { samples: input.samples, signal: input.signal }),
        )
      : []
  const evidence: Evidence = { score: new Float32Array(clock.frames), reasons: new Map() }
  scorePauses(evidence, input, silence)
  scoreWordEnds(evidence, input)
  scoreMouths(evidence, input)
  scoreMotion(evidence, input)
  spareWords(evidence, input)
  scoreShots(evidence, input)
  const { score } = evidence
  for (let frame = 0; frame < score.length; frame++)
    score[frame] = Math.min(1, Math.max(0, score[frame]!))
  return {
    points: rank(evidence, clock),
    removals: findRemovals(input, silence),
    curve: {
      bytes: Buffer.from(Uint8Array.from(score, (value) => Math.round(value * 255))).toString(
        'base64',
      ),
      frames: clock.frames,
    },
  }
}

/** The longer the pause, the better; best where both sides keep a little air. */
function scorePauses(evidence: Evidence, input: CutPointsInput, silence: Seconds[]): void {
  const { clock } = input
  for (const pause of findPauses(input, silence)) {
    const length = pause.end - pause.start
    const worth = 0.3 + 0.3 * Math.min(1, length / 0.8)
    const air = Math.min(0.12, length / 3)
    eachFrame(clock, pause, (frame, seconds) => {
      const room = Math.min(seconds - pause.start, pause.end - seconds)
      const isAiry = room >= air - 1e-6
      add(evidence, frame, worth * (isAiry ? 1 : 0.6), pause.reason)
    })
  }
}

interface Pause extends Seconds {
  reason: string
}

/** Pauses between words; silence and gaps of the voice where there are no words. */
function findPauses({ words, vad, clock }: CutPointsInput, silence: Seconds[]): Pause[] {
  const end = toNumber(clock.timeOf(clock.frames))
  if (words && words.length > 0) {
    return between(words, end)
      .filter((gap) => gap.end - gap.start >= 0.12)
      .map((gap) => {
        const after =
          gap.index > 0 ? ` after “${words[gap.index - 1]!.text}”` : ' before the first word'
        return { ...gap, reason: `Pause of ${tenths(gap.end - gap.start)} s${after}` }
      })
  }
  const silent = silence.map((span) => ({
    ...span,
    reason: `Silence of ${tenths(span.end - span.start)} s`,
  }))
  if (!vad) return silent
  const voice = speechSpans(vad, { padMs: 50, minSilenceMs: 200 })
  if (voice.length === 0) return silent
  return between(voice, end)
    .filter((gap) => gap.end - gap.start >= 0.2)
    .map((gap) => ({ ...gap, reason: `No voice for ${tenths(gap.end - gap.start)} s` }))
}

function between(spans: readonly Seconds[], duration: number): (Seconds & { index: number })[] {
  const gaps: (Seconds & { index: number })[] = []
  let previous = 0
  for (const [index, span] of spans.entries()) {
    if (span.start > previous) gaps.push({ start: previous, end: span.start, index })
    previous = Math.max(previous, span.end)
  }
  if (duration > previous) gaps.push({ start: previous, end: duration, index: spans.length })
  return gaps
}

function scoreWordEnds(evidence: Evidence, { words, clock }: CutPointsInput): void {
  for (const word of words ?? []) {
    const isSentence = /[.?!…。？！]["'”’)]*$/u.test(word.text)
    const first = Math.min(clock.frames, clock.frameAt(word.end) + 1)
    const reason = isSentence ? `End of the sentence “…${word.text}”` : `End of “${word.text}”`
    for (let frame = first; frame < Math.min(first + 4, clock.frames); frame++) {
      add(evidence, frame, (isSentence ? 0.25 : 0.12) - (frame - first) * 0.02, reason)
    }
  }
}

/** Every mouth on the screen is closed: no half-spoken sound is seen. */
function scoreMouths(evidence: Evidence, { faces, clock }: CutPointsInput): void {
  const widest = new Map<number, number>()
  for (const track of faces?.tracks ?? []) {
    for (const run of mouthRuns(track, (frame) => toNumber(clock.timeOf(frame)))) {
      for (const [at, gap] of run.gaps.entries()) {
        const from = clock.frameAt(run.start + at / lipsPerSecond)
        const to = clock.frameAt(run.start + (at + 1) / lipsPerSecond)
        for (let frame = from; frame < Math.max(to, from + 1); frame++) {
          widest.set(frame, Math.max(widest.get(frame) ?? 0, gap))
        }
      }
    }
  }
  for (const [frame, gap] of widest) {
    if (frame >= clock.frames) continue
    if (gap <= closedMouth) add(evidence, frame, 0.15, 'Mouth closed')
    else if (gap > 0.1) evidence.score[frame] = evidence.score[frame]! - 0.1
  }
}

/** The quietest frame of each second, if it is quiet for the whole film. */
function scoreMotion(evidence: Evidence, { motion, clock }: CutPointsInput): void {
  if (!motion || motion.length === 0) return
  const reach = Math.max(2, Math.round((Number(clock.rate.num) / Number(clock.rate.den)) * 0.5))
  const sorted = Float32Array.from(motion).sort()
  const median = sorted[sorted.length >> 1]!
  for (let frame = 1; frame < Math.min(motion.length, clock.frames); frame++) {
    const here = motion[frame]!
    if (here > median) continue
    let isLowest = true
    for (let near = Math.max(1, frame - reach); near <= frame + reach && isLowest; near++) {
      isLowest = near >= motion.length || motion[near]! >= here
    }
    if (isLowest) add(evidence, frame, 0.18, 'Little motion')
    else add(evidence, frame, 0.04)
  }
}

/** A cut inside a word is heard at once. */
function spareWords({ score }: Evidence, { words, vad, clock }: CutPointsInput): void {
  const spoken = words && words.length > 0 ? words : vad ? speechSpans(vad, { padMs: 0 }) : []
  for (const word of spoken) {
    eachFrame(clock, word, (frame, seconds) => {
      if (seconds > word.start + 0.02) score[frame] = score[frame]! * 0.15
    })
  }
}

function scoreShots({ score, reasons }: Evidence, { shots, clock }: CutPointsInput): void {
  for (const change of shots?.changes ?? []) {
    const { start_frame: start, end_frame: end, type } = change
    for (let frame = Math.max(0, start - remnantFrames); frame < end + remnantFrames; frame++) {
      if (frame < clock.frames) score[frame] = score[frame]! * 0.3
    }
    if (end >= clock.frames || end === 0) continue
    // Shots are cut there already, so the place is right whatever is said.
    score[end] = 0.75 + 0.2 * change.score
    const name = type === 'cut' ? 'Shot change' : `End of a ${type}`
    reasons.set(end, [name, ...(reasons.get(end) ?? [])])
  }
}

function add(evidence: Evidence, frame: number, value: number, reason?: string): void {
  evidence.score[frame] = evidence.score[frame]! + value
  if (!reason) return
  const known = evidence.reasons.get(frame)
  if (!known) evidence.reasons.set(frame, [reason])
  else if (!known.includes(reason)) known.push(reason)
}

/** Frames that begin within a span. */
function eachFrame(
  clock: FrameClock,
  span: Seconds,
  visit: (frame: number, seconds: number) => void,
): void {
  for (let frame = clock.frameAt(span.start); frame < clock.frames; frame++) {
    const seconds = toNumber(clock.timeOf(frame))
    if (seconds >= span.end) return
    if (seconds >= span.start) visit(frame, seconds)
  }
}

/** The best frame of each place, best first. */
function rank({ score, reasons }: Evidence, clock: FrameClock): CutPoint[] {
  const order = Array.from(score.keys())
    .filter((frame) => frame > 0 && score[frame]! >= minScore && reasons.has(frame))
    .sort((a, b) => score[b]! - score[a]! || a - b)
  const apart = Math.max(
    1,
    Math.round((Number(clock.rate.num) / Number(clock.rate.den)) * apartSeconds),
  )
  // Points are at least a cell apart, so a cell has one at most.
  const taken = new Map<number, number>()
  const points: CutPoint[] = []
  for (const frame of order) {
    const cell = Math.floor(frame / apart)
    const isNear = [cell - 1, cell, cell + 1].some((near) => {
      const other = taken.get(near)
      return other !== undefined && Math.abs(other - frame) < apart
    })
    if (isNear) continue
    taken.set(cell, frame)
    const time = clock.timeOf(frame)
    points.push({
      frame,
      time: fractionText(time),
      seconds: toNumber(time),
      score: Math.round(score[frame]! * 1000) / 1000,
      reasons: reasons.get(frame)!,
    })
    if (points.length >= maxPoints) break
  }
  return points
}

/** Silence that no word touches, shortened by its handles; and fillers. */
function findRemovals(
  { clock, words, vad }: CutPointsInput,
  silence: Seconds[],
): FindingsOf<'cutpoints'>['removals'] {
  const spoken = words && words.length > 0 ? words : vad ? speechSpans(vad, { padMs: 0 }) : []
  const silent = silence
    .flatMap((span) => cutOut(span, spoken))
    .map(({ start, end }) => ({ start: start + handleSeconds, end: end - handleSeconds }))
    .filter(({ start, end }) => end - start >= minRemovalSeconds)
    .map((span) => ({ ...soundSpan(clock, span), kind: 'silence' as const, text: null }))
  const fillers = findFillers(words ?? [], vad).map(({ text, ...span }) => ({
    ...soundSpan(clock, span),
    kind: 'filler' as const,
    text,
  }))
  return [...silent, ...fillers].sort((a, b) => a.start - b.start)
}

function cutOut(span: Seconds, others: readonly Seconds[]): Seconds[] {
  const parts: Seconds[] = []
  let { start } = span
  for (const other of others) {
    if (other.end <= start || other.start >= span.end) continue
    parts.push({ start, end: other.start })
    start = other.end
  }
  parts.push({ start, end: span.end })
  return parts
}

function tenths(seconds: number): string {
  return seconds.toFixed(1)
}
