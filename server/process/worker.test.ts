import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { testEnvironment } from '../../test/support/app.ts'

test('a worker ends at once where its models cannot run as they should, and names the setting', async () => {
  const env = {
    ...{ ...process.env, ...testEnvironment, LOG_LEVEL: 'info' },
    ...{ DATABASE_URL: 'postgres://localhost/none', ONNX_PROVIDER: 'abacus' },
  }
  const worker = path.join(import.meta.dirname, 'worker.ts')
  await assert.rejects(
    promisify(execFile)(process.execPath, [worker], { env, timeout: 60_000 }),
    (failure: { code: number; stderr: string }) => {
      assert.match(failure.stderr, /ONNX_PROVIDER cannot be used\. There is no "abacus"/)
      return failure.code === 1
    },
  )
})
