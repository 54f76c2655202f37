import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passageKeys } from './passage-keys.ts'

test('a passage keeps its key when its first frame is trimmed, and no two have the same', () => {
  const before = [
    { rangeId: 'a', in: 5 },
    { rangeId: 'a', in: 40 },
    { rangeId: 'b', in: 5 },
  ]
  const trimmed = before.map((passage) => ({ ...passage, in: passage.in + 1 }))
  assert.deepEqual(passageKeys(trimmed), passageKeys(before))
  assert.equal(new Set(passageKeys(before)).size, 3)
})
