import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveWatch } from './watch.ts'
import { isWholeRun } from '../../test/support/slow.ts'

test('a watcher that is killed again and again analyses every file once', async () => {
  const files = isWholeRun ? 6 : 3
  const { jobs, exports, chargedUsd } = await proveWatch({ files, kills: isWholeRun ? 3 : 1 })
  assert.deepEqual(
    { jobs, exports, chargedUsd },
    { jobs: files, exports: files, chargedUsd: files / 1000 },
  )
})
