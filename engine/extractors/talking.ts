/**
 * Who is talking, and who only seems to.
 *
 * - speech: turns of a voice, by silero; a pause of less than a second belongs to its turn.
 * - silence: where nothing is to be heard, by level, and no voice is; within turns too.
 * - talking: a face whose lips move while there is a voice.
 * - lip flap: lips that move as in speech without a voice: no sound at all, sound that is no voice
 *   and does not follow the mouth, or sound that follows it early or late. Where the whole file's
 *   sound is, its delay is reported.
 * - voice only: a voice while no visible mouth moves, where other pictures can be laid over.
 *
 * A false alarm makes an editor distrust every other mark, so lip flap needs more than "no speech":
 * singing, shouting and laughing are seen and heard but often not recognised as speech.
 */
import { toNumber } from '../../contract/rational.ts'
import type { FindingsOf, Span } from '../../contract/findings.ts'
import { spanOf } from '../time/clock.ts'
import type { FrameClock } from '../time/clock.ts'
import { lipsPerSecond, mouthRuns } from '../faces/lips.ts'
import type { MouthRun } from '../faces/lips.ts'
import { findShifts, followsInTime, isStranger, mayFollow } from '../faces/shift.ts'
import type { Shifts } from '../faces/shift.ts'
import { compareSync } from '../faces/lip-likeness.ts'
import type { SyncWindow } from '../faces/lip-likeness.ts'
import type { FaceTrack, FaceTracks } from '../faces/recognise-faces.ts'
import { readLevels } from '../speech/voice/levels.ts'
import { findSilence } from '../speech/voice/silence.ts'
import { onFrames, soundSpan } from '../speech/voice/spans.ts'
import { sampleRate, speechSpans, vadHop, voiceIn } from '../speech/voice/vad.ts'
import type { Seconds, SpeechOptions } from '../speech/voice/vad.ts'

export interface TalkingInput {
  clock: FrameClock
  /** Voice probability for each 512 samples, and the raw sound; both absent without a sound track. */
  vad?: Float32Array
  audioFile?: string
  samples?: number
  /** Absent without a picture. */
  faces?: FaceTracks
  signal?: AbortSignal
}

interface FaceSpan extends Seconds {
  face: string
  score: number
}

const talkingMotion = 0.012
/** Lip flap is claimed only for lips that plainly speak: wide, or less wide but busy. */
const plainSpeech = [
  { motion: 0.02, turns: 3 },
  { motion: 0.012, turns: 5 },
]
const busyReachSeconds = 5
const busyShare = 0.3
/** So long lips must speak plainly before a voice is called another's. */
const minOtherVoiceSeconds = 4
const minTalkingSeconds = 0.3
const minFlapSeconds = 0.5
/** Lips that rest for this long still speak on, if their sound is out of sync. */
const flapPauseSeconds = 1.5
const minVoiceOnlySeconds = 0.5
const minSilenceSeconds = 0.28
/** Who pauses for less than this goes on talking. */
const turnPauseMs = 1000
/** A voice that pauses for this long ends a stretch of `talking` and of `voice_only`. */
const voicePauseMs = 500
/** Added around a turn for breath and echo, as far as there is no silence. */
const airSeconds = 0.15
/** The detector reports a voice for about this long after it has ended. */
const lagSeconds = (4 * vadHop) / sampleRate
/** How a voice is heard without its pauses. */
const closeVoice = { minSilenceMs: 200, padMs: 0 }
/** A voice this faint may still be one (singing, a far speaker): no flap there. */
const faintVoice = 0.1
const faintPadMs = 250
const silentShare = 0.6
const outOfSyncScore = 0.7
const strangerScore = 0.5

