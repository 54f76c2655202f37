/**
 * Tells who speaks by the microphones, where each speaker wears one of his own.
 *
 * A voice has its own levels in all channels at once: loud in its microphone, quieter and later in
 * the others (bleed). Those differences between channels are its pattern, whatever the gain of each
 * microphone. Loud blocks of the recording are grouped by their patterns; a group that is clearly
 * louder in one channel than all other groups are there is a speaker. A mix, which has everybody at
 * one level, is nobody's channel; a stereo mix and twice the same sound have one pattern only.
 */
import type { Seconds } from '../speech/voice/vad.ts'
import type { VoiceTurn } from './tell-apart.ts'
import { levelsPerSecond } from './track-levels.ts'
import type { TrackLevels } from './track-levels.ts'

export interface Microphones {
  /** Channel of each speaker's microphone. */
  channels: number[]
  /** Levels of all channels for each speaker, around their mean, in dB. */
  patterns: Float64Array[]
  /** Gain for each speaker that brings his microphone to the level of the loudest. */
  gains: number[]
  /** Power of the noise of each channel. */
  noise: Float64Array
}

export interface HeardMicrophones extends Microphones {
  levels: TrackLevels
}

export const maxTracks = 8

const blockFrames = 10
/** Patterns count down to this much below the loudest channel; noise rules further down. */
const depthDb = 24
/** A block this far above the noise of a channel holds sound of somebody. */
const activeDb = 6
const minPower = 1e-7
/** Blocks whose patterns are further apart than this are of different places. */
const groupDb = 10
/** So much louder is a speaker in his channel than others are. */
const leadDb = 5
/** Least difference of two speakers' patterns; those of a stereo pair differ by less. */
const apartDb = 12
const minGroupSeconds = 1.2
/** The speakers alone must make up this share of what is heard: two languages talk at once. */
const minShare = 0.7
const maxBlocks = 400
const maxGainDb = 15
/** Frames around one that its pattern is taken of. */
const reachFrames = 2
/** A change of speaker must be worth so many clear frames. */
const changeCost = 8
const unclearMargin = 0.25
const minUnclearFrames = 12
const unclearConfidence = 0.5
const fullMargin = 0.5

/**
 * Finds the speakers' microphones; null if the channels are not microphones of single speakers.
 * `isVoiced` limits it to speech.
 */
export function findMicrophones(
  levels: TrackLevels,
  isVoiced: (second: number) => boolean = () => true,
): Microphones | null {
  if (levels.channels < 2 || levels.channels > maxTracks) return null
  const noise = noiseOf(levels)
  const blocks = blocksOf(levels, noise, isVoiced)
  if (blocks.length === 0) return null
  const loud = louderHalves(blocks)
  const groups = groupPatterns(loud.map((block) => block.pattern))
  const minBlocks = (minGroupSeconds / 2) * (levelsPerSecond / blockFrames)
  const stride = Math.ceil(loud.length / maxBlocks)
  const large = groups.filter((group) => group.count * stride >= minBlocks)
  const speakers = chooseSpeakers(large)
  if (speakers.length < 2) return null
  const patterns = speakers.map((speaker) => speaker.pattern)
  const clear = blocks.filter((block) => nearest(block.pattern, patterns).margin >= unclearMargin)
  if (clear.length < minShare * blocks.length) return null
  const channels = speakers.map((speaker) => speaker.channel)
  const tops = topsOf(blocks)
  const loudest = Math.max(...channels.map((channel) => tops[channel]!))
  const gains = channels.map(
    (channel) => 10 ** (Math.min(maxGainDb, loudest - tops[channel]!) / 20),
  )
  return { channels, patterns, gains, noise }
}

/** Who speaks in each stretch of speech; where two microphones are loud at once it is not sure. */
export function turnsByLevel(
  levels: TrackLevels,
  microphones: Microphones,
  speech: readonly Seconds[],
): VoiceTurn[] {
  const turns: VoiceTurn[] = []
  let last = 0
  for (const span of speech) {
    const from = Math.floor(span.start * levelsPerSecond)
    const frames = Math.max(1, Math.round((span.end - span.start) * levelsPerSecond))
    const heard = Array.from({ length: frames }, (_, at) => hearAt(levels, microphones, from + at))
    const path = findPath(heard, microphones.patterns.length, last)
    last = path.at(-1) ?? last
    for (const run of runsOf(heard, path)) {
      turns.push({
        start: span.start + run.from / levelsPerSecond,
        end: Math.min(span.end, span.start + run.to / levelsPerSecond),
        speaker: run.speaker,
        confidence: run.isUnclear ? unclearConfidence : confidenceOf(heard, run),
      })
    }
  }
  const order = [...new Set(turns.map((turn) => turn.speaker))]
  return turns.map((turn) => ({ ...turn, speaker: order.indexOf(turn.speaker) }))
}

