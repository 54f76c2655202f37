import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupSpeech, groupWindows, lengthOf } from './group-speech.ts'

const windows = Array.from({ length: 120 }, (_, at) => ({ start: 12 * at, end: 12 * at + 10 }))

test('groups of windows keep their order, and those at the end are shorter', () => {
  const groups = groupWindows(windows, 150)
  assert.deepEqual(groups.flat(), windows)
  const lengths = groups.map(lengthOf)
  assert.deepEqual(lengths.slice(0, 5), [150, 150, 150, 150, 150])
  assert.deepEqual(lengths.slice(-4), [80, 80, 80, 60])
  const short = lengths.slice(lengths.findIndex((length) => length < 150))
  assert.ok(short.reduce((sum, length) => sum + length, 0) >= 300, 'a third of the speech')
})

test('what is listened to goes with the windows among which it begins', () => {
  const stretches = windows.map(({ start, end }) => ({ start: start - 1, end }))
  const packs = stretches.map((stretch) => ({ ...stretch, windows: [stretch] }))
  const groups = groupSpeech(windows, { stretches, packs }, 150)
  assert.deepEqual(
    groups.flatMap(({ voices }) => voices.stretches),
    stretches,
  )
  assert.deepEqual(
    groups.flatMap(({ voices }) => voices.packs),
    packs,
  )
  // What begins before a group's first window belongs to the one before, if there is one.
  assert.deepEqual(groups.map((group) => group.voices.packs.length).slice(0, 3), [16, 15, 15])
  assert.deepEqual(groupWindows([], 150), [])
})
