/** The process that holds silero. Its state runs through the whole file, so it is fed in order. */
import path from 'node:path'
import * as ort from '../../models/onnx.ts'
import { serve } from '../../processes/serve.ts'
import { openModel } from '../../models/session.ts'
import { loadWeights } from '../../models/weights.ts'

export type VadMethods = {
  push: { input: Int16Array; output: null }
  finish: { input: null; output: Float32Array }
}

const hop = 512
const context = 64

const folder = await loadWeights('silero-v6')
const session = await openModel(path.join(folder, 'silero_vad_v6.onnx'))
const rate = new ort.Tensor('int64', BigInt64Array.of(16_000n), [])
let state = new ort.Tensor('float32', new Float32Array(256), [2, 1, 128])
/** The model sees 64 samples of the past before each new 512. */
const input = new Float32Array(context + hop)
let filled = 0
let probabilities = new Float32Array(1 << 12)
let count = 0

serve({
  async push(samples: Int16Array) {
    for (const sample of samples) {
      input[context + filled++] = sample / 32768
      if (filled === hop) await judge()
    }
    return null
  },
  async finish() {
    if (filled > 0) {
      input.fill(0, context + filled)
      await judge()
    }
    return probabilities.slice(0, count)
  },
})

async function judge(): Promise<void> {
  const tensor = new ort.Tensor('float32', input.slice(), [1, context + hop])
  const output = await session.run({ input: tensor, state, sr: rate })
  state = output['stateN'] as typeof state
  if (count === probabilities.length) {
    const larger = new Float32Array(count * 2)
    larger.set(probabilities)
    probabilities = larger
  }
  probabilities[count++] = (output['output']!.data as Float32Array)[0]!
  input.copyWithin(0, hop)
  filled = 0
}
