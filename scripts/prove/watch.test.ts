import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveWatch } from './watch.ts'

test('a watcher that is killed again and again analyses every file once', async () => {
  const { jobs, exports, chargedUsd } = await proveWatch({ files: 6, kills: 3 })
  assert.deepEqual({ jobs, exports, chargedUsd }, { jobs: 6, exports: 6, chargedUsd: 0.006 })
})
