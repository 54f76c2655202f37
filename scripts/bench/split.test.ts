import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulate } from './split.ts'

test('free workers take parts, and the join waits for the last', () => {
  const parts = { pictures: [10, 10, 10], speech: [5, 5] }
  const times = { prepare: 2, sound: 10, ...parts, judge: 0, join: 3 }
  assert.deepEqual(simulate(times, 1), { wall: 55, efficiency: 1 })
  // Sound and pictures, then pictures and pictures, then both groups of speech.
  assert.deepEqual(simulate(times, 2).wall, 2 + 10 + 10 + 5 + 3)
  // Enough workers for everything: prepare, sound, speech, join.
  assert.equal(simulate(times, 64).wall, 2 + 10 + 5 + 3)
})

test('pictures are judged while speech is heard', () => {
  const parts = { pictures: [10, 10], speech: [20, 20] }
  const times = { prepare: 0, sound: 10, ...parts, judge: 15, join: 3 }
  assert.equal(simulate(times, 64).wall, 10 + 20 + 3)
  assert.deepEqual(simulate(times, 1), { wall: 10 + 20 + 40 + 15 + 3, efficiency: 1 })
})
