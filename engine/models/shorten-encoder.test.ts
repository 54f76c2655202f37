import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import * as ort from 'onnxruntime-node'
import { shortenEncoder } from './shorten-encoder.ts'
import { loadWeights } from './weights.ts'
import { onnxFile } from './whisper-files.ts'

const threads = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 } as const

test('a shortened encoder hears a window of its length, and gives nothing else out', async () => {
  const file = await readFile(onnxFile(await loadWeights('whisper-small'), 'encoder_model'))
  const short = shortenEncoder(file, 100)
  assert.ok(short)
  assert.ok(short.length < file.length)
  const encoder = await ort.InferenceSession.create(short, threads)
  assert.deepEqual(encoder.outputNames, ['last_hidden_state'])
  const sound = new ort.Tensor('float32', new Float32Array(80 * 200).fill(0.1), [1, 80, 200])
  const { last_hidden_state: hidden } = await encoder.run({ input_features: sound })
  assert.deepEqual(hidden?.dims, [1, 100, 768])
  assert.equal(shortenEncoder(file, 1501), null, 'a table cannot grow')
})

test('what has no table of positions is left as it is', async () => {
  const folder = await loadWeights('moonshine-base')
  const other = await readFile(path.join(folder, 'encoder_model.onnx'))
  assert.equal(shortenEncoder(other, 100), null)
})

test('a file that ends too early is refused', () => {
  assert.throws(() => shortenEncoder(Buffer.from([0x3a, 0x7f, 0x2a]), 100), /ends too early/)
})
