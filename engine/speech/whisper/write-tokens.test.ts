import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { weightsFolder } from '../../models/weights.ts'
import { tokenBytes, tokensById } from './tokens.ts'
import { createTokenWriter } from './write-tokens.ts'

test('text becomes the tokens that Whisper was trained with', async () => {
  const folder = weightsFolder('whisper-small')
  const vocabulary = JSON.parse(await readFile(path.join(folder, 'vocab.json'), 'utf8'))
  const tokens = tokensById(vocabulary, 50_257)
  const write = createTokenWriter(tokens)
  const text = " Anna O'Neil, Zürich 2049: don't – 東京!"
  const ids = write(text)
  assert.equal(Buffer.concat(ids.map((id) => tokenBytes(tokens[id]!))).toString(), text)
  // As the published tokeniser writes it.
  assert.deepEqual(
    ids,
    [
      12_899, 422, 6, 15_496, 388, 11, 1176, 1655, 480, 945, 14_938, 25, 500, 380, 1662, 220,
      18_413, 31_375, 0,
    ],
  )
})
