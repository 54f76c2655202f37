import assert from 'node:assert/strict'
import { cp, mkdir, rename, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { clipFolder } from '../clips.testing.ts'
import { extractorVersion } from '../extractors/registry.ts'
import { modelFingerprint } from './whisper-files.ts'

async function makeModel(folder: string): Promise<string> {
  await mkdir(path.join(folder, 'onnx'), { recursive: true })
  await writeFile(path.join(folder, 'config.json'), '{}')
  await writeFile(path.join(folder, 'onnx/encoder_model.onnx'), 'weights one')
  return folder
}

test('a model is known by its bytes, wherever it lies and whenever it was copied', async (t) => {
  const folder = await clipFolder(t)
  const here = await makeModel(path.join(folder, 'here'))
  const there = path.join(folder, 'there')
  await cp(here, there, { recursive: true })
  await utimes(path.join(there, 'onnx/encoder_model.onnx'), 1, 1)
  await writeFile(path.join(there, 'README.md'), 'not read by the model')
  assert.equal(await modelFingerprint(there), await modelFingerprint(here))
})

test('weights that change under the same name and size give another fingerprint', async (t) => {
  const model = await makeModel(await clipFolder(t))
  const before = await modelFingerprint(model)
  const file = path.join(model, 'onnx/encoder_model.onnx')
  await writeFile(file, 'weights two')
  await utimes(file, 5, 5)
  const after = await modelFingerprint(model)
  assert.notEqual(after, before)
  await rename(file, path.join(model, 'onnx/encoder_model_quantized.onnx'))
  assert.notEqual(await modelFingerprint(model), after, 'another variant would be loaded')
})

test("one's own model and vocabulary are part of the version of what rests on words, and of nothing else", async (t) => {
  const speechModelDir = await makeModel(await clipFolder(t))
  for (const id of ['transcription', 'cutpoints'] as const) {
    const packaged = await extractorVersion(id, { speechModelDir: null })
    const own = await extractorVersion(id, { speechModelDir })
    assert.equal(own, `${packaged}+${await modelFingerprint(speechModelDir)}`)
    const words = await extractorVersion(id, { speechModelDir: null, vocabulary: ['Zoë'] })
    const others = await extractorVersion(id, { speechModelDir: null, vocabulary: ['Zoe'] })
    assert.ok(words.startsWith(`${packaged}+words-`) && words !== others)
  }
  for (const id of ['ffprobe', 'thumbnail', 'shots', 'talking'] as const) {
    const packaged = await extractorVersion(id, { speechModelDir: null })
    const settings = { speechModelDir, vocabulary: ['Zoë'] }
    assert.equal(await extractorVersion(id, settings), packaged)
  }
})
