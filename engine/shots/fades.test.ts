import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFades } from './fades.ts'
import type { Film } from './film.ts'

test('a plain picture that stays for hours is looked at to its end', () => {
  const frames = 200_000
  const mean = new Float32Array(frames).fill(16)
  // One pulse at the end: before it the brightness falls and rises by nothing.
  for (let at = 0; at < 100; at++) mean[frames - 200 + at] = 16 + 2 * at
  for (let at = 0; at < 100; at++) mean[frames - 100 + at] = 214 - 2 * at
  const film = { frames, mean, deviation: new Float32Array(frames) } as unknown as Film
  const [fade, ...more] = findFades(film, 25)
  assert.ok(fade && Math.abs(fade.start - (frames - 200)) < 3, JSON.stringify(fade))
  assert.deepEqual([fade.end > frames - 3, more], [true, []])
  // A pulse of a plain colour holds nothing that the network could classify.
  assert.equal(fade.isExplained, true)
})
