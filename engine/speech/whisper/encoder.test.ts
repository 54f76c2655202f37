import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { WhisperFeatureExtractor } from '@huggingface/transformers'
import { loadWeights } from '../../models/weights.ts'
import { onnxFile, whisperSettings } from '../../models/whisper-files.ts'
import { createEncoder } from './encoder.ts'

test('a short sound is heard in a short window, a longer one in a longer', async () => {
  const folder = await loadWeights('whisper-small')
  const settings = await readFile(path.join(folder, whisperSettings.preprocessor), 'utf8')
  const encode = createEncoder(
    onnxFile(folder, 'encoder_model'),
    { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 },
    new WhisperFeatureExtractor(JSON.parse(settings)),
  )
  const positions = async (seconds: number): Promise<number | undefined> =>
    (await encode(new Float32Array(seconds * 16_000))).dims[1]
  assert.equal(await positions(4), 400)
  assert.equal(await positions(5), 750)
})
