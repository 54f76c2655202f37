import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupWindows, lengthOf } from './group-speech.ts'

const windows = Array.from({ length: 120 }, (_, at) => ({ start: 12 * at, end: 12 * at + 10 }))

test('groups of windows keep their order, and those at the end are shorter', () => {
  assert.deepEqual(groupWindows([], 150), [])
  const groups = groupWindows(windows, 150)
  assert.deepEqual(groups.flat(), windows)
  const lengths = groups.map(lengthOf)
  assert.deepEqual(lengths.slice(0, 5), [150, 150, 150, 150, 150])
  assert.deepEqual(lengths.slice(-4), [80, 80, 80, 60])
  const short = lengths.slice(lengths.findIndex((length) => length < 150))
  assert.ok(short.reduce((sum, length) => sum + length, 0) >= 300, 'a third of the speech')
})
