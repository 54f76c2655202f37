/**
 * Where to cut. Every frame gets a score for "the new clip may begin here": pauses, ends of words
 * and sentences, closed mouths, little motion and changes of shot speak for it, the middle of a
 * word and the last frames before a change of shot against it. The curve is kept whole; the best
 * frames, one for each place, become points with the reasons that a person would give.
 *
 * A long pause is safe to cut anywhere, but only its two ends are places: where the one has spoken
 * and before the next begins. So a pause gives two points at most, a short one or one at the end of
 * the file gives one, and silence that nothing interrupts gives none.
 */
import { formatRational, toNumber } from '../../domain/time/rational.ts'
import type { CutPoint, FindingsOf, ShotChange } from '../../domain/findings/findings.ts'
import type { FrameClock } from '../time/clock.ts'
import { lipsPerSecond, mouthRuns } from '../faces/lips.ts'
import type { FaceTracks } from '../faces/recognise-faces.ts'
import { findFillers, findHesitations } from '../speech/text/fillers.ts'
import type { Filler } from '../speech/text/fillers.ts'
import { readLevels } from '../speech/voice/levels.ts'
import { findSilence } from '../speech/voice/silence.ts'
import { onFrames, soundSpan } from '../speech/voice/spans.ts'
import { cutOut, spokenSpans } from '../speech/text/untranscribed-speech.ts'
import type { Spoken } from '../speech/text/untranscribed-speech.ts'
import { speechSpans } from '../speech/voice/vad.ts'
import type { Seconds } from '../speech/voice/vad.ts'

export interface CutPointsInput {
  clock: FrameClock
  /** Every input is optional; the more are known, the better the cut points. */
  words?: readonly { text: string; start: number; end: number }[]
  vad?: Float32Array
  audioFile?: string
  samples?: number
  faces?: FaceTracks
  shots?: { changes: readonly ShotChange[] }
  /** How much each frame differs from the one before, in any unit. */
  motion?: ArrayLike<number>
  signal?: AbortSignal
}

const minScore = 0.4
const apartSeconds = 0.5
/** A pause shorter than this yields one cut point instead of one at each end. */
const twoEndsSeconds = 1
/** In a pause longer than this, more may happen than that nobody speaks. */
const longPauseSeconds = 3
/** A pause that reaches the start or the end of the file has one end only. */
const edgeSeconds = 0.1
const maxPoints = 5000
/** Kept of a silence on each side when it is taken out. */
const handleSeconds = 0.15
const minRemovalSeconds = 0.5
/** Frames that still show a bit of the other shot are the worst place to cut. */
const remnantFrames = 6
const closedMouth = 0.045
/** Least movement, on the scale of the shot detector, and how much stronger than rest. */
const movingLevel = 0.002
const restShare = 2
/** Stricter level without sound: only the frames can tell, so a rest must be unmistakable. */
const plainlyMovingLevel = 0.008
const plainRestShare = 6
const littleMotion = 'Little motion'

/** Evidence about each frame. */
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
  const { words = [], vad, audioFile } = input
  const held = vad && audioFile ? await findHesitations(words, { vad, audioFile }) : []
  const spoken = withHesitations(spokenSpans(input), held)
  const pauses = findPauses(input, spoken, silence)
  scorePauses(evidence, clock, pauses)
  scoreWordEnds(evidence, input)
  scoreMouths(evidence, input)
  scoreMotion(evidence, input)
  spareWords(evidence, clock, spoken)
  scoreShots(evidence, input)
  const { score } = evidence
  for (let frame = 0; frame < score.length; frame++)
    score[frame] = Math.min(1, Math.max(0, score[frame]!))
  return {
    points: rank(evidence, clock, findPlaces(evidence, input, pauses)),
    removals: findRemovals(input, { spoken, silence, held }),
    curve: {
      bytes: Buffer.from(Uint8Array.from(score, (value) => Math.round(value * 255))).toString(
        'base64',
      ),
      frames: clock.frames,
    },
  }
}

/** Adds hesitations such as "um" as words: a cut inside one is as audible as inside a word. */
function withHesitations(spoken: readonly Spoken[], held: readonly Filler[]): Spoken[] {
  const more = held.map(({ start, end }) => ({ start, end, text: null }))
  return [...spoken, ...more].sort((a, b) => a.start - b.start)
}

/**
 * Scores frames of pauses: the longer the pause the better, best with a little air on both sides.
 */
