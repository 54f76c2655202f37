import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addedFrom, addedOptions } from './added-since.ts'

test('a number of days begins at a midnight that moves on with the days', () => {
  const monday = new Date(2026, 2, 2, 15, 30)
  assert.equal(addedFrom('1', monday), new Date(2026, 2, 2).toISOString())
  assert.equal(addedFrom('7', monday), new Date(2026, 1, 24).toISOString())
  assert.equal(addedFrom('1', new Date(2026, 2, 3, 1)), new Date(2026, 2, 3).toISOString())
})

test('a moment of an older address is kept and shown as a date; anything else is no filter', () => {
  const moment = '2026-01-05T00:00:00.000Z'
  assert.equal(addedFrom(moment, new Date()), moment)
  assert.match(addedOptions(moment).at(-1)?.[1] ?? '', /^Since .*2026/)
  assert.equal(addedFrom('yesterday', new Date()), null)
  assert.equal(addedOptions('7').length, 3)
})
