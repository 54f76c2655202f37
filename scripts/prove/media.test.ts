import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveMedia } from './media.ts'
import { isWholeRun } from '../../test/support/slow.ts'

test('hostile and mutated media neither crash nor hang nor reach out', async () => {
  const files = isWholeRun ? 100 : 40
  const proof = await proveMedia({ count: files, seed: 20_251_022 })
  assert.equal(proof.files, files)
  assert.deepEqual(proof.crashes, [])
  assert.deepEqual(proof.hangs, [])
  assert.deepEqual(proof.readsOutside, [])
  assert.equal(proof.connections, 0)
  assert.ok((proof.answers.unsupported_source ?? 0) >= 25, 'the playlists are refused as such')
})
