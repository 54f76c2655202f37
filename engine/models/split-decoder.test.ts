import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import * as ort from './onnx.ts'
import { loadDecoder } from '../speech/whisper/decoder.ts'
import { graphBytes, readGraph } from './onnx-file.ts'
import { openModel } from './session.ts'
import { int32Bytes, signWeights } from './sign-weights.ts'
import { splitDecoder } from './split-decoder.ts'
import { weightsFolder } from './weights.ts'
import { onnxFile } from './whisper-files.ts'
import { packagedWhisper } from './whisper-folder.ts'
import { slow } from '../../test/support/slow.ts'

const start = 50258

function noise(count: number): Float32Array {
  let state = 7
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state / 2 ** 31 - 1) * 0.5
  })
}

test(
  'a decoder in parts says what the exported one says, also for two hypotheses at once',
  slow,
  async () => {
    const file = onnxFile(weightsFolder('whisper-small'), 'decoder_model_merged')
    const hidden = new ort.Tensor('float32', noise(120 * 768), [1, 120, 768])
    const exported = await openModel(file)
    const past = exported.inputNames.filter((name) => name.startsWith('past_key_values'))
    const empty = new ort.Tensor('float32', new Float32Array(0), [1, 12, 0, 64])
    const tokens = [start, 50259, 50359, 50363, 440, 7]
    const whole = await exported.run({
      input_ids: new ort.Tensor('int64', BigInt64Array.from(tokens, BigInt), [1, tokens.length]),
      encoder_hidden_states: hidden,
      use_cache_branch: new ort.Tensor('bool', [false], [1]),
      ...Object.fromEntries(past.map((name) => [name, empty])),
    })
    const all = whole['logits']!.data as Float32Array
    const expected = all.subarray((tokens.length - 1) * 51_865)
    await exported.release()

    const decoder = await loadDecoder(packagedWhisper(), {
      ...{ layers: 12, heads: 12, headWidth: 64, attentionLayers: [8] },
    })
    assert.deepEqual(decoder.attentionNames, ['cross_attentions.8'])
    const listening = await decoder.listen(hidden)
    let cache: Awaited<ReturnType<typeof listening.prompt>> | null = null
    for (const token of tokens.slice(0, -1)) {
      cache = (await listening.step([{ cache, token }], { wantsLogits: false }))[0]!.cache
    }
    const other = { cache, token: 12 }
    const rows = await listening.step([{ cache, token: tokens.at(-1)! }, other], {
      wantsLogits: true,
    })
    assert.ok(likeness(rows[0]!.logits, expected) > 0.999)
    assert.ok(likeness(rows[1]!.logits, expected) < 0.999, 'the rows differ')
    assert.equal(rows[0]!.attentions[0]?.length, 12 * 120)
    const prompted = await listening.prompt(tokens.slice(0, -1))
    const after = await listening.step([{ cache: prompted, token: tokens.at(-1)! }], {
      wantsLogits: true,
    })
    assert.ok(likeness(after[0]!.logits, expected) > 0.999)
  },
)

test('an export of another build is not cut', async () => {
  const folder = weightsFolder('moonshine-base')
  const other = await readFile(path.join(folder, 'encoder_model.onnx'))
  assert.equal(
    splitDecoder(other, { layers: 12, heads: { count: 12, width: 64 }, attentions: [] }),
    null,
  )
})

test('signed weights keep their distance from zero', slow, async () => {
  const file = await readFile(onnxFile(weightsFolder('whisper-small'), 'encoder_model'))
  const before = readGraph(graphBytes(file)!).initializers
  const after = readGraph(graphBytes(signWeights(file))!).initializers
  const names = [...before.keys()].filter((name) => before.get(name)?.dataType === 2)
  const changed = names.filter((name) => after.get(name)?.dataType === 3)
  assert.ok(changed.length >= 72 * 2, `${changed.length}`)
  const weights = changed.find((name) => (before.get(name)?.raw?.length ?? 0) > 1000)!
  const zero = weights.replace('_quantized', '_zero_point')
  const [unsigned, signed] = [before, after].map((set) => ({
    weight: set.get(weights)!.raw!,
    zero: set.get(zero)!,
  }))
  const zeroByte = (unsigned!.zero.raw ?? int32Bytes(unsigned!.zero.bytes))[0]!
  for (const at of [0, 1, 999]) {
    const distance = signed!.weight.readInt8(at) - signed!.zero.raw!.readInt8(0)
    assert.equal(distance, unsigned!.weight[at]! - zeroByte)
  }
})

function likeness(a: Float32Array, b: Float32Array): number {
  let dot = 0
  let left = 0
  let right = 0
  for (const [at, value] of a.entries()) {
    dot += value * b[at]!
    left += value * value
    right += b[at]! ** 2
  }
  return dot / Math.sqrt(left * right)
}