export async function findTalking(input: TalkingInput): Promise<FindingsOf<'talking'>> {
  const { clock, vad, faces } = input
  const levels =
    input.audioFile && input.samples
      ? await readLevels(input.audioFile, { samples: input.samples, signal: input.signal })
      : undefined
  // Voice and level are measured in steps, the last of which may reach past the sound.
  const length = input.samples === undefined ? Infinity : input.samples / sampleRate
  const inside = (span: Seconds) => ({ ...span, end: Math.min(span.end, length) })
  const hear = (options: SpeechOptions) => (vad ? speechSpans(vad, options) : []).map(inside)
  const silence = (levels ? findSilence(levels) : []).map(inside)
  const hearTurns = (pauseMs: number) =>
    hear({ minSilenceMs: pauseMs, padMs: 0 }).map((turn) => inside(withAir(turn, silence)))
  const turns = hearTurns(turnPauseMs)
  const voice = hearTurns(voicePauseMs)
  const runs = (faces?.tracks ?? []).flatMap((track) =>
    mouthRuns(track, (frame) => toNumber(clock.timeOf(frame))),
  )
  const talking = runs.flatMap((run) => findMoving(run, voice))
  const faint = hear({ threshold: faintVoice, minSpeechMs: 100, padMs: faintPadMs })
  const sound = { vad, levels, silence, faint }
  const mouths: Mouth[] = []
  for (const run of runs) {
    const speaking = findSpeaking(run)
    const compared = joined(inOrder([...speaking, ...findBusy(run)]), 0)
    const windows =
      levels && input.audioFile ? await compareSync(run, compared, input.audioFile) : []
    input.signal?.throwIfAborted()
    mouths.push({ run, speaking, windows })
  }
  const shifts = findShifts(mouths.flatMap((mouth) => mouth.windows))
  const lipFlap = mouths.flatMap((mouth) => findFlap(mouth, sound, shifts.windows))
  const visible = withoutFlap(clock, talking, lipFlap)
  const close = hear(closeVoice)
  const spoken = turns.flatMap((turn) => withoutPauses(turn, close))
  const quiet = without(silence, onFrames(clock, spoken), minSilenceSeconds)
  return {
    speech: turns.map((span) => soundSpan(clock, span)),
    silence: quiet.map((span) => soundSpan(clock, span)),
    talking: inOrder(visible).map((one) => faceSpan(clock, one)),
    lip_flap: inOrder(lipFlap).map((one) => faceSpan(clock, one)),
    voice_only: faces
      ? without(voice, onFrames(clock, [...visible, ...lipFlap]), minVoiceOnlySeconds).map((span) =>
          soundSpan(clock, span),
        )
      : [],
    faces: (faces?.tracks ?? []).map((track) => ({
      id: track.face,
      spans: presence(clock, track, faces?.sampled ?? []),
      talking_seconds: round(
        visible
          .filter((one) => one.face === track.face)
          .reduce((sum, { start, end }) => sum + end - start, 0),
      ),
    })),
    sound_delay_seconds: shifts.delay,
    lip_sync: voice.length > 0 ? judgeLipSync(mouths, shifts) : null,
  }
}

function judgeLipSync(mouths: readonly Mouth[], shifts: Shifts): FindingsOf<'talking'>['lip_sync'] {
  const windows = mouths.flatMap((mouth) => mouth.windows)
  if (windows.length === 0) return null
  const isOff = shifts.delay !== null || shifts.windows.length > 0 || mouths.some(hasOtherVoice)
  if (isOff) return 'out_of_sync'
  return followsInTime(windows) ? 'in_sync' : 'unclear'
}

/** Widens a turn by the breath and the echo around it, up to where silence begins. */
function withAir({ start, end }: Seconds, silence: Seconds[]): Seconds {
  const from = Math.max(0, start - airSeconds)
  const to = end + airSeconds
  const before = touching(silence, { start: from, end: start }).findLast((one) => one.end <= start)
  const after = touching(silence, { start: end, end: to }).find(
    (one) => one.start >= end - lagSeconds,
  )
  return { start: before?.end ?? from, end: after?.start ?? to }
}

/** A turn without the pauses within it; before its first and after its last word it stays as it is. */
function withoutPauses(turn: Seconds, voice: Seconds[]): Seconds[] {
  const parts = touching(voice, turn)
  if (parts.length === 0) return [turn]
  return parts.map(({ start, end }, index) => ({
    start: index === 0 ? turn.start : start,
    end: index === parts.length - 1 ? turn.end : end,
  }))
}

