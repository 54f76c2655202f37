import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { packagedWhisper } from '../../models/whisper-folder.ts'
import { createEncoder } from './encoder.ts'
import { createMel } from './mel.ts'
import { slow } from '../../../test/support/slow.ts'

test('a short sound is heard in a short window, a longer one in a longer', slow, async () => {
  const encode = await createEncoder(packagedWhisper(), { melBands: 80, heads: 12 })
  const positions = async (seconds: number): Promise<number | undefined> =>
    (await encode(new Float32Array(seconds * 16_000))).dims[1]
  assert.equal(await positions(4), 420)
  assert.equal(await positions(5), 480)
})

test('the model sees the sound as its publishers compute it', async () => {
  // Every 37th value that WhisperFeatureExtractor of @huggingface/transformers 4.3.1 gave.
  const file = path.join(import.meta.dirname, 'published-mel.json')
  const published = JSON.parse(await readFile(file, 'utf8')) as Record<string, number[]>
  for (const [seconds, values] of Object.entries(published)) {
    let state = 1
    const sound = Float32Array.from({ length: Number(seconds) * 16_000 }, (_, at) => {
      state = (state * 48_271) % 2_147_483_647
      const noise = 0.05 * (state / 2_147_483_647 - 0.5)
      return 0.3 * Math.sin(at * 0.05) + 0.1 * Math.sin(at * at * 1e-4) + noise
    })
    const mel = await createMel(80)
    const features = (await mel(sound, 200)).data as Float32Array
    assert.equal(features.length, 80 * 200)
    assert.equal(values.length, Math.ceil(features.length / 37))
    for (const [index, value] of values.entries()) {
      assert.ok(Math.abs((features[index * 37] ?? NaN) - value) < 1e-5, `${index * 37}`)
    }
  }
})
