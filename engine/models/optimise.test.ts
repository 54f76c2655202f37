import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import * as ort from 'onnxruntime-node'
import { clipFolder } from '../clips.testing.ts'
import { optimisedOptions, optimiseModel, optimiserKey } from './optimise.ts'
import { openModel } from './session.ts'
import { loadWeights } from './weights.ts'

test('an optimised model gives the same numbers, and leaves no passing file', async (t) => {
  const folder = await clipFolder(t)
  const file = path.join(await loadWeights('silero-v6'), 'silero_vad_v6.onnx')
  const model = await readFile(file)
  const optimised = await optimiseModel(model, folder)
  assert.notDeepEqual(optimised, model)
  assert.deepEqual(await readdir(folder), [])
  const sound = Float32Array.from({ length: 576 }, (_, at) => Math.sin(at * at))
  const run = async (session: ort.InferenceSession) => {
    const output = await session.run({
      input: new ort.Tensor('float32', sound, [1, 576]),
      state: new ort.Tensor('float32', new Float32Array(256), [2, 1, 128]),
      sr: new ort.Tensor('int64', BigInt64Array.of(16_000n), []),
    })
    return [output['output']!.data, output['stateN']!.data]
  }
  const expected = await run(await openModel(model))
  assert.deepEqual(await run(await openModel(optimised, optimisedOptions)), expected)
})

test('models are optimised for the processor alone', (t) => {
  t.after(() => delete process.env['ONNX_PROVIDER'])
  assert.notEqual(optimiserKey(), null)
  process.env['ONNX_PROVIDER'] = 'cuda'
  assert.equal(optimiserKey(), null)
})