/** Stretches of moving lips that a voice goes with. */
function findMoving(run: MouthRun, voice: Seconds[]): FaceSpan[] {
  const moving = stretches(run, (at) => run.motion[at]! >= talkingMotion + run.noise)
  return moving
    .flatMap((one) =>
      touching(voice, one).map(({ start, end }) => ({
        start: Math.max(start, one.start),
        end: Math.min(end, one.end),
      })),
    )
    .filter(({ start, end }) => end - start >= minTalkingSeconds)
    .map((span) => ({ ...span, face: run.face, score: motionScore(run, span) }))
}

/** Without a sound track there are neither probabilities nor levels. */
interface Sound {
  vad?: Float32Array
  levels?: Float32Array
  silence: Seconds[]
  /** Where a voice is at least possible. */
  faint: Seconds[]
}

/** One run with the stretches where its lips plainly speak, and what was compared with the sound. */
interface Mouth {
  run: MouthRun
  speaking: Seconds[]
  windows: SyncWindow[]
}

function findSpeaking(run: MouthRun): Seconds[] {
  return stretches(run, (at) =>
    plainSpeech.some(({ motion, turns }) => {
      return run.motion[at]! >= motion + 2 * run.noise && run.turns[at]! >= turns
    }),
  )
}

/**
 * Where the lips move for a good part of the seconds around. How they rest says as much as how they
 * move, and one who mumbles hardly ever speaks plainly.
 */
function findBusy(run: MouthRun): Seconds[] {
  const reach = Math.round(busyReachSeconds * lipsPerSecond)
  const moving = Array.from(run.motion, (motion) => motion >= talkingMotion + run.noise)
  return stretches(run, (at) => {
    const around = moving.slice(Math.max(0, at - reach), at + reach + 1)
    return around.filter(Boolean).length >= busyShare * around.length
  })
}

/** Whether what is heard is somebody else. Who is only seen to chew or to laugh is not asked. */
function hasOtherVoice({ speaking, windows }: Mouth): boolean {
  const seconds = speaking.reduce((sum, { start, end }) => sum + end - start, 0)
  return seconds >= minOtherVoiceSeconds && isStranger(windows)
}

function findFlap(mouth: Mouth, sound: Sound, shifted: SyncWindow[]): FaceSpan[] {
  const { run, speaking, windows } = mouth
  const amiss = hasOtherVoice(mouth) ? windows : windows.filter((one) => shifted.includes(one))
  const score = amiss.some((one) => shifted.includes(one)) ? outOfSyncScore : strangerScore
  const outOfSync = joined(
    speaking.filter((span) => touching(amiss, span).length > 0),
    flapPauseSeconds,
  )
  const unvoiced = without(
    without(speaking, sound.faint, minFlapSeconds),
    outOfSync,
    minFlapSeconds,
  )
  return [
    ...outOfSync.map((span) => ({ ...span, face: run.face, score })),
    ...unvoiced
      .map((span) => ({ ...span, face: run.face, score: flapScore(mouth, span, sound) }))
      .filter((span) => span.score > 0),
  ]
}

/** How sure it is that these moving lips have no voice; 0 when it cannot be told. */
function flapScore({ run, windows }: Mouth, span: Seconds, sound: Sound): number {
  const strength = motionScore(run, span)
  if (!sound.levels || !sound.vad) return round(0.6 + 0.4 * strength)
  const silent = touching(sound.silence, span)
    .map(({ start, end }) => Math.min(end, span.end) - Math.max(start, span.start))
    .reduce((sum, seconds) => sum + Math.max(0, seconds), 0)
  if (silent >= silentShare * (span.end - span.start)) return round(0.6 + 0.4 * strength)
  // There is sound. Without a voice in it and without following the mouth it belongs to others.
  const voice = voiceIn(sound.vad, { start: span.start - 0.3, end: span.end + 0.3 })
  if (voice.max >= faintVoice || mayFollow(windows)) return 0
  return round(0.3 + 0.4 * strength)
}

