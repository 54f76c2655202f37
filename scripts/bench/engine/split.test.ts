import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scale, simulate } from './split.ts'

const once = { prepare: 0, sound: 10, proxy: 0, voices: 0, analyseFrames: 0, join: 3 }

test('free workers take parts, and the join waits for the last', () => {
  const times = { ...once, prepare: 2, frames: [10, 10, 10], speech: [5, 5] }
  assert.deepEqual(simulate(times, 1), { wall: 55, efficiency: 1 })
  // Sound and frames, then the first speech and frames, then frames and the rest of the speech.
  assert.deepEqual(simulate(times, 2).wall, 2 + 10 + 5 + 10 + 3)
  // Enough workers for everything: prepare, sound, speech, join.
  assert.equal(simulate(times, 64).wall, 2 + 10 + 5 + 3)
})

test('frames are analysed while speech is heard', () => {
  const times = { ...once, frames: [10, 10], speech: [20, 20], analyseFrames: 15 }
  assert.equal(simulate(times, 64).wall, 10 + 20 + 3)
  assert.deepEqual(simulate(times, 1), { wall: 10 + 20 + 40 + 15 + 3, efficiency: 1 })
})

test('speech does not wait for the sound of the proxy, and the analysis of frames does', () => {
  const times = { ...once, proxy: 30, frames: [10], speech: [20], analyseFrames: 5 }
  assert.equal(simulate(times, 64).wall, 30 + 5 + 3)
  assert.equal(simulate({ ...times, analyseFrames: 0, proxy: 25 }, 64).wall, 10 + 20 + 3)
})

test('the join waits for the voices, and nothing else does', () => {
  const times = { ...once, voices: 40, frames: [10, 10], speech: [20, 20], analyseFrames: 15 }
  assert.equal(simulate(times, 64).wall, 10 + 40 + 3)
  assert.deepEqual(simulate(times, 1), { wall: 10 + 40 + 20 + 40 + 15 + 3, efficiency: 1 })
  // Sound and a picture; then voices, beside them the first speech, a frame and the analysis;
  // speech.
  assert.equal(simulate(times, 2).wall, 10 + 40 + 20 + 3)
})

test('work that is done once has a cost to begin with and one that grows', () => {
  const short = { ...once, frames: [40, 42], speech: [70, 40] }
  const long = { ...once, prepare: 1, sound: 40, join: 3 }
  const second = (start: number) => ({ start, end: start + 10 })
  const groups = [[0, 10, 20, 30, 40, 50].map(second), [60, 70, 80].map(second)]
  const times = scale({ minutes: 4, times: short, groups }, { minutes: 24, times: long })
  assert.equal(times.sound, 10 + (30 / 20) * 116)
  assert.equal(times.join, 3, 'a cost that does not grow stays what it is')
  assert.equal(times.frames.length, 60)
  // 10 s to begin with and one for each second: groups of 150 s, and of 80 s at the end.
  assert.deepEqual([times.speech[0], times.speech.at(-2)], [160, 90])
})
