import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createClock, spanOf } from './clock.ts'
import { moveFindings, movesBetween } from './rebase.ts'
import { soundSpan } from '../speech/voice/spans.ts'

const rate = { num: 30_000n, den: 1001n }
const whole = createClock({ rate, frames: 9000 })
const part = createClock({ rate, frames: 600 })

test('a word keeps its sample when its range is put back into the whole', () => {
  const word = soundSpan(part, { start: 1.2345, end: 1.75 })
  const moved = moveFindings({ words: [word] }, { from: part, to: whole, by: 300 }).words[0]
  // 1.2345 s is sample 19,752; frame 300 of 29.97 starts at 1001/100 s.
  assert.equal(moved?.start_time, '22489/2000')
  assert.equal(moved?.start, 22_489 / 2000)
  assert.equal(moved?.start_frame, word.start_frame + 300)
  assert.equal(moved?.end_frame, word.end_frame + 300)
})

test('a shot takes its times from the clock of the whole', () => {
  const shot = spanOf(part, 10, 20)
  assert.deepEqual(moveFindings(shot, { from: part, to: whole, by: 300 }), spanOf(whole, 310, 320))
})

test('there and back again is where it was, to the sample', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8000 }),
      fc.integer({ min: 0, max: 200_000 }),
      fc.integer({ min: 0, max: 50_000 }),
      (by, sample, length) => {
        const span = soundSpan(part, { start: sample / 16_000, end: (sample + length) / 16_000 })
        const there = moveFindings(span, { from: part, to: whole, by })
        assert.deepEqual(moveFindings(there, { from: whole, to: part, by: -by }), span)
      },
    ),
  )
})

test('where pictures are missing a frame goes to its own place and comes back', () => {
  // 3 and 4 of the media were not decoded; the range starts with 1.
  const { there, back } = movesBetween(Int32Array.of(1, 2, 5, 6, 7))
  assert.deepEqual([0, 1, 2, 3, 4, 9].map(there), [1, 2, 5, 6, 7, 7])
  assert.deepEqual([1, 2, 3, 5, 6, 7].map(back), [0, 1, 2, 2, 3, 4])
  const curve = { bytes: Buffer.from([10, 20, 30, 40]).toString('base64'), frames: 4 }
  const moved = moveFindings(curve, { from: part, to: whole, by: 1, place: there })
  assert.deepEqual([...Buffer.from(moved.bytes, 'base64')], [0, 10, 20, 0, 0, 30, 40])
  assert.equal(moved.frames, 7)
})
