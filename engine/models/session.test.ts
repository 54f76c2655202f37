import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { openModel, providerProblem } from './session.ts'
import { modelEnvironment } from './settings.ts'
import { loadWeights } from './weights.ts'

test('models run on the processor unless another provider is named, and one that is missing is said', async (t) => {
  t.after(() => delete process.env['ONNX_PROVIDER'])
  assert.equal(await providerProblem(), null)
  assert.deepEqual(modelEnvironment(), {})
  process.env['ONNX_PROVIDER'] = 'abacus'
  assert.match((await providerProblem()) ?? '', /^There is no "abacus"\. .*\bcpu\b/)
  assert.equal(modelEnvironment()['ONNX_PROVIDER'], 'abacus')
  const model = path.join(await loadWeights('silero-v6'), 'silero_vad_v6.onnx')
  await assert.rejects(openModel(model), /abacus/)
})