/** The tenth part of the quietest tenths of a second. */
function noiseOf({ channels, frames, power }: TrackLevels): Float64Array {
  const each = 5
  return Float64Array.from({ length: channels }, (_, channel) => {
    const levels = new Float32Array(Math.max(1, Math.floor(frames / each)))
    for (let at = 0; at < levels.length; at++) {
      for (let frame = at * each; frame < Math.min(frames, (at + 1) * each); frame++) {
        levels[at]! += power[frame * channels + channel]! / each
      }
    }
    return levels.sort()[Math.floor(levels.length / 10)]!
  })
}

interface Block {
  pattern: Float64Array
  overNoise: number
  /** Level of each channel in dB. */
  levels: Float64Array
}

function blocksOf(
  levels: TrackLevels,
  noise: Float64Array,
  isVoiced: (second: number) => boolean,
): Block[] {
  const blocks: Block[] = []
  for (let from = 0; from + blockFrames <= levels.frames; from += blockFrames) {
    if (!isVoiced((from + blockFrames / 2) / levelsPerSecond)) continue
    const block = patternOf(levels, noise, { from, to: from + blockFrames })
    if (block.overNoise >= activeDb) blocks.push(block)
  }
  return blocks
}

/**
 * The louder half of those in which a channel is nearest to its own loudest, for each channel:
 * noise hides little of their bleed, and who speaks softly is among them too.
 */
function louderHalves(blocks: readonly Block[]): Block[] {
  const tops = topsOf(blocks)
  const byChannel = Map.groupBy(blocks, ({ levels }) => {
    const gaps = levels.map((level, channel) => level - tops[channel]!)
    return gaps.indexOf(Math.max(...gaps))
  })
  return [...byChannel.values()].flatMap((some) => {
    const heights = some.map((block) => block.overNoise).toSorted((a, b) => a - b)
    return some.filter((block) => block.overNoise >= heights[heights.length >> 1]!)
  })
}

/** How loud each channel is in its loudest twentieth: that is the voice nearest to it. */
function topsOf(blocks: readonly Block[]): number[] {
  return Array.from(blocks[0]!.levels, (_, channel) => {
    const levels = blocks.map((block) => block.levels[channel]!).toSorted((a, b) => b - a)
    return levels[Math.floor(levels.length / 20)]!
  })
}

/** Levels of a stretch around their mean, and the most that a channel is above its noise, in dB. */
function patternOf(
  { channels, frames, power }: TrackLevels,
  noise: Float64Array,
  { from, to }: { from: number; to: number },
): Block {
  const pattern = new Float64Array(channels)
  const [start, end] = [Math.max(0, from), Math.min(frames, to)]
  let overNoise = 0
  for (let channel = 0; channel < channels; channel++) {
    let sum = 0
    for (let frame = start; frame < end; frame++) sum += power[frame * channels + channel]!
    const mean = sum / Math.max(1, end - start)
    const floor = noise[channel]!
    const height = mean > minPower ? decibels(mean / (floor + minPower / 10)) : 0
    overNoise = Math.max(overNoise, height)
    pattern[channel] = decibels(Math.max(mean - floor, floor / 4, 1e-12))
  }
  const levels = pattern.slice()
  const top = Math.max(...pattern)
  let mean = 0
  for (let channel = 0; channel < channels; channel++) {
    pattern[channel] = Math.max(pattern[channel]!, top - depthDb)
    mean += pattern[channel]! / channels
  }
  return { pattern: pattern.map((level) => level - mean), overNoise, levels }
}

interface PatternGroup {
  pattern: Float64Array
  count: number
}

/** Joins the nearest two until all are far apart; at most `maxBlocks` spread over the whole. */
function groupPatterns(patterns: readonly Float64Array[]): PatternGroup[] {
  const stride = Math.ceil(patterns.length / maxBlocks)
  const groups: PatternGroup[] = patterns
    .filter((_, at) => at % stride === 0)
    .map((pattern) => ({ pattern, count: 1 }))
  for (;;) {
    let best = { distance: groupDb, first: -1, other: -1 }
    for (let first = 0; first < groups.length; first++) {
      for (let other = first + 1; other < groups.length; other++) {
        const distance = spread(groups[first]!.pattern, groups[other]!.pattern)
        if (distance < best.distance) best = { distance, first, other }
      }
    }
    if (best.first < 0) return groups
    const [a, b] = [groups[best.first]!, groups[best.other]!]
    const count = a.count + b.count
    const pattern = a.pattern.map(
      (level, at) => (level * a.count + b.pattern[at]! * b.count) / count,
    )
    groups.splice(best.other, 1)
    groups[best.first] = { pattern, count }
  }
}

/**
 * Groups that are louder in one channel than all other speakers are there. Larger ones come first,
 * so that a few moments in which two speak at once take nobody's place.
 */
function chooseSpeakers(
  groups: readonly PatternGroup[],
): { channel: number; pattern: Float64Array }[] {
  const chosen: PatternGroup[] = []
  for (const group of groups.toSorted((a, b) => b.count - a.count)) {
    const isApart = chosen.every((other) => spread(group.pattern, other.pattern) >= apartDb)
    if (isApart && leadOf(group, chosen).lead >= leadDb) chosen.push(group)
  }
  return chosen.flatMap((group) => {
    const others = chosen.filter((other) => other !== group)
    const { channel, lead } = leadOf(group, others)
    return lead >= leadDb ? [{ channel, pattern: group.pattern }] : []
  })
}

