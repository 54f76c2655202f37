/** Synthetic recordings of known offset and drift; `npm run lab -- sync` measures speech. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { fftOf } from './fft.ts'
import { groupItems } from './group.ts'
import { matchSounds, minPeakOverNoise } from './match.ts'
import { soundInMemory, soundRate } from './sound.ts'
import type { Sound } from './sound.ts'
import { isWholeRun, slow } from '../../test/support/slow.ts'
import { seeded } from '../../test/support/random.ts'

/** Syllables of coloured noise with pauses between them. */
function scene(seconds: number, seed: number): Float64Array {
  const random = seeded(seed)
  const samples = new Float64Array(Math.round(seconds * soundRate))
  let [level, target, colour, smooth, left] = [0, 0, 0.5, 0, 0]
  for (let at = 0; at < samples.length; at++) {
    if (left-- <= 0) {
      left = Math.floor((0.05 + 0.25 * random()) * soundRate)
      target = random() < 0.3 ? 0 : 0.3 + random()
      colour = 0.2 + 0.7 * random()
    }
    level += (target - level) * 0.01
    smooth = colour * smooth + (random() - 0.5)
    samples[at] = level * smooth
  }
  return samples
}

interface Microphone {
  /** Second of the scene at which it starts, and for how long. */
  from: number
  seconds: number
  driftPpm?: number
  noise?: number
  /** Louder than the direct sound, so many seconds after it. */
  echo?: number
  seed?: number
}

function record(scene: Float64Array, mic: Microphone): Sound {
  const { from, seconds, driftPpm = 0, noise = 0.05, echo, seed = 1 } = mic
  const random = seeded(seed)
  const stretch = 1 + driftPpm / 1e6
  const at = (second: number): number => {
    const place = second * soundRate
    const whole = Math.floor(place)
    const part = place - whole
    return (scene[whole] ?? 0) * (1 - part) + (scene[whole + 1] ?? 0) * part
  }
  const samples = Int16Array.from({ length: Math.round(seconds * soundRate) }, (_, index) => {
    const second = from + (index / soundRate) * stretch
    const reflected = echo === undefined ? 0 : 1.2 * at(second - echo)
    return 3000 * (at(second) + reflected + noise * (random() - 0.5))
  })
  return soundInMemory(samples)
}

test('the transform agrees with its definition', () => {
  for (const size of [8, 64, 128]) {
    const random = seeded(size)
    const [re, im] = [0, 1].map(() => Float64Array.from({ length: size }, random))
    const [gotRe, gotIm] = [re!.slice(), im!.slice()]
    fftOf(size).transform(gotRe, gotIm)
    for (let bin = 0; bin < size; bin++) {
      let [sumRe, sumIm] = [0, 0]
      for (let at = 0; at < size; at++) {
        const turn = (-2 * Math.PI * at * bin) / size
        sumRe += re![at]! * Math.cos(turn) - im![at]! * Math.sin(turn)
        sumIm += re![at]! * Math.sin(turn) + im![at]! * Math.cos(turn)
      }
      assert.ok(Math.hypot(sumRe - gotRe[bin]!, sumIm - gotIm[bin]!) < 1e-9)
    }
  }
})

test('two microphones are placed to a few milliseconds, whichever starts first', () => {
  const whole = scene(40, 7)
  fc.assert(
    fc.property(
      fc.record({
        first: fc.double({ min: 0, max: 9, noNaN: true }),
        second: fc.double({ min: 0, max: 9, noNaN: true }),
        noise: fc.constantFrom(0.05, 0.4, 1),
      }),
      ({ first, second, noise }) => {
        const long = record(whole, { from: first, seconds: 24 })
        const short = record(whole, { from: second, seconds: 16, noise, seed: 3 })
        const match = matchSounds(long, short)
        assert.ok(match.height >= minPeakOverNoise, `height ${match.height}`)
        assert.ok(Math.abs(match.offset - (second - first)) < 0.005, `${match.offset}`)
      },
    ),
    { numRuns: isWholeRun ? 6 : 1, seed: 42, endOnFailure: true },
  )
})

test(
  'reports the drift of a clock to a few millionths, and only where it can be measured',
  slow,
  () => {
    const whole = scene(100, 11)
    const long = record(whole, { from: 0, seconds: 98 })
    const match = matchSounds(long, record(whole, { from: 4, seconds: 80, driftPpm: -83, seed: 5 }))
    assert.ok(Math.abs(match.offset - 4) < 0.005, `${match.offset}`)
    assert.ok(match.driftPpm !== null && Math.abs(match.driftPpm + 83) < 5, `${match.driftPpm}`)
    const beyond = matchSounds(
      long,
      record(whole, { from: 4, seconds: 80, driftPpm: 190, seed: 5 }),
    )
    assert.equal(beyond.driftPpm, null, 'faster than any clock that is asked for')
    const short = matchSounds(long, record(whole, { from: 4, seconds: 5, driftPpm: -83 }))
    assert.equal(short.driftPpm, null)
  },
)

test('the direct sound counts, though its echo is louder', () => {
  const whole = scene(20, 13)
  const dry = record(whole, { from: 0, seconds: 20 })
  const wet = record(whole, { from: 3.21, seconds: 14, echo: 0.034, seed: 9 })
  assert.ok(Math.abs(matchSounds(dry, wet).offset - 3.21) < 0.005)
  assert.ok(Math.abs(matchSounds(wet, dry).offset + 3.21) < 0.005)
})

test('items are grouped, chained and left alone; silence goes by a timecode that the sound confirms', async () => {
  const morning = scene(34, 17)
  const evening = scene(12, 19)
  const item = (sound: Sound | null, timecode: number | null, isRecorder = false) => ({
    sound,
    timecode,
    isRecorder,
  })
  const placed = await groupItems([
    item(record(morning, { from: 0, seconds: 20 }), 36_000),
    // Meets the first only where the recorder runs on.
    item(record(morning, { from: 12, seconds: 22, seed: 2 }), 36_012, true),
    item(record(morning, { from: 22, seconds: 10, seed: 4 }), null),
    item(record(evening, { from: 0, seconds: 12, seed: 5 }), null),
    item(null, 36_022),
    item(null, null),
  ])
  assert.deepEqual(
    placed.map(({ group, isReference, method }) => [group, isReference, method]),
    [
      [0, false, 'sound'],
      [0, true, null],
      [0, false, 'sound'],
      [null, false, null],
      [0, false, 'timecode'],
      [null, false, null],
    ],
  )
  const offsets = placed.map(({ offset }) => offset ?? NaN)
  assert.ok(Math.abs(offsets[0]! + 12) < 0.005)
  assert.ok(Math.abs(offsets[2]! - 10) < 0.005)
  assert.equal(offsets[4], 10)
})
