import assert from 'node:assert/strict'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import * as ort from './onnx.ts'
import { clipFolder } from '../clips.testing.ts'
import { keepModels } from './keep-models.ts'
import { optimisedOptions, optimiseModel, optimiserKey } from './optimise.ts'
import { bandCount } from '../voices/spectra.ts'
import { openModel } from './session.ts'
import { weightsFolder } from './weights.ts'

async function readVoices(): Promise<Buffer> {
  return await readFile(path.join(weightsFolder('voices'), 'voices.onnx'))
}

async function run(session: ort.InferenceSession) {
  const frames = 100
  const size = (bandCount + 1) * frames
  const spectra = Float32Array.from({ length: size }, (_, at) => Math.sin(at * at))
  const input = new ort.Tensor('float32', spectra, [1, bandCount + 1, frames])
  const output = await session.run({ spectra: input })
  return [output['frames']!.data, output['weights']!.data]
}

test('an optimised model gives the same numbers, with its weights in a file beside it', async (t) => {
  const folder = await clipFolder(t)
  const model = await readVoices()
  const file = path.join(folder, 'model')
  await optimiseModel(model, file)
  assert.deepEqual((await readdir(folder)).toSorted(), ['model', 'model.weights'])
  assert.ok((await stat(file)).size < (await stat(`${file}.weights`)).size)
  const expected = await run(await openModel(model))
  assert.deepEqual(await run(await openModel(file, optimisedOptions)), expected)
})

test('a model that cannot be opened from what was written is refused', async (t) => {
  const folder = await clipFolder(t)
  const silero = path.join(weightsFolder('silero-v6'), 'silero_vad_v6.onnx')
  const model = await readFile(silero)
  await assert.rejects(optimiseModel(model, path.join(folder, 'model')), /invalid model/)
  const key = { name: 'silero', madeFrom: 'sum', options: {} }
  const make = () => Promise.resolve({ models: { voice: model }, about: {} })
  const home = path.join(folder, 'kept')
  const prepared = await keepModels(key, make, { folder: home })
  assert.ok(await prepared!.open('voice'))
  assert.deepEqual(await readdir(home), [])
})

test('models are optimised for the processor alone', (t) => {
  t.after(() => delete process.env['ONNX_PROVIDER'])
  assert.notEqual(optimiserKey(), null)
  process.env['ONNX_PROVIDER'] = 'cuda'
  assert.equal(optimiserKey(), null)
})

test('a kept model is opened from its file, and made again where that was taken away', async (t) => {
  const folder = await clipFolder(t)
  const key = { name: 'voices', madeFrom: 'sum', options: {} }
  let times = 0
  const make = async () => {
    times += 1
    return { models: { voice: await readVoices() }, about: { bandCount } }
  }
  const first = await keepModels(key, make, { folder })
  const expected = await run(await first!.open('voice'))
  const kept = await keepModels(key, make, { folder })
  assert.deepEqual(kept!.about, { bandCount })
  assert.deepEqual(await run(await kept!.open('voice')), expected)
  assert.equal(times, 1)
  const [home] = await readdir(folder)
  await rm(path.join(folder, home!), { recursive: true })
  assert.deepEqual(await run(await kept!.open('voice')), expected)
  assert.equal(times, 2)
})
