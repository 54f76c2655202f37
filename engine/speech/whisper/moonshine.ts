/** Moonshine base: English only, five times as fast as Whisper-small, a little less exact. */
import path from 'node:path'
import llamaTokenizer from 'llama-tokenizer-js'
import * as ort from '../../models/onnx.ts'
import { openModel } from '../../models/session.ts'
import { loopStart } from '../text/reject-invented.ts'
import { logSum } from './log-sum.ts'
import type { Recognition } from './whisper.ts'
import type { RecognisedWord } from './tokens.ts'

const layers = 8
const heads = 8
const headWidth = 52
const startToken = 1
const endToken = 2
/** Speech has fewer than this; more is a loop. */
const tokensPerSecond = 6.5

export async function loadMoonshine(
  folder: string,
): Promise<(samples: Float32Array) => Promise<Recognition>> {
  const encoder = await openModel(path.join(folder, 'encoder_model.onnx'))
  const decoder = await openModel(path.join(folder, 'decoder_model_merged.onnx'))
  return async (samples) => {
    const input = new ort.Tensor('float32', samples, [1, samples.length])
    const { last_hidden_state: hidden } = await encoder.run({ input_values: input })
    if (!hidden) throw new Error('The encoder gave nothing.')
    const limit = Math.ceil((samples.length / 16_000) * tokensPerSecond) + 5
    const { ids, logProbabilities } = await decode(decoder, hidden, limit)
    const loop = loopStart(ids)
    const kept = loop < 0 ? ids.length : loop
    const sum = logProbabilities.slice(0, kept).reduce((total, value) => total + value, 0)
    return {
      language: 'en',
      languages: [{ language: 'en', probability: 1 }],
      noSpeech: 0,
      meanLogProbability: kept > 0 ? sum / kept : 0,
      looped: loop >= 0,
      words: wordsOf(ids.slice(0, kept), logProbabilities, samples.length / 16_000),
    }
  }
}

async function decode(
  decoder: ort.InferenceSession,
  hidden: ort.Tensor,
  limit: number,
): Promise<{ ids: number[]; logProbabilities: number[] }> {
  const past: Record<string, ort.Tensor> = {}
  for (let layer = 0; layer < layers; layer++) {
    for (const name of ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value']) {
      const empty = new Float32Array(0)
      past[`past_key_values.${layer}.${name}`] = new ort.Tensor('float32', empty, [
        0,
        heads,
        1,
        headWidth,
      ])
    }
  }
  const ids: number[] = []
  const logProbabilities: number[] = []
  let token = startToken
  for (let step = 0; step < limit; step++) {
    const output = await decoder.run({
      input_ids: new ort.Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
      encoder_hidden_states: hidden,
      use_cache_branch: new ort.Tensor('bool', [step > 0], [1]),
      ...past,
    })
    const logits = output['logits']!.data as Float32Array
    let best = 0
    for (let id = 1; id < logits.length; id++) if (logits[id]! > logits[best]!) best = id
    if (best === endToken) break
    ids.push(best)
    logProbabilities.push(logits[best]! - logSum(logits, logits[best]!))
    if (loopStart(ids) >= 0) break
    token = best
    for (const name of Object.keys(past)) {
      if (step === 0 || name.includes('decoder')) {
        past[name] = output[name.replace('past_key_values', 'present')]!
      }
    }
  }
  return { ids, logProbabilities }
}

/**
 * SentencePiece marks the start of a word with "▁". The model has no times, so words are spread by
 * their length until the aligner places them.
 */
function wordsOf(ids: number[], logs: number[], seconds: number): RecognisedWord[] {
  const words: { ids: number[]; logs: number[] }[] = []
  for (const [index, id] of ids.entries()) {
    const isStart = llamaTokenizer.vocabById[id]?.startsWith('▁') ?? false
    if (isStart || words.length === 0) words.push({ ids: [], logs: [] })
    words.at(-1)!.ids.push(id)
    words.at(-1)!.logs.push(logs[index]!)
  }
  const texts = words.map((word) => llamaTokenizer.decode(word.ids, false, false).trim())
  const length = texts.reduce((sum, text) => sum + text.length + 1, 0) || 1
  let at = 0
  const result: RecognisedWord[] = []
  for (const [index, text] of texts.entries()) {
    const start = (at / length) * seconds
    at += text.length + 1
    if (!text) continue
    const { logs: own } = words[index]!
    const mean = own.reduce((sum, value) => sum + value, 0) / own.length
    result.push({ text, start, end: (at / length) * seconds, confidence: Math.exp(mean) })
  }
  return result
}
