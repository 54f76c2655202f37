import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amplify, createLoudness } from './loudness.ts'

/** A tone of ten seconds. */
function tone(peak: number): Int16Array {
  return Int16Array.from({ length: 160_000 }, (_, at) => Math.round(peak * Math.sin(at / 5)))
}

function gainOf(...sounds: Int16Array[]): number {
  const loudness = createLoudness()
  for (const sound of sounds) {
    for (let at = 0; at < sound.length; at += 1237) loudness.push(sound.subarray(at, at + 1237))
  }
  return loudness.missingGain()
}

test('only a very quiet recording lacks a gain, and never more than 40 dB', () => {
  assert.equal(gainOf(tone(20_000)), 1)
  assert.equal(gainOf(tone(1000)), 1)
  assert.ok(Math.abs(gainOf(tone(323)) - 25.5) < 0.1)
  assert.equal(gainOf(tone(14)), 100)
})

test('a clap in a quiet recording does not count, a sentence in a silent hour does', () => {
  assert.ok(gainOf(tone(100), tone(30_000).subarray(0, 4000)) > 50)
  assert.equal(gainOf(new Int16Array(600 * 16_000), tone(10_000).subarray(0, 16_000)), 1)
})

test('silence and the noise of the conversion stay as they are', () => {
  assert.equal(gainOf(), 1)
  assert.equal(gainOf(new Int16Array(16_000)), 1)
  assert.equal(gainOf(tone(1)), 1)
})

test('amplified samples stay within the scale', () => {
  const samples = Int16Array.of(3, -3, 30_000, -30_000)
  amplify(samples, 2)
  assert.deepEqual([...samples], [6, -6, 32_767, -32_768])
})
