import { formatRational, rational, toNumber } from '../../domain/time/rational.ts'
import type { Rational } from '../../domain/time/rational.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createClock, parseRate, spanOf, spanOfSeconds } from './clock.ts'

const rates: Rational[] = ['24000/1001', '24', '25', '30000/1001', '30', '50', '60000/1001', '60']
  .map(parseRate)
  .filter((rate) => rate !== null)

test('a frame found by its own start is that frame, at every rate, for six hours', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...rates),
      fc.integer({ min: 0, max: 6 * 3600 * 60 }),
      (rate, frame) => {
        const clock = createClock({ rate, frames: 6 * 3600 * 60 + 1 })
        assert.equal(clock.frameAt(toNumber(clock.timeOf(frame))), frame)
      },
    ),
  )
})

test('a constant clock is exact: frame n starts at n divided by the rate', () => {
  const clock = createClock({ rate: { num: 30000n, den: 1001n }, frames: 400_000 })
  assert.equal(formatRational(clock.timeOf(1)), '1001/30000')
  assert.equal(
    formatRational(clock.timeOf(323_676)),
    formatRational(rational(323_676n * 1001n, 30000n)),
  )
})

test('rounded container ticks of a constant rate still make a constant clock', () => {
  const pts = Array.from({ length: 500 }, (_, n) => Math.round((n * 1000) / 24))
  const clock = createClock({
    rate: { num: 24n, den: 1n },
    frames: 500,
    pts,
    timeBase: { num: 1n, den: 1000n },
  })
  assert.equal(clock.variable, false)
  assert.equal(formatRational(clock.timeOf(1)), '1/24')
})

test('a variable clock keeps every pts and finds the frame on the screen', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 2, maxLength: 200 }),
      fc.integer({ min: -100_000, max: 100_000 }),
      (steps, first) => {
        const pts = [first]
        for (const step of steps) pts.push((pts.at(-1) ?? 0) + step)
        const timeBase = { num: 1n, den: 90_000n }
        const clock = createClock({
          rate: { num: 25n, den: 1n },
          frames: pts.length,
          pts,
          timeBase,
          lastTicks: 3600,
        })
        if (!clock.variable) return
        for (let frame = 0; frame < pts.length; frame++) {
          const seconds = toNumber(clock.timeOf(frame))
          assert.equal(Math.round(seconds * 90_000), (pts[frame] ?? 0) - first)
          const result = clock.frameAt(seconds)
          assert.ok(Math.abs(toNumber(clock.timeOf(result)) - seconds) <= 1 / 90_000 + 1e-9)
        }
        assert.equal(clock.frameAt(1e9), pts.length)
        assert.equal(clock.frameAt(-5), 0)
      },
    ),
  )
})

test('a range of seconds covers every frame it touches, and no more', () => {
  const clock = createClock({ rate: { num: 25n, den: 1n }, frames: 100 })
  const span = spanOfSeconds(clock, 0.41, 0.8)
  assert.deepEqual([span.start_frame, span.end_frame], [10, 20])
  assert.equal(spanOfSeconds(clock, 0.41, 0.81).end_frame, 21)
  assert.equal(spanOfSeconds(clock, 3.9, 99).end_frame, 100)
  assert.equal(spanOf(clock, 10, 20).start_time, '2/5')
})
