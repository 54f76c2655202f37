/**
 * Who speaks when in a sound file: by the microphones where each speaker has one of his own, else by
 * the voices, with the network in a process of its own. Parts of a film may listen to their stretches
 * before (`listenToVoices`).
 */
import { startModelProcess } from '../models/process.ts'
import type { Seconds } from '../speech/voice/vad.ts'
import { describePacks, listenTo, openVoices, stretchesOf, voicePacks } from './describe.ts'
import type { HeardVoices, VoicePack } from './describe.ts'
import { turnsByLevel } from './microphones.ts'
import type { HeardMicrophones } from './microphones.ts'
import { firstWindows, tellApart, voiceSpans } from './tell-apart.ts'
import type { VoiceTurn } from './tell-apart.ts'
import type { VoiceModel } from './voice-model.ts'
import type { VoiceMethods } from './voice-process.ts'

interface Watched {
  signal?: AbortSignal | undefined
  onCpu?: ((seconds: number) => void) | undefined
}

interface SpeakersInput extends Watched {
  /** Raw s16le mono 16 kHz. */
  audioFile: string
  /** Voice probability for each 512 samples. */
  vad: Float32Array
  microphones?: HeardMicrophones | null | undefined
  /** As many as were set by hand. */
  speakers?: number | undefined
  /** What parts of the film listened to; without them all of it is listened to here. */
  voices?: HeardVoices | undefined
}

export async function hearSpeakers(input: SpeakersInput): Promise<VoiceTurn[]> {
  const { audioFile, vad, speakers, microphones } = input
  const speech = voiceSpans(vad)
  if (speech.length === 0 || speakers === 1) return []
  if (microphones && !tellsByVoice(microphones.channels.length, speakers)) {
    return turnsByLevel(microphones.levels, microphones, speech)
  }
  return await withVoiceModel(input, async (model, signal) => {
    const sound = { audioFile, model, ...signal }
    const heard = input.voices ?? {
      stretches: await listenTo(stretchesOf(speech), sound),
      packs: [],
    }
    const describe = openVoices(heard, sound)
    return await tellApart(speech, describe, speakers === undefined ? {} : { speakers })
  })
}

/** Whether voices decide who speaks; else there is one speaker, or each has a microphone. */
export function tellsByVoice(microphones: number | null, speakers?: number): boolean {
  return speakers !== 1 && (microphones === null || (speakers ?? microphones) !== microphones)
}

/** What is listened to and described first, of the whole sound. */
export interface VoicePlan {
  stretches: Seconds[]
  packs: VoicePack[]
}

export function planVoices(vad: Float32Array): VoicePlan {
  const speech = voiceSpans(vad)
  return { stretches: stretchesOf(speech), packs: voicePacks(firstWindows(speech)) }
}

/** Listens to what a part of the sound holds. */
export async function listenToVoices(
  { stretches, packs }: VoicePlan,
  input: { audioFile: string; firstSample: number; signal?: AbortSignal | undefined },
): Promise<HeardVoices> {
  if (stretches.length + packs.length === 0) return { stretches: [], packs: [] }
  const { audioFile, firstSample } = input
  return await withVoiceModel(input, async (model, signal) => {
    const sound = { audioFile, firstSample, model, ...signal }
    return {
      stretches: await listenTo(stretches, sound),
      packs: await describePacks(packs, sound),
    }
  })
}

async function withVoiceModel<Result>(
  { signal, onCpu }: Watched,
  work: (model: VoiceModel, signal: { signal?: AbortSignal }) => Promise<Result>,
): Promise<Result> {
  const aborted = signal ? { signal } : {}
  const process = startModelProcess<VoiceMethods>(
    new URL('voice-process.ts', import.meta.url),
    aborted,
  )
  try {
    const model: VoiceModel = {
      describe: (windows) => process.call('describe', windows),
      listen: (samples) => process.call('listen', samples),
    }
    return await work(model, aborted)
  } finally {
    process.stop()
    onCpu?.(process.cpuSeconds())
  }
}
