import assert from 'node:assert/strict'
import test from 'node:test'
import { refusalStatus } from '../../../contract/refusal.ts'
import { errorRows } from './errors.ts'

test('the documentation names every error code with its status, and no other', () => {
  const documented = errorRows.flatMap((row) => row.codes.map((code) => [code, row.status]))
  assert.deepEqual(Object.fromEntries(documented), refusalStatus)
})
