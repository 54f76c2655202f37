/** The process that holds a recogniser and its aligners. */
import { loadWeights } from '../../models/weights.ts'
import { ownWhisper, packagedWhisper } from '../../models/whisper-folder.ts'
import { serveModel } from '../../models/serve.ts'
import { canAlign, loadAligner } from '../align/align.ts'
import type { Aligner } from '../align/align.ts'
import { loadWhisper } from './whisper.ts'
import type { Recognition, WhisperOptions } from './whisper.ts'

export type RecogniserModel = { kind: 'whisper'; folder?: string } | { kind: 'moonshine' }

export type WindowRecognition = Recognition & { wordTimes: 'aligned' | 'model' | 'none' }

export type RecogniserMethods = {
  load: { input: RecogniserModel; output: null }
  /** The language alone. */
  hear: { input: Float32Array; output: string }
  recognise: { input: { samples: Float32Array } & WhisperOptions; output: WindowRecognition }
}

type Recognise = (samples: Float32Array, options: WhisperOptions) => Promise<Recognition>

/** Whisper's attention comes later than the sound by this much (measured). */
const attentionLagSeconds = 0.16

const aligners = new Map<string, Aligner>()
let recognise: Recognise | undefined
let hear: ((samples: Float32Array) => Promise<string>) | undefined
let hasTimes = false

serveModel({
  async load(model: RecogniserModel) {
    if (model.kind === 'moonshine') {
      // Its tokens alone take longer to read than the rest of this process.
      const { loadMoonshine } = await import('./moonshine.ts')
      recognise = await loadMoonshine(await loadWeights('moonshine-base'))
      hasTimes = false
    } else {
      const { folder } = model
      const whisper = await loadWhisper(folder ? ownWhisper(folder) : packagedWhisper())
      recognise = whisper.recognise
      hear = whisper.hear
      hasTimes = whisper.hasTimes
    }
    return null
  },
  async hear(samples: Float32Array) {
    if (!hear) throw new Error('The model does not hear languages.')
    return await hear(samples)
  },
  async recognise({ samples, ...options }: RecogniserMethods['recognise']['input']) {
    if (!recognise) throw new Error('The model was not loaded.')
    const heard = await recognise(samples, options)
    // Words of a translation are not what is heard.
    const aligned = options.task === 'translate' ? null : await align(samples, heard)
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

async function align(samples: Float32Array, heard: Recognition) {
  if (heard.words.length === 0 || !canAlign(heard.language)) return null
  let aligner = aligners.get(heard.language)
  if (!aligner) {
    aligner = await loadAligner(heard.language)
    aligners.set(heard.language, aligner)
  }
  return aligner(samples, heard.words, { trustTimes: hasTimes })
}
