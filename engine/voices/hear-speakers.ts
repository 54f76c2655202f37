/**
 * Who speaks when in a sound file: by the microphones where each speaker has one of his own, else
 * by the voices, with the network in a process of its own. It needs no words: of a film, a part of
 * its own does it while others hear the speech.
 */
import { startModel } from '../models/start.ts'
import { listenTo, openVoices, stretchesOf } from './describe.ts'
import { turnsByLevel } from './microphones.ts'
import type { HeardMicrophones } from './microphones.ts'
import { tellApart, voiceSpans } from './tell-apart.ts'
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
}

export async function hearSpeakers(input: SpeakersInput): Promise<VoiceTurn[]> {
  const { audioFile, vad, speakers, microphones } = input
  const speech = voiceSpans(vad)
  if (speech.length === 0 || speakers === 1) return []
  const wearers = microphones?.channels.length
  if (microphones && (speakers ?? wearers) === wearers) {
    return turnsByLevel(microphones.levels, microphones, speech)
  }
  return await withVoiceModel(input, async (model, signal) => {
    const sound = { audioFile, model, ...signal }
    const describe = openVoices(await listenTo(stretchesOf(speech), sound), sound)
    return await tellApart(speech, describe, speakers === undefined ? {} : { speakers })
  })
}

async function withVoiceModel<Result>(
  { signal, onCpu }: Watched,
  work: (model: VoiceModel, signal: { signal?: AbortSignal }) => Promise<Result>,
): Promise<Result> {
  const aborted = signal ? { signal } : {}
  const process = startModel<VoiceMethods>(new URL('voice-process.ts', import.meta.url), aborted)
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
