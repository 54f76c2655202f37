import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { WhisperFeatureExtractor } from '@huggingface/transformers'
import { loadWeights } from '../../models/weights.ts'
import { onnxFile, whisperSettings } from '../../models/whisper-files.ts'
import { createEncoder } from './encoder.ts'
import { createMel } from './mel.ts'

test('a short sound is heard in a short window, a longer one in a longer', async () => {
  const folder = await loadWeights('whisper-small')
  const encode = await createEncoder(
    onnxFile(folder, 'encoder_model'),
    { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 },
    80,
  )
  const positions = async (seconds: number): Promise<number | undefined> =>
    (await encode(new Float32Array(seconds * 16_000))).dims[1]
  assert.equal(await positions(4), 400)
  assert.equal(await positions(5), 750)
})

test('the model sees the sound as its publishers compute it', async () => {
  const folder = await loadWeights('whisper-small')
  const settings = await readFile(path.join(folder, whisperSettings.preprocessor), 'utf8')
  const published = new WhisperFeatureExtractor(JSON.parse(settings))
  for (const seconds of [0.7, 2]) {
    const sound = Float32Array.from({ length: seconds * 16_000 }, (_, at) => {
      return 0.3 * Math.sin(at * 0.05) + 0.1 * Math.sin(at * at * 1e-4)
    })
    const { input_features: expected } = (await published(sound, { max_length: 32_000 })) as {
      input_features: { data: Float32Array }
    }
    const found = createMel(80)(sound, 200)
    assert.equal(found.length, expected.data.length)
    for (const [at, value] of found.entries()) {
      assert.ok(Math.abs(value - expected.data[at]!) < 1e-5, `${at}`)
    }
  }
})
