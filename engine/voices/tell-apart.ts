/**
 * Tells who speaks when by the sound of the voices, within one file.
 *
 * 1. Windows of 1.5 s are described and grouped; a path through the groups cuts the speech into
 *    turns.
 * 2. Each turn is described as a whole, which is surer than a window, and turns are grouped again.
 *    Noise and rooms make all voices less alike, so the limit follows from how alike the two halves
 *    of a turn are in this file. As many groups are left as there are speakers.
 * 3. A path through those places the changes; 2 and 3 are done twice.
 *
 * Nothing of a voice outlives the call: what comes back is numbers of speakers and times.
 */
import { speechSpans } from '../speech/voice/vad.ts'
import type { Seconds } from '../speech/voice/vad.ts'
import { groupVoices, likenessOf, product } from './cluster.ts'
import type { Group } from './cluster.ts'
import { findPath, stepsOf, turnsOf } from './place-changes.ts'
import type { Turn } from './place-changes.ts'

/** Describes the voice of each window by a vector. */
export type DescribeVoices = (windows: readonly Seconds[]) => Promise<Float32Array[]>

export interface VoiceTurn extends Turn {
  /**
   * Confidence (0 to 1) that this speaker speaks and no other; from `sureConfidence` on, the name
   * is shown without a question mark.
   */
  confidence: number
}

const windowSeconds = 1.5
const windowStepSeconds = 0.5
/** Windows that are less alike are not one voice, before the first path. */
const windowLikeness = 0.465
/** Turns less alike are of two speakers, where halves of turns are alike by `halvesLikeness`. */
const turnLikeness = 0.327
const halvesLikeness = 0.6
const halvesShare = 0.824
/** One speaker becomes two only where they are less alike than that. */
const apartLikeness = 0.038
/** How much of what all voices of the file share is taken off them. */
const sharedPart = 0.53
/** Less speech than this makes no speaker. */
const minSpeakerSeconds = 1.6
/**
 * The share of speech of the rarer of two voices below which it must differ more: a monologue with
 * a cough is no dialogue.
 */
const rareShare = 0.3
const tooRareShare = 0.12
const rareLikeness = 0.126
/** From these on, nothing speaks against a label (`confidenceOf`). */
const fullLead = 0.3
const fullHold = 0.18
const fullDistance = 0.06
const fullSeconds = 1.2
const minHalvedSeconds = 2
const maxTurnWeightSeconds = 6
const rounds = 2
const shortPauseSeconds = 0.3
const pauseSeconds = 1
/** So many windows and turns are compared with each other; the others take the nearest voice. */
const maxGrouped = 1500

/** Stretches of voice; a pause of a quarter of a second ends one. */
export function voiceSpans(vad: Float32Array): Seconds[] {
  return speechSpans(vad, { minSilenceMs: 250, padMs: 60 })
}

export async function tellApart(
  speech: readonly Seconds[],
  describe: DescribeVoices,
  { speakers }: { speakers?: number } = {},
): Promise<VoiceTurn[]> {
  if (speech.length === 0) return []
  const windows = speech.flatMap(windowsOf)
  const steps = stepsOf(speech)
  const all = await describe([...windows, ...steps.map((step) => step.window)])
  const raw = all.slice(0, windows.length)
  const center = centerer(raw, windows)
  const heard = all.slice(windows.length).map(center)
  const until = { likeness: windowLikeness, apart: 0 }
  let groups = group(raw.map(center), windows.map(length), until)
  let limit = turnLikeness
  for (let round = 0; round < rounds; round++) {
    const turns = turnsOf(steps, findPath(heard, groups.map(centre)), shortPauseSeconds)
    const halves = halvesOf(turns)
    const all = (await describe([...turns, ...halves])).map(center)
    const voices = all.slice(0, turns.length)
    const alike = alikeHalves(all.slice(turns.length))
    limit = turnLikeness + halvesShare * (alike - halvesLikeness)
    const weights = turns.map((turn) => Math.sqrt(Math.min(length(turn), maxTurnWeightSeconds)))
    groups = group(
      voices,
      weights,
      speakers === undefined ? { likeness: limit, apart: apartLikeness } : { count: speakers },
    )
    if (speakers === undefined) groups = withoutSmall(groups, turns, limit)
  }
  const turns = turnsOf(steps, findPath(heard, groups.map(centre)), pauseSeconds)
  const voices = (await describe(turns)).map(center)
  const sure = turns.map((turn, at) => ({
    ...turn,
    confidence: confidenceOf(turn, voices[at]!, {
      groups,
      limit,
      isCounted: speakers !== undefined,
    }),
  }))
  return inOrder(sure)
}

