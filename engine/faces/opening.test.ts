import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { clipFolder } from '../clips.testing.ts'
import { openingOf, openingsPerSecond, readOpening } from './opening.ts'

const rate = 16_000

/** A voice of 120 Hz with these resonances, as loud as any other. */
function voice(resonances: [hertz: number, width: number, gain: number][]): Float32Array {
  const tone = Float32Array.from({ length: rate / 2 }, (_, at) => {
    let sum = 0
    for (let hertz = 120; hertz < 7000; hertz += 120) {
      const gain = resonances.reduce(
        (all, [centre, width, own]) => all + own / (1 + ((hertz - centre) / width) ** 2),
        0,
      )
      sum += gain * Math.sin((2 * Math.PI * hertz * at) / rate)
    }
    return sum
  })
  const loudness = Math.sqrt(tone.reduce((sum, x) => sum + x * x, 0) / tone.length)
  return tone.map((x) => (0.1 * x) / loudness)
}

const ah = voice([
  [750, 90, 1],
  [1250, 110, 0.7],
  [2600, 160, 0.2],
])
const hum = voice([[250, 70, 1]])

test('an open vowel asks for a wider mouth than a hum that is as loud', () => {
  const samples = new Float32Array(rate * 4)
  for (let half = 0; half < 8; half++) samples.set(half % 2 === 0 ? ah : hum, (half * rate) / 2)
  const opening = openingOf(samples)
  assert.equal(opening.length, 4 * openingsPerSecond)
  const middle = (half: number) => opening[Math.round((half / 2 + 0.25) * openingsPerSecond)]!
  for (let half = 0; half < 8; half += 2) {
    assert.ok(middle(half) > middle(half + 1) + 0.05, `${middle(half)} ${middle(half + 1)}`)
  }
})

test('how loud the recording is does not matter', () => {
  const samples = new Float32Array(rate)
  samples.set(ah)
  samples.set(hum, rate / 2)
  const quiet = openingOf(samples.map((x) => x / 10))
  for (const [at, value] of openingOf(samples).entries()) {
    assert.ok(Math.abs(value - quiet[at]!) < 0.02, `${at}: ${value} ${quiet[at]}`)
  }
})

test('beyond the sound, and where it is mute, nothing is known', async (t) => {
  const file = path.join(await clipFolder(t), 'a.s16')
  const samples = Int16Array.from({ length: 2 * rate }, (_, at) => {
    return at < rate / 2 ? 0 : 20_000 * ah[at % ah.length]!
  })
  await writeFile(file, new Uint8Array(samples.buffer))
  const read = await readOpening(file, { start: -1, end: 4 })
  assert.equal(read.values.length, 5 * openingsPerSecond)
  assert.ok(Math.abs(read.from - 1.5 * openingsPerSecond) <= 1, String(read.from))
  assert.ok(Math.abs(read.to - 3 * openingsPerSecond) <= 1, String(read.to))
  await writeFile(file, new Uint8Array(2 * rate))
  const mute = await readOpening(file, { start: 0, end: 1 })
  assert.equal(mute.from, mute.to)
})
