import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { clipFolder } from '../clips.testing.ts'
import { checkSum, loadWeights } from './weights.ts'

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
