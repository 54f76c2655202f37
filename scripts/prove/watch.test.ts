import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveWatch } from './watch.ts'
import { slow } from '../../test/support/slow.ts'

test('a watcher that is killed again and again analyses every file once', slow, async () => {
  const files = 6
  const { jobs, exports, chargedUsd } = await proveWatch({ files, kills: 3 })
  assert.deepEqual(
    { jobs, exports, chargedUsd },
    { jobs: files, exports: files, chargedUsd: files / 1000 },
  )
})