function motionScore(run: MouthRun, span: Seconds): number {
  const from = Math.max(0, Math.round((span.start - run.start) * lipsPerSecond))
  const to = Math.min(run.gaps.length, Math.round((span.end - run.start) * lipsPerSecond))
  let sum = 0
  for (let at = from; at < to; at++) sum += run.motion[at]!
  const mean = to > from ? sum / (to - from) : 0
  return round(Math.min(1, Math.max(0, (mean - run.noise) / 0.035)))
}

/** Where a condition holds, with breaks of up to 0.3 s bridged. */
function stretches(run: MouthRun, holds: (at: number) => boolean): Seconds[] {
  const spans: Seconds[] = []
  const time = (at: number) => run.start + at / lipsPerSecond
  for (let at = 0; at < run.gaps.length; at++) {
    if (!holds(at)) continue
    const last = spans.at(-1)
    if (last && time(at) - last.end <= 0.3) last.end = time(at + 1)
    else spans.push({ start: time(at), end: time(at + 1) })
  }
  return spans
}

function joined(spans: Seconds[], pauseSeconds: number): Seconds[] {
  const result: Seconds[] = []
  for (const span of spans) {
    const last = result.at(-1)
    if (last && span.start - last.end <= pauseSeconds) last.end = Math.max(last.end, span.end)
    else result.push({ ...span })
  }
  return result
}

/** What of the spans no other covers, where at least so many seconds are left. */
function without(spans: Seconds[], others: Seconds[], minSeconds: number): Seconds[] {
  const sorted = joined(
    others.toSorted((a, b) => a.start - b.start),
    0,
  )
  return spans.flatMap((span) => {
    const left: Seconds[] = []
    let { start } = span
    for (const other of touching(sorted, span)) {
      left.push({ start, end: other.start })
      start = Math.max(start, other.end)
    }
    left.push({ start, end: span.end })
    return left.filter((part) => part.end - part.start >= minSeconds)
  })
}

/** Those of separate spans in order that overlap this one, found by halving: files are long. */
function touching(sorted: Seconds[], span: Seconds): Seconds[] {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]!.start < span.end) low = middle + 1
    else high = middle
  }
  let first = low
  while (first > 0 && sorted[first - 1]!.end > span.start) first--
  return sorted.slice(first, low)
}

/** Lips that are reported as a flap are not reported as talking as well. */
function withoutFlap(clock: FrameClock, talking: FaceSpan[], lipFlap: FaceSpan[]): FaceSpan[] {
  return talking
    .filter((one) => !lipFlap.some((flap) => isSame(flap, one)))
    .flatMap((one) => {
      const own = lipFlap.filter((flap) => flap.face === one.face)
      return without([one], onFrames(clock, own), minTalkingSeconds).map((part) => ({
        ...one,
        ...part,
      }))
    })
}

function isSame(flap: FaceSpan, one: FaceSpan): boolean {
  const shared = Math.min(flap.end, one.end) - Math.max(flap.start, one.start)
  return flap.face === one.face && shared > (one.end - one.start) / 2
}

function inOrder<Span extends Seconds>(spans: readonly Span[]): Span[] {
  return spans.toSorted((a, b) => a.start - b.start)
}

function faceSpan(clock: FrameClock, { face, score, ...span }: FaceSpan) {
  return { ...soundSpan(clock, span), face, score }
}

/** Where a face is on the screen: unbroken runs of the frames that were looked at. */
function presence(clock: FrameClock, track: FaceTrack, sampled: number[]): Span[] {
  const step = sampled.length > 1 ? Math.max(1, sampled[1]! - sampled[0]!) : 1
  const spans: [number, number][] = []
  for (const frame of track.frames) {
    const last = spans.at(-1)
    if (last && frame - last[1] <= 3 * step) last[1] = frame + step
    else spans.push([frame, frame + step])
  }
  return spans.map(([start, end]) => spanOf(clock, start, Math.min(end, clock.frames)))
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
