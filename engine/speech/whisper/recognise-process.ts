/** The process that holds a recogniser and its aligners. */
import { ownWhisper, packagedWhisper } from '../../models/whisper-folder.ts'
import { serve } from '../../processes/serve.ts'
import { canAlign, loadAligner } from '../align/align.ts'
import type { Aligner } from '../align/align.ts'
import { loadWhisper } from './whisper.ts'
import type { Recognition, WhisperModel, WhisperOptions } from './whisper.ts'

export type WindowRecognition = Recognition & { wordTimes: 'aligned' | 'model' | 'none' }

export type RecogniserMethods = {
  load: { input: { folder?: string }; output: null }
  recognise: { input: { samples: Float32Array } & WhisperOptions; output: WindowRecognition }
}

/** Whisper's attention comes later than the sound by this much (measured). */
const attentionLagSeconds = 0.16

const aligners = new Map<string, Aligner>()
let whisper: WhisperModel | undefined

serve({
  async load({ folder }: RecogniserMethods['load']['input']) {
    whisper = await loadWhisper(folder ? ownWhisper(folder) : packagedWhisper())
    return null
  },
  async recognise({ samples, ...options }: RecogniserMethods['recognise']['input']) {
    if (!whisper) throw new Error('The model was not loaded.')
    const { hasTimes } = whisper
    const heard = await whisper.recognise(samples, options)
    // Words of a translation are not what is heard.
    const aligned = options.task === 'translate' ? null : await align(samples, heard, hasTimes)
    if (aligned) return { ...heard, words: aligned, wordTimes: 'aligned' }
    if (!hasTimes) return { ...heard, wordTimes: 'none' }
    const words = heard.words.map((word) => ({
      ...word,
      start: Math.max(0, word.start - attentionLagSeconds),
      end: Math.max(0, word.end - attentionLagSeconds),
    }))
    return { ...heard, words, wordTimes: 'model' }
  },
})

async function align(samples: Float32Array, heard: Recognition, hasTimes: boolean) {
  if (heard.words.length === 0 || !canAlign(heard.language)) return null
  let aligner = aligners.get(heard.language)
  if (!aligner) {
    aligner = await loadAligner(heard.language)
    aligners.set(heard.language, aligner)
  }
  return aligner(samples, heard.words, { trustTimes: hasTimes })
}
