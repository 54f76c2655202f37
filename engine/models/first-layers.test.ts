import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import * as ort from './onnx.ts'
import { cutAfter } from './first-layers.ts'
import { weightsFolder } from './weights.ts'

const second = '/layers.1/Add_1_output_0'
const third = '/layers.2/Add_1_output_0'

test('a model that is cut puts out its early layers and runs none of the later ones', async () => {
  const folder = weightsFolder('moonshine-base')
  const file = await readFile(path.join(folder, 'encoder_model.onnx'))
  const input_values = new ort.Tensor('float32', new Float32Array(16_000).fill(0.1), [1, 16_000])
  const cut = await ort.InferenceSession.create(cutAfter(file, [second, third]))
  assert.deepEqual(cut.outputNames, [second, third])
  const output = await cut.run({ input_values })
  assert.deepEqual(output[third]!.dims, [1, 40, 416])
  const shorter = await ort.InferenceSession.create(cutAfter(file, [second]))
  const again = await shorter.run({ input_values })
  assert.deepEqual(again[second]!.data, output[second]!.data)
  assert.throws(() => cutAfter(file, ['/layers.99/Add_1_output_0']), /no value/)
})

test('weights that only later layers need are dropped from the file', async () => {
  const folder = weightsFolder('moonshine-base')
  const file = await readFile(path.join(folder, 'encoder_model.onnx'))
  const cut = cutAfter(file, [second])
  assert.ok(!cut.includes('layers.5'))
  assert.ok(cut.length < file.length / 2, `${cut.length} of ${file.length}`)
})
