import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { sourceNames } from './source-timecode.ts'
import type { SourceNames } from './source-timecode.ts'
import { parseTimecode, standardRates, timecodeFormat, toTimecode } from './timecode.ts'
import type { TimecodeFormat } from './timecode.ts'
import { typedFrame } from './typed-timecode.ts'

const formats = standardRates.map((standard) => ({
  format: timecodeFormat(standard.rate, standard.dropFrame),
}))
const ndf25 = timecodeFormat('25', false)
const df30 = timecodeFormat('30000/1001', true)

/** A clip whose frames are named one after the other. */
function counted(format: TimecodeFormat, startFrame: number): SourceNames {
  return { format, startFrame, countTo: (frame) => frame, frameAt: (count) => count }
}

test('a timecode field understands what editors type', () => {
  const at = { currentFrame: 1000, frames: 100_000 }
  const typed = (text: string) => typedFrame(text, counted(ndf25, 0), at)
  assert.equal(typed('1:02:03.04'), (3600 + 123) * 25 + 4)
  assert.equal(typed('01:02:03:04'), (3600 + 123) * 25 + 4)
  assert.equal(typed('1234'), 12 * 25 + 34)
  assert.equal(typed('1200'), 300)
  assert.equal(typed('7'), 7)
  assert.equal(typed('10203'), 62 * 25 + 3)
  assert.equal(typed('5.'), 125)
  assert.equal(typed('+10'), 1010)
  assert.equal(typed('-10'), 990)
  assert.equal(typed('+100'), 1025)
  assert.equal(typed('-1:00'), 975)
  assert.equal(typed('300f'), 300)
  assert.equal(typed('+300 frames'), 1300)
  for (const wrong of ['', '+', 'abc', '1:2:3:4:5', '123456789', '::', '1e3', '--1']) {
    assert.equal(typed(wrong), null, wrong)
  }
})

test('a typed timecode is a name: the start timecode is taken off', () => {
  const start = parseTimecode('01:00:00;00', df30)!
  const at = { currentFrame: 0, frames: 200_000 }
  const typed = (text: string) => typedFrame(text, counted(df30, start), at)
  assert.equal(typed('1:00:10;00'), 300)
  assert.equal(typed('1001000'), 300)
  assert.equal(typed('1000'), 300)
  assert.equal(typed('00:00:10;00'), 300 - start)
  assert.equal(typed('1:01:00;00'), 1800)
  assert.equal(typed('+1:00:00;00'), 107892)
})

test('a shown timecode can be typed back at every rate', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...formats),
      fc.integer({ min: 0, max: 2_000_000 }),
      fc.integer({ min: 0, max: 2_000_000 }),
      ({ format }, startFrame, length) => {
        const frame = startFrame + length
        const shown = toTimecode(frame, format)
        const frames = frame - startFrame + 1
        const typed = (text: string) =>
          typedFrame(text, counted(format, startFrame), { currentFrame: 0, frames })
        assert.equal(typed(shown), frame - startFrame)
        assert.equal(typed(shown.replace(/\D/g, '')), frame - startFrame)
      },
    ),
  )
})

test('a whole timecode after midnight belongs to the next day of a clip that reaches it', () => {
  const names = counted(ndf25, parseTimecode('23:59:50:00', ndf25)!)
  const typed = (text: string) => typedFrame(text, names, { currentFrame: 0, frames: 500 })
  assert.equal(typed('00:00:05:00'), 375)
  assert.equal(typed('00000500'), 375)
  assert.equal(typed('00:00:10:00'), 500)
  assert.equal(typed('23:59:55:00'), 125)
  // A short entry counts from the start, and what the clip does not reach lies before it.
  assert.equal(typed('5:00'), 125)
  assert.ok(typed('00:00:10:01')! < 0)
  assert.ok(typed('12:00:00:00')! < 0)
})

/** Named by time: each second frame of 25. */
const slow = sourceNames({ frame_rate: '25/2', drop_frame: false, start_timecode: '01:00:00:00' })

test('frames are those of the media where they are named by time', () => {
  const typed = (text: string) => typedFrame(text, slow, { currentFrame: 100, frames: 1000 })
  assert.equal(typed('-1'), 99)
  assert.equal(typed('+10'), 110)
  assert.equal(typed('300f'), 300)
  assert.equal(typed('-20f'), 80)
  assert.equal(typed('-101'), 100 - 13)
  assert.equal(typed('-1:00'), 100 - 12)
  assert.equal(typed('01:00:10:00'), 125)
  assert.equal(typed('-200f'), -100)
  assert.ok(typed('00:59:00:00')! < 0)
  assert.ok(typed('01:10:00:00')! > 1000)
})

test('the name that is shown stays on the frame that is shown', () => {
  const usual = { drop_frame: false, start_timecode: null }
  // 120 frames a second on a grid of 30: four frames share a name.
  const shared = sourceNames({
    ...{ ...usual, frame_rate: '30/1', variable_frame_rate: true },
    ...{ frames: 20_000, duration_time: '500/3' },
  })
  const rates = ['25/2', '100/7', '240/1', '25/1', '30000/1001']
  const known = rates.map((rate) => sourceNames({ ...usual, frame_rate: rate }))
  const typed = (names: SourceNames, frame: number) =>
    typedFrame(toTimecode(names.countTo(frame), names.format), names, {
      currentFrame: frame,
      frames: 20_000,
    })
  assert.equal(typed(shared, 603), 603)
  fc.assert(
    fc.property(fc.constantFrom(shared, ...known), fc.nat(10_000), (names, frame) => {
      assert.equal(typed(names, frame), frame)
    }),
  )
})
