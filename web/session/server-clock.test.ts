import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockOffset } from './server-clock.ts'

const noon = Date.UTC(2026, 2, 4, 12)
const header = new Date(noon).toUTCString()

test('a clock that is ten minutes late is put right by the answer', () => {
  const lateMs = noon - 600_000
  assert.equal(clockOffset(header, lateMs, lateMs + 200), 600_400)
})

test('a second of rounding is no offset, and a slow or silent answer says nothing', () => {
  assert.equal(clockOffset(header, noon, noon + 900), 0)
  assert.equal(clockOffset(header, noon - 20_000, noon), null)
  assert.equal(clockOffset(null, noon, noon), null)
})
