import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameClock } from './frame-clock.ts'

/** A telephone: 10 frames at 30 a second, a pause of a second, then 10 at 15. */
const starts = [
  ...Array.from({ length: 10 }, (_, frame) => frame / 30),
  ...Array.from({ length: 10 }, (_, frame) => 1 + frame / 15),
]
const knownTimes: [number, string][] = [
  [0, '0/1'],
  [9, '3/10'],
  [10, '1/1'],
  [20, '5/3'],
]

test('a frame of a variable source is sought within its own time, and read back', () => {
  const clock = frameClock({ startFrame: 0, framesPerSecond: 12, frameTimes: knownTimes })
  for (const [frame, start] of starts.entries()) {
    const end = starts[frame + 1] ?? 5 / 3
    const sought = clock.secondsAt(frame + 0.5)
    assert.ok(sought > start && sought < end, `${frame}: ${sought} in ${start}–${end}`)
    assert.equal(Math.floor(clock.placeAt(sought) + 0.01), frame)
    assert.equal(Math.floor(clock.placeAt(start) + 0.01), frame, `at its start, ${frame}`)
  }
})

test('playing a variable clip ends with its last frame, not where its mean rate would', () => {
  const clock = frameClock({ startFrame: 0, framesPerSecond: 30, frameTimes: knownTimes })
  assert.ok(clock.placeAt(1.6) < 20)
  assert.ok(Math.abs(clock.secondsAt(20) - 5 / 3) < 1e-9)
})

test('a proxy of a part begins at zero with its own first frame', () => {
  const clock = frameClock({ startFrame: 10, framesPerSecond: 12, frameTimes: knownTimes })
  assert.ok(Math.abs(clock.secondsAt(0)) < 1e-9)
  assert.ok(Math.abs(clock.secondsAt(5) - 5 / 15) < 1e-9)
  // Between two frames that are known, the line of both.
  const between = frameClock({ startFrame: 15, framesPerSecond: 12, frameTimes: knownTimes })
  assert.ok(Math.abs(between.secondsAt(5) - 5 / 15) < 1e-9)
})

test('at a constant rate nothing is measured: a frame is its number over the rate', () => {
  for (const framesPerSecond of [24000 / 1001, 25, 60000 / 1001]) {
    for (const frameTimes of [null, undefined, [] as [number, string][]]) {
      const clock = frameClock({
        startFrame: 7,
        framesPerSecond,
        ...(frameTimes && { frameTimes }),
      })
      for (const place of [0, 0.5, 1, 99.5, 123_456.5]) {
        assert.equal(clock.secondsAt(place), place / framesPerSecond)
        assert.equal(clock.placeAt(place), place * framesPerSecond)
      }
    }
  }
})

test('times that do not rise are left out', () => {
  const clock = frameClock({
    startFrame: 0,
    framesPerSecond: 30,
    frameTimes: [
      [0, '0/1'],
      [5, '1/1'],
      [6, '1/1'],
      [7, '1/2'],
      [10, '2/1'],
    ],
  })
  for (let place = 1; place < 10; place += 1) {
    assert.ok(clock.secondsAt(place) > clock.secondsAt(place - 1))
  }
})
