/**
 * Lips that do not fit the sound: whether a file is in sync, and where its lips flap.
 *
 * - lip sync: whether the sound follows the lips of a file without delay; unclear where too few of
 *   them speak to tell.
 * - lip flap: lips that move as in speech without a voice: no sound at all, sound that is no voice
 *   and does not follow the mouth, or sound that follows it early or late.
 *
 * A false alarm makes an editor distrust every other mark, so lip flap needs more than "no speech":
 * singing, shouting and laughing are seen and heard but often not recognised as speech.
 */
import type { FindingsOf } from '../../domain/findings/findings.ts'
import { inOrder, joined, touching, without } from '../speech/voice/overlaps.ts'
import { voiceIn } from '../speech/voice/vad.ts'
import type { Seconds } from '../speech/voice/vad.ts'
import { compareSync } from './lip-likeness.ts'
import type { SyncWindow } from './lip-likeness.ts'
import { lipsPerSecond, motionScore, roundScore, stretches, talkingMotion } from './lips.ts'
import type { FaceSpan, MouthRun } from './lips.ts'
import { followsInTime, isStranger, mayFollow } from './shift.ts'
import type { Shifts } from './shift.ts'

/** Without a sound track, both probabilities and levels are missing. */
interface Sound {
  vad?: Float32Array
  levels?: Float32Array
  silence: Seconds[]
  /** Stretches in which a voice is at least possible. */
  faint: Seconds[]
}

/** A run, the stretches in which its lips clearly speak, and windows to compare with the sound. */
export interface Mouth {
  run: MouthRun
  speaking: Seconds[]
  windows: SyncWindow[]
}

/** Lip flap is claimed only for lips that plainly speak: wide, or less wide but busy. */
const plainSpeech = [
  { motion: 0.02, turns: 3 },
  { motion: 0.012, turns: 5 },
]
const busyReachSeconds = 5
const busyShare = 0.3
/** Lips must clearly speak for this long before a voice is attributed to somebody else. */
const minOtherVoiceSeconds = 4
const minFlapSeconds = 0.5
/** Lips may rest for this long and still count as speaking if their sound is out of sync. */
const flapPauseSeconds = 1.5
/** A voice this faint may still be one (singing, a far speaker): no flap there. */
export const faintVoice = { threshold: 0.1, minSpeechMs: 100, padMs: 250 }
const silentShare = 0.6
const outOfSyncScore = 0.7
const strangerScore = 0.5

/** Compares the lips with the sound; no windows if there is no sound. */
export async function compareMouth(run: MouthRun, audioFile: string | undefined): Promise<Mouth> {
  const speaking = findSpeaking(run)
  const compared = joined(inOrder([...speaking, ...findBusy(run)]), 0)
  const windows = audioFile ? await compareSync(run, compared, audioFile) : []
  return { run, speaking, windows }
}

export function judgeLipSync(
  mouths: readonly Mouth[],
  shifts: Shifts,
): FindingsOf<'talking'>['lip_sync'] {
  const windows = mouths.flatMap((mouth) => mouth.windows)
  if (windows.length === 0) return null
  const isOff = shifts.delay !== null || shifts.windows.length > 0 || mouths.some(hasOtherVoice)
  if (isOff) return 'out_of_sync'
  return followsInTime(windows) ? 'in_sync' : 'unclear'
}

export function findFlap(mouth: Mouth, sound: Sound, shifted: SyncWindow[]): FaceSpan[] {
  const { run, speaking, windows } = mouth
  const amiss = hasOtherVoice(mouth)
    ? windows
    : windows.filter((window) => shifted.includes(window))
  const score = amiss.some((window) => shifted.includes(window)) ? outOfSyncScore : strangerScore
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

/** Scores the claim that moving lips have no voice; 0 if the sound is inconclusive. */
function flapScore({ run, windows }: Mouth, span: Seconds, sound: Sound): number {
  const strength = motionScore(run, span)
  if (!sound.levels || !sound.vad) return roundScore(0.6 + 0.4 * strength)
  const silent = touching(sound.silence, span)
    .map(({ start, end }) => Math.min(end, span.end) - Math.max(start, span.start))
    .reduce((sum, seconds) => sum + Math.max(0, seconds), 0)
  if (silent >= silentShare * (span.end - span.start)) return roundScore(0.6 + 0.4 * strength)
  // There is sound. If it has no voice and does not follow the mouth, it belongs to others.
  const voice = voiceIn(sound.vad, { start: span.start - 0.3, end: span.end + 0.3 })
  if (voice.max >= faintVoice.threshold || mayFollow(windows)) return 0
  return roundScore(0.3 + 0.4 * strength)
}

/** True if the voice is somebody else's. Mouths that only chew or laugh are not considered. */
function hasOtherVoice({ speaking, windows }: Mouth): boolean {
  const seconds = speaking.reduce((sum, { start, end }) => sum + end - start, 0)
  return seconds >= minOtherVoiceSeconds && isStranger(windows)
}

function findSpeaking(run: MouthRun): Seconds[] {
  return stretches(run, (at) =>
    plainSpeech.some(({ motion, turns }) => {
      return run.motion[at]! >= motion + 2 * run.noise && run.turns[at]! >= turns
    }),
  )
}

/**
 * Finds where the lips move for much of the surrounding seconds. Rests count as much as movement,
 * since one who mumbles hardly ever speaks clearly.
 */
function findBusy(run: MouthRun): Seconds[] {
  const reach = Math.round(busyReachSeconds * lipsPerSecond)
  const moving = Array.from(run.motion, (motion) => motion >= talkingMotion + run.noise)
  return stretches(run, (at) => {
    const around = moving.slice(Math.max(0, at - reach), at + reach + 1)
    return around.filter(Boolean).length >= busyShare * around.length
  })
}
