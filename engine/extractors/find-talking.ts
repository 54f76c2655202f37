/**
 * Who is talking, and who only seems to.
 *
 * - speech: turns of a voice, by silero; a pause of less than a second belongs to its turn.
 * - silence: where nothing is to be heard, by level, and no voice is; within turns too.
 * - talking: a face whose lips move while there is a voice.
 * - lip flap: lips that move as in speech, without a voice or with one that is not theirs or comes
 *   early or late (faces/lip-sync.ts). Where the whole file's sound is, its delay is reported.
 * - voice only: a voice while no visible mouth moves, where other footage can be laid over.
 */
import { toNumber } from '../../domain/time/rational.ts'
import type { FindingsOf, Span } from '../../domain/findings/findings.ts'
import { spanOf } from '../time/clock.ts'
import type { FrameClock } from '../time/clock.ts'
import { compareMouth, faintVoice, findFlap, judgeLipSync } from '../faces/lip-sync.ts'
import type { Mouth } from '../faces/lip-sync.ts'
import { motionScore, mouthRuns, stretches, talkingMotion } from '../faces/lips.ts'
import type { FaceSpan, MouthRun } from '../faces/lips.ts'
import { findShifts } from '../faces/shift.ts'
import type { FaceTrack, FaceTracks } from '../faces/recognise-faces.ts'
import { readLevels } from '../speech/voice/levels.ts'
import { inOrder, touching, without } from '../speech/voice/overlaps.ts'
import { findSilence } from '../speech/voice/silence.ts'
import { onFrames, soundSpan } from '../speech/voice/spans.ts'
import { sampleRate, speechSpans, vadHop } from '../speech/voice/vad.ts'
import type { Seconds, SpeechOptions } from '../speech/voice/vad.ts'

export interface TalkingInput {
  clock: FrameClock
  /** Voice probability for each 512 samples, and the raw sound; absent without a sound track. */
  vad?: Float32Array
  audioFile?: string
  samples?: number
  /** Absent if the media has no video. */
  faces?: FaceTracks
  signal?: AbortSignal
}

const minTalkingSeconds = 0.3
const minVoiceOnlySeconds = 0.5
const minSilenceSeconds = 0.28
/** A pause shorter than this does not end a turn. */
const turnPauseMs = 1000
/** A voice that pauses for this long ends a stretch of `talking` and of `voice_only`. */
const voicePauseMs = 500
/** Added around a turn for breath and echo, up to the nearest silence. */
const airSeconds = 0.15
/** The detector goes on reporting a voice for about this long after it has ended. */
const lagSeconds = (4 * vadHop) / sampleRate
/**
 * Voice detector options that end a span at every pause of 200 ms, to cut the pauses out of a turn.
 */
const pauseSplitting = { minSilenceMs: 200, padMs: 0 }

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
  const faint = hear(faintVoice)
  const sound = { vad, levels, silence, faint }
  const mouths: Mouth[] = []
  for (const run of runs) {
    const mouth = await compareMouth(run, levels && input.audioFile)
    input.signal?.throwIfAborted()
    mouths.push(mouth)
  }
  const shifts = findShifts(mouths.flatMap((mouth) => mouth.windows))
  const lipFlap = mouths.flatMap((mouth) => findFlap(mouth, sound, shifts.windows))
  const visible = withoutFlap(clock, talking, lipFlap)
  const close = hear(pauseSplitting)
  const spoken = turns.flatMap((turn) => withoutPauses(turn, close))
  const quiet = without(silence, onFrames(clock, spoken), minSilenceSeconds)
  return {
    speech: turns.map((span) => soundSpan(clock, span)),
    silence: quiet.map((span) => soundSpan(clock, span)),
    talking: inOrder(visible).map((item) => faceSpan(clock, item)),
    lip_flap: inOrder(lipFlap).map((item) => faceSpan(clock, item)),
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
          .filter((item) => item.face === track.face)
          .reduce((sum, { start, end }) => sum + end - start, 0),
      ),
    })),
    sound_delay_seconds: shifts.delay,
    lip_sync: voice.length > 0 ? judgeLipSync(mouths, shifts) : null,
  }
}

/** Widens a turn by the breath and the echo around it, up to where silence begins. */
function withAir({ start, end }: Seconds, silence: Seconds[]): Seconds {
  const from = Math.max(0, start - airSeconds)
  const to = end + airSeconds
  const before = touching(silence, { start: from, end: start }).findLast(
    (item) => item.end <= start,
  )
  const after = touching(silence, { start: end, end: to }).find(
    (item) => item.start >= end - lagSeconds,
  )
  return { start: before?.end ?? from, end: after?.start ?? to }
}

/** Cuts the pauses out of a turn; its start and end are kept. */
function withoutPauses(turn: Seconds, voice: Seconds[]): Seconds[] {
  const parts = touching(voice, turn)
  if (parts.length === 0) return [turn]
  return parts.map(({ start, end }, index) => ({
    start: index === 0 ? turn.start : start,
    end: index === parts.length - 1 ? turn.end : end,
  }))
}

/** Finds stretches of moving lips that coincide with a voice. */
function findMoving(run: MouthRun, voice: Seconds[]): FaceSpan[] {
  const moving = stretches(run, (at) => run.motion[at]! >= talkingMotion + run.noise)
  return moving
    .flatMap((item) =>
      touching(voice, item).map(({ start, end }) => ({
        start: Math.max(start, item.start),
        end: Math.min(end, item.end),
      })),
    )
    .filter(({ start, end }) => end - start >= minTalkingSeconds)
    .map((span) => ({ ...span, face: run.face, score: motionScore(run, span) }))
}

/** Lips that are reported as a flap are not reported as talking as well. */
function withoutFlap(clock: FrameClock, talking: FaceSpan[], lipFlap: FaceSpan[]): FaceSpan[] {
  return talking
    .filter((item) => !lipFlap.some((flap) => isSame(flap, item)))
    .flatMap((item) => {
      const own = lipFlap.filter((flap) => flap.face === item.face)
      return without([item], onFrames(clock, own), minTalkingSeconds).map((part) => ({
        ...item,
        ...part,
      }))
    })
}

function isSame(flap: FaceSpan, item: FaceSpan): boolean {
  const shared = Math.min(flap.end, item.end) - Math.max(flap.start, item.start)
  return flap.face === item.face && shared > (item.end - item.start) / 2
}

function faceSpan(clock: FrameClock, { face, score, ...span }: FaceSpan) {
  return { ...soundSpan(clock, span), face, score }
}

/** Finds when a face is on the screen: unbroken runs of the sampled frames. */
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
