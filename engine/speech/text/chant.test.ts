import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isChant, maxLoopedTokens } from './chant.ts'

const perSecond = 16_000 / 512

/** Sixteen seconds with a voice in the first `seconds` of them. */
function voice(seconds: number): Float32Array {
  return new Float32Array(16 * perSecond).fill(0.95, 0, Math.round(seconds * perSecond))
}

/** Five tokens six times, then a sentence, `tokenSeconds` each. */
function chant(tokenSeconds: number) {
  const ids = [...Array.from({ length: 6 }, () => [1, 2, 3, 4, 5]).flat(), 6, 7, 8, 9, 10, 11]
  return ids.map((id, at) => ({ id, start: at * tokenSeconds }))
}

test('a chant that has a voice and time for each repeat is said', () => {
  assert.equal(isChant(chant(0.35), { end: 12.6, voice: voice(16) }), true)
})

test('a loop over silence, music or a short voice is not', () => {
  assert.equal(isChant(chant(0.35), { end: 12.6, voice: voice(0) }), false)
  assert.equal(isChant(chant(0.35), { end: 12.6, voice: voice(16).fill(0.3) }), false)
  assert.equal(isChant(chant(0.35), { end: 12.6, voice: voice(4) }), false)
})

test('a loop in no time, and one drawn over other speech, is not', () => {
  assert.equal(isChant(chant(0.05), { end: 1.8, voice: voice(16) }), false)
  const drawn = Array.from({ length: 10 }, (_, at) => ({ id: 7, start: at * 1.5 }))
  assert.equal(isChant(drawn, { end: 16, voice: voice(16) }), false)
})

test('a loop is given up when it says more than the voice has time for', () => {
  assert.equal(maxLoopedTokens(voice(16)), 128)
  assert.equal(maxLoopedTokens(voice(0)), 0)
})