function scorePauses(evidence: Evidence, clock: FrameClock, pauses: readonly Pause[]): void {
  for (const pause of pauses) {
    const length = pause.end - pause.start
    const worth = 0.2 + 0.4 * Math.min(1, length / 0.8)
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

/** Finds pauses between words; if there are no words, silences and gaps between voices. */
function findPauses(
  { words, vad, clock }: CutPointsInput,
  spoken: readonly Spoken[],
  silence: Seconds[],
): Pause[] {
  const end = toNumber(clock.timeOf(clock.frames))
  if (words && words.length > 0) {
    return between(spoken, end)
      .filter((gap) => gap.end - gap.start >= 0.12)
      .map((gap) => {
        const before = spoken[gap.index - 1]?.text
        const after = before ? ` after “${before}”` : gap.index > 0 ? '' : ' before the first word'
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

/** Raises the score of frames in which every visible mouth is closed. */
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

/** Scores frames in which a movement comes to rest before the next; a still shot has none. */
function scoreMotion(evidence: Evidence, input: CutPointsInput): void {
  const { clock } = input
  if (!input.motion || input.motion.length === 0) return
  const motion = movementOf(input.motion, input)
  const isMute = !input.vad && !input.words && !input.samples
  const reach = Math.max(2, Math.round((Number(clock.rate.num) / Number(clock.rate.den)) * 0.5))
  const sorted = motion.filter((value) => !Number.isNaN(value)).sort()
  const median = sorted[sorted.length >> 1] ?? 0
  for (let frame = 1; frame < motion.length; frame++) {
    const here = motion[frame]!
    // A change of shot is not movement either.
    if (!(here <= median)) continue
    add(evidence, frame, 0.04)
    const near = [...beside(motion, frame, -reach), ...beside(motion, frame, reach)]
    if (near.some((value) => value < here)) continue
    const around = Math.min(
      Math.max(0, ...beside(motion, frame, -3 * reach)),
      Math.max(0, ...beside(motion, frame, 3 * reach)),
    )
    if (around < Math.max(movingLevel, restShare * here)) continue
    const isOnlySign = isMute && around >= Math.max(plainlyMovingLevel, plainRestShare * here)
    add(evidence, frame, isOnlySign ? 0.36 : 0.14, littleMotion)
  }
}

/** How much each frame differs from the one before; NaN at a change of shot. */
function movementOf(motion: ArrayLike<number>, { shots, clock }: CutPointsInput): Float32Array {
  const result = Float32Array.from(motion).slice(0, clock.frames)
  for (const { start_frame: start, end_frame: end } of shots?.changes ?? []) {
    result.fill(NaN, start, Math.max(end, start + 1))
  }
  return result
}

/** Up to `reach` values before (negative) or after a frame, within its shot. */
function beside(motion: Float32Array, frame: number, reach: number): Float32Array {
  const step = Math.sign(reach)
  let to = frame
  while (to !== frame + reach && motion[to + step]! >= 0 && to + step > 0) to += step
  return step > 0 ? motion.subarray(frame + 1, to + 1) : motion.subarray(to, frame)
}

/** Lowers the score of frames inside a word, because such a cut is audible. */
function spareWords({ score }: Evidence, clock: FrameClock, spoken: readonly Spoken[]): void {
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
    // Shots already change there, so the frame is a good cut point whatever is said.
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

/** Calls `visit` for each frame that begins within a span. */
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

/**
 * Returns candidate frames: changes of shot, the ends of each pause, rests of movement in long
 * pauses, and all frames outside of pauses.
 */
function findPlaces(
  evidence: Evidence,
  { clock, shots }: CutPointsInput,
  pauses: readonly Pause[],
): number[] {
  const isPause = new Uint8Array(clock.frames)
  const places = (shots?.changes ?? []).map((change) => change.end_frame)
  for (const pause of pauses) {
    const frames: number[] = []
    eachFrame(clock, pause, (frame) => frames.push(frame))
    for (const frame of frames) isPause[frame] = 1
    places.push(...endsOf(evidence, clock, { ...pause, frames }))
    if (pause.end - pause.start < longPauseSeconds) continue
    // Not spread into one call: a pause may last for hours, too many arguments.
    for (const frame of frames) {
      if (evidence.reasons.get(frame)?.includes(littleMotion)) places.push(frame)
    }
  }
  for (const frame of evidence.reasons.keys()) {
    if (!isPause[frame]) places.push(frame)
  }
  return places
}

/** Picks the best frames of a pause: one after the last speaker and one before the next. */
function endsOf(
  { score }: Evidence,
  clock: FrameClock,
  { start, end, frames }: Pause & { frames: number[] },
): number[] {
  const isLeading = start <= edgeSeconds
  const isTrailing = end >= toNumber(clock.timeOf(clock.frames)) - edgeSeconds
  if (frames.length === 0 || (isLeading && isTrailing)) return []
  // If scores are equal, the first wins: it is the nearest to the words on that side.
  const best = (some: number[]) => some.reduce((a, b) => (score[b]! > score[a]! ? b : a))
  if (isLeading) return [best(frames.toReversed())]
  if (isTrailing || end - start < twoEndsSeconds) return [best(frames)]
  const half = Math.ceil(frames.length / 2)
  return [best(frames.slice(0, half)), best(frames.slice(half - 1).toReversed())]
}

/** Returns the best frame of each candidate group, best first. */
function rank({ score, reasons }: Evidence, clock: FrameClock, places: number[]): CutPoint[] {
  const order = places
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
      time: formatRational(time),
      seconds: toNumber(time),
      score: Math.round(score[frame]! * 1000) / 1000,
      reasons: reasons.get(frame)!,
    })
    if (points.length >= maxPoints) break
  }
  return points
}

/** Finds fillers, and silences without a word or voice, shortened by their handles. */
function findRemovals(
  { clock, words = [], vad }: CutPointsInput,
  { spoken, silence, held }: { spoken: readonly Spoken[]; silence: Seconds[]; held: Filler[] },
): FindingsOf<'cutpoints'>['removals'] {
  // Padded, so that no word loses its end.
  const voice = vad ? onFrames(clock, speechSpans(vad)) : []
  const silent = silence
    .flatMap((span) => cutOut(span, spoken))
    .map(({ start, end }) => ({ start: start + handleSeconds, end: end - handleSeconds }))
    .flatMap((span) => cutOut(span, voice))
    .filter(({ start, end }) => end - start >= minRemovalSeconds)
    .map((span) => ({ ...soundSpan(clock, span), kind: 'silence' as const, text: null }))
  const fillers = [...findFillers(words), ...held].map(({ text, ...span }) => ({
    ...soundSpan(clock, span),
    kind: 'filler' as const,
    text,
  }))
  return [...silent, ...fillers].sort((a, b) => a.start - b.start)
}

function tenths(seconds: number): string {
  return seconds.toFixed(1)
}