/** Takes off a part of what the voices of this file have in common: the room and the microphone. */
function centerer(voices: readonly Float32Array[], windows: readonly Seconds[]) {
  const total = windows.reduce((sum, window) => sum + length(window), 0)
  const shared = new Float64Array(voices[0]!.length)
  voices.forEach((voice, index) => {
    const share = (sharedPart * length(windows[index]!)) / total
    voice.forEach((value, at) => (shared[at] = shared[at]! + value * share))
  })
  return (voice: Float32Array): Float32Array => {
    const moved = voice.map((value, at) => value - shared[at]!)
    const size = Math.sqrt(product(moved, moved)) + 1e-12
    return moved.map((value) => value / size)
  }
}

/** First and second halves in turn, of turns that are long enough. */
function halvesOf(turns: readonly Turn[]): Seconds[] {
  const long = turns.filter((turn) => length(turn) >= minHalvedSeconds).slice(0, maxGrouped)
  return long.flatMap(({ start, end }) => [
    { start, end: (start + end) / 2 },
    { start: (start + end) / 2, end },
  ])
}

/** The middle likeness of the halves: of two samples that are surely one speaker. */
function alikeHalves(voices: readonly Float32Array[]): number {
  if (voices.length === 0) return halvesLikeness
  const likeness = Array.from({ length: voices.length / 2 }, (_, at) =>
    product(voices[2 * at]!, voices[2 * at + 1]!),
  )
  const sorted = likeness.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2
}

/** Groups voices; for very long speech only the heaviest, spread over the file. */
function group(
  voices: readonly Float32Array[],
  weights: readonly number[],
  until: Parameters<typeof groupVoices>[2],
): Group[] {
  const stride = Math.ceil(voices.length / maxGrouped)
  if (stride === 1) return groupVoices(voices, weights, until)
  const picked = voices.map((_, index) => index).filter((index) => index % stride === 0)
  const groups = groupVoices(
    picked.map((index) => voices[index]!),
    picked.map((index) => weights[index]!),
    until,
  )
  return groups.map((group) => ({ ...group, members: group.members.map((at) => picked[at]!) }))
}

function withoutSmall(groups: Group[], turns: readonly Turn[], limit: number): Group[] {
  const seconds = (group: Group) => group.members.reduce((sum, at) => sum + length(turns[at]!), 0)
  const large = groups.filter((group) => seconds(group) >= minSpeakerSeconds)
  const [more, less] = large.toSorted((a, b) => seconds(b) - seconds(a))
  if (!more) return groups
  const isRare = large.length === 2 && less && seconds(less) < rareShare * seconds(more)
  if (!isRare) return large
  const isTooRare = seconds(less) < tooRareShare * seconds(more)
  return isTooRare || likenessOf(more, less) >= limit - rareLikeness ? [more] : large
}

/**
 * By the weakest of: this turn's distance to others, how close its group holds, how far others are,
 * and its length. Two thirds of each make a label sure: 70 % of the speech in 396 conversations of
 * speakers that the limits were tuned with, 1.4 % of that wrong.
 */
function confidenceOf(
  turn: Turn,
  voice: Float32Array,
  { groups, limit, isCounted }: { groups: Group[]; limit: number; isCounted: boolean },
): number {
  const own = groups[turn.speaker]!
  const others = groups.filter((group) => group !== own)
  const likeness = (group: Group) => product(group.sum, voice) / group.weight
  const lead = likeness(own) - Math.max(-1, ...others.map(likeness))
  const hold = isCounted ? 1 : (own.loosest ?? limit) - limit
  const distance = isCounted
    ? 1
    : limit - Math.max(-1, ...others.map((group) => likenessOf(own, group)))
  const part = (value: number, full: number) => Math.max(0, Math.min(1, value / full))
  const parts = [
    part(lead, fullLead),
    part(hold, fullHold),
    part(distance, fullDistance),
    part(length(turn), fullSeconds),
  ]
  return Math.round((0.4 + 0.6 * Math.min(...parts)) * 100) / 100
}

function centre({ sum }: Group): Float64Array {
  const size = Math.sqrt(product(sum, sum)) + 1e-12
  return sum.map((value) => value / size)
}

function windowsOf({ start, end }: Seconds): Seconds[] {
  const rest = end - start - windowSeconds
  if (rest <= 0) return [{ start, end }]
  const count = Math.max(1, Math.round(rest / windowStepSeconds))
  return Array.from({ length: count + 1 }, (_, at) => {
    const from = start + (at * rest) / count
    return { start: from, end: from + windowSeconds }
  })
}

/** Speakers are numbered as they are first heard. */
function inOrder(turns: VoiceTurn[]): VoiceTurn[] {
  const numbers = new Map<number, number>()
  return turns.map((turn) => {
    if (!numbers.has(turn.speaker)) numbers.set(turn.speaker, numbers.size)
    return { ...turn, speaker: numbers.get(turn.speaker)! }
  })
}

function length({ start, end }: Seconds): number {
  return end - start
}
