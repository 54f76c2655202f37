import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import * as ort from './onnx.ts'
import { flexEncoder } from './flexible-encoder.ts'
import { weightsFolder } from './weights.ts'
import { onnxFile } from './whisper-files.ts'
import { slow } from '../../test/support/slow.ts'

const threads = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 } as const

test('one encoder hears windows of several lengths, and gives nothing else out', slow, async () => {
  const file = await readFile(onnxFile(weightsFolder('whisper-small'), 'encoder_model'))
  const flexible = flexEncoder(file)
  assert.ok(flexible)
  const encoder = await ort.InferenceSession.create(flexible, threads)
  assert.deepEqual(encoder.outputNames, ['last_hidden_state'])
  for (const positions of [100, 30]) {
    const dims = [1, 80, positions * 2]
    const sound = new ort.Tensor('float32', new Float32Array(160 * positions).fill(0.1), dims)
    const { last_hidden_state: hidden } = await encoder.run({ input_features: sound })
    assert.deepEqual(hidden?.dims, [1, positions, 768])
  }
})

test('an encoder without a table of positions stays as it is', async () => {
  const folder = weightsFolder('moonshine-base')
  const other = await readFile(path.join(folder, 'encoder_model.onnx'))
  assert.equal(flexEncoder(other), null)
})

test('a file that ends too early is refused', () => {
  assert.throws(() => flexEncoder(Buffer.from([0x3a, 0x7f, 0x2a])), /ends too early/)
})
