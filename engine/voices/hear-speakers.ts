/**
 * Who speaks when in a sound file: by the microphones where each speaker has one of his own, else by
 * the voices, with the network in a process of its own.
 */
import { startModelProcess } from '../models/process.ts'
import { openVoices } from './describe.ts'
import { turnsByLevel } from './microphones.ts'
import type { HeardMicrophones } from './microphones.ts'
import { tellApart, voiceSpans } from './tell-apart.ts'
import type { VoiceTurn } from './tell-apart.ts'
import type { VoiceModel } from './voice-model.ts'
import type { VoiceMethods } from './voice-process.ts'

export async function hearSpeakers(input: {
  /** Raw s16le mono 16 kHz. */
  audioFile: string
  /** Voice probability for each 512 samples. */
  vad: Float32Array
  microphones?: HeardMicrophones | null | undefined
  /** As many as were set by hand. */
  speakers?: number | undefined
  signal?: AbortSignal | undefined
  onCpu?: ((seconds: number) => void) | undefined
}): Promise<VoiceTurn[]> {
  const { audioFile, vad, speakers, signal } = input
  const speech = voiceSpans(vad)
  if (speech.length === 0 || speakers === 1) return []
  const { microphones } = input
  if (microphones && (speakers ?? microphones.channels.length) === microphones.channels.length) {
    return turnsByLevel(microphones.levels, microphones, speech)
  }
  const process = startModelProcess<VoiceMethods>(new URL('voice-process.ts', import.meta.url), {
    ...(signal ? { signal } : {}),
  })
  try {
    const model: VoiceModel = {
      describe: (windows) => process.call('describe', windows),
      listen: (samples) => process.call('listen', samples),
    }
    const describe = await openVoices(speech, { audioFile, model, ...(signal ? { signal } : {}) })
    return await tellApart(speech, describe, speakers === undefined ? {} : { speakers })
  } finally {
    process.stop()
    input.onCpu?.(process.cpuSeconds())
  }
}
