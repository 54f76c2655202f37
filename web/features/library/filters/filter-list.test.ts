import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withFilter } from './filter-list.ts'

const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, filter: `q=${name}` })) as [
  { name: string; filter: string },
  { name: string; filter: string },
  { name: string; filter: string },
]

test('undoing the removal of a filter brings it back once, where it was', () => {
  assert.deepEqual(withFilter([a, c], b, 1), [a, b, c])
  // Also where the removal was not saved, and it is still there.
  assert.deepEqual(withFilter([a, b, c], b, 1), [a, b, c])
})

test('a filter saved meanwhile stays', () => {
  const d = { name: 'd', filter: 'q=d' }
  assert.deepEqual(withFilter([a, c, d], b, 1), [a, b, c, d])
})