/** The channel in which a group is most above all others, and by how much. */
function leadOf(
  { pattern }: PatternGroup,
  others: readonly PatternGroup[],
): { channel: number; lead: number } {
  const leads = Array.from(pattern, (level, channel) =>
    Math.min(...others.map((other) => level - other.pattern[channel]!)),
  )
  const lead = Math.max(...leads)
  return { channel: leads.indexOf(lead), lead }
}

/** How far apart two patterns are in the two channels that differ most, in dB. */
function spread(first: Float64Array, other: Float64Array): number {
  let [low, high] = [Infinity, -Infinity]
  for (let channel = 0; channel < first.length; channel++) {
    const gap = first[channel]! - other[channel]!
    low = Math.min(low, gap)
    high = Math.max(high, gap)
  }
  return high - low
}

interface Heard {
  /** Distance to the pattern of each speaker. */
  distances: number[]
  /** How much nearer the first is than the second: 1 on its pattern, 0 between the two. */
  margin: number
  isActive: boolean
}

function nearest(
  pattern: Float64Array,
  patterns: readonly Float64Array[],
): Omit<Heard, 'isActive'> {
  const distances = patterns.map((first) => distance(first, pattern))
  const [first, second] = distances
    .map((gap, at) => ({ gap, at }))
    .toSorted((a, b) => a.gap - b.gap) as [{ gap: number; at: number }, { gap: number; at: number }]
  const whole = distance(patterns[first.at]!, patterns[second.at]!)
  return { distances, margin: (second.gap - first.gap) / Math.max(whole, 1e-9) }
}

function hearAt(levels: TrackLevels, microphones: Microphones, frame: number): Heard {
  const around = { from: frame - reachFrames, to: frame + reachFrames + 1 }
  const { pattern, overNoise } = patternOf(levels, microphones.noise, around)
  return { ...nearest(pattern, microphones.patterns), isActive: overNoise >= activeDb / 2 }
}

/** The speaker of each frame: the nearest, changing only where that is worth it. */
function findPath(heard: readonly Heard[], speakers: number, first: number): number[] {
  let costs: number[] = Array.from({ length: speakers }, (_, speaker) =>
    speaker === first ? 0 : 0.5,
  )
  const came: number[][] = []
  for (const { distances, isActive } of heard) {
    const low = Math.min(...distances)
    const scale = Math.max(1e-9, Math.max(...distances))
    const cheapest = costs.indexOf(Math.min(...costs))
    const from = costs.map((cost, speaker) =>
      cost <= costs[cheapest]! + changeCost ? speaker : cheapest,
    )
    came.push(from)
    costs = from.map(
      (before, speaker) =>
        costs[before]! +
        (before === speaker ? 0 : changeCost) +
        (isActive ? (distances[speaker]! - low) / scale : 0),
    )
  }
  let speaker = costs.indexOf(Math.min(...costs))
  const path = heard.map(() => 0)
  for (let at = heard.length - 1; at >= 0; at--) {
    path[at] = speaker
    speaker = came[at]![speaker]!
  }
  return path
}

interface Run {
  from: number
  to: number
  speaker: number
  isUnclear: boolean
}

/** Stretches of one speaker; long ones in which no microphone leads stand alone. */
function runsOf(heard: readonly Heard[], path: readonly number[]): Run[] {
  const unclear = unclearFrames(heard, path)
  const runs: Run[] = []
  for (const [at, speaker] of path.entries()) {
    const run = runs.at(-1)
    if (run?.speaker === speaker && run.isUnclear === unclear[at]) run.to = at + 1
    else runs.push({ from: at, to: at + 1, speaker, isUnclear: unclear[at]! })
  }
  return runs
}

function unclearFrames(heard: readonly Heard[], path: readonly number[]): boolean[] {
  const isClear = heard.map(({ distances, margin, isActive }, at) => {
    const isNearest = distances[path[at]!] === Math.min(...distances)
    return !isActive || (isNearest && margin >= unclearMargin)
  })
  const unclear = heard.map(() => false)
  for (let from = 0; from < heard.length; from++) {
    if (isClear[from]) continue
    let to = from
    while (to < heard.length && !isClear[to]) to++
    if (to - from >= minUnclearFrames) unclear.fill(true, from, to)
    from = to
  }
  return unclear
}

function confidenceOf(heard: readonly Heard[], { from, to, speaker }: Run): number {
  const active = heard.slice(from, to).filter((first) => first.isActive)
  const margins = active.map(({ distances, margin }) =>
    distances[speaker] === Math.min(...distances) ? margin : 0,
  )
  const mean = margins.reduce((sum, margin) => sum + margin, 0) / Math.max(1, margins.length)
  return Math.round((0.4 + 0.6 * Math.min(1, mean / fullMargin)) * 100) / 100
}

function distance(first: Float64Array, other: Float64Array): number {
  let sum = 0
  for (let at = 0; at < first.length; at++) sum += (first[at]! - other[at]!) ** 2
  return Math.sqrt(sum)
}

function decibels(power: number): number {
  return 10 * Math.log10(power)
}
