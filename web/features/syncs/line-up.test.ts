import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareSounds, hardSound, onsetOf } from './line-up.ts'

const rate = 48_000

/** Noise without a pattern of its own, the same on every run. */
function noise(length: number, seed = 7): Float32Array {
  let state = seed
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0
    return (state >> 8) / 2 ** 23
  }).map((sample, at, all) => (sample + (all[at - 1] ?? 0) + (all[at - 2] ?? 0)) / 3)
}

test('the lag between two sounds is linedUp to a hundredth of a frame', () => {
  const sound = noise(40_000)
  for (const lag of [-1900, -480, 0, 96, 1920]) {
    const reference = sound.slice(10_000, 10_000 + 23_040)
    const track = sound.slice(10_000 - lag, 10_000 - lag + 23_040)
    const linedUp = compareSounds(track, reference, { rate, maxLag: 0.08 })
    assert.ok(Math.abs(linedUp.lag * rate - lag) <= 4, `${lag}: ${linedUp.lag * rate}`)
    assert.ok(linedUp.likeness > 0.9)
  }
  const stranger = compareSounds(noise(23_040, 99), sound.slice(0, 23_040), {
    rate,
    maxLag: 0.08,
  })
  assert.ok(stranger.likeness < 0.3, `${stranger.likeness}`)
})

test('a hard sound is the steepest rise of the range, and sets in at its sample', () => {
  const levels = new Uint8Array(500).fill(20)
  levels[120] = 255
  levels[300] = 90
  assert.equal(hardSound(levels, 10, { start: 0, end: 10 }), 2.4)
  assert.equal(hardSound(levels, 10, { start: 4, end: 10 }), 6)
  assert.equal(hardSound(new Uint8Array(500), 10, { start: 0, end: 10 }), null)
  const samples = new Float32Array(4800)
  samples.fill(0.8, 2016)
  assert.equal(onsetOf(samples, rate), 2016)
})
