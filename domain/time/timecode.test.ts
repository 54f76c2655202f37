import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import SmpteTimecode from 'smpte-timecode'
import { compare, formatRational, parseRational, rational, toNumber } from './rational.ts'
import {
  canDropFrame,
  frameAtTime,
  frameTime,
  nearestFrame,
  nearestStandardRate,
  parseRate,
  parseSourceTimecode,
  parseTimecode,
  rateLabel,
  standardRates,
  timecodeFormat,
  toTimecode,
} from './timecode.ts'
import { isWholeRun } from '../../test/support/slow.ts'

const formats = standardRates.map((standard) => ({
  label: standard.label,
  format: timecodeFormat(standard.rate, standard.dropFrame),
}))
const ndf25 = timecodeFormat('25', false)
const df30 = timecodeFormat('30000/1001', true)

/** Where every frame of the day is tried; the other rates name theirs by the same arithmetic. */
const triedWhole = isWholeRun ? ['29.97 DF', '59.94 DF', '25'] : []

for (const { label, format } of formats) {
  const isWhole = triedWhole.includes(label)
  // Dropped names repeat every ten minutes.
  const first = isWholeRun ? { name: 'an hour', seconds: 3600 } : { name: '10 min', seconds: 600 }
  const tried = isWhole
    ? 'every frame of 24 h'
    : `every frame of ${first.name} and around each minute`
  test(`${tried} at ${label} has a name of its own that leads back to it`, () => {
    const aroundMinute = 2 * format.nominal
    let previous = ''
    for (let frame = 0; frame < format.framesPerDay; frame++) {
      const name = toTimecode(frame, format)
      // Names grow with the frames, so none is used twice.
      if (!(name > previous) || parseTimecode(name, format) !== frame) {
        assert.fail(`frame ${frame} is called ${name}, after ${previous}`)
      }
      previous = name
      // Minutes that drop names are shorter.
      const inMinute = Math.floor(frame % (format.framesPerDay / 1440))
      const isAtStart = frame < first.seconds * format.nominal
      // Elsewhere, from two seconds after a full minute to two seconds before the next.
      if (!isWhole && !isAtStart && inMinute === aroundMinute) {
        frame += 56 * format.nominal
      }
    }
    assert.equal(toTimecode(format.framesPerDay, format), toTimecode(0, format))
    assert.equal(toTimecode(-1, format), previous)
  })

  test(`names at ${label} equal those of an independent implementation`, () => {
    const rate = Number(format.rate.num) / Number(format.rate.den)
    const step = 7919
    for (let frame = 0; frame < format.framesPerDay; frame += step) {
      assert.equal(
        toTimecode(frame, format),
        new SmpteTimecode(frame, rate, format.dropFrame).toString(),
      )
    }
    // Around each minute's first names, where drop frame goes wrong.
    for (let minute = 0; minute < 24 * 60; minute++) {
      for (let near = -2; near < 3; near++) {
        const frame = Math.max(0, Math.round(minute * 60 * rate) + near)
        const theirs = new SmpteTimecode(frame, rate, format.dropFrame).toString()
        assert.equal(toTimecode(frame, format), theirs)
        assert.equal(parseTimecode(theirs, format), frame % format.framesPerDay)
      }
    }
  })
}

test('any rational rate round-trips, and an unknown frame number wraps at 24 h', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 240_000 }),
      fc.integer({ min: 1000, max: 1001 }),
      fc.integer({ min: -50_000_000, max: 50_000_000 }),
      (num, den, frame) => {
        const rate = rational(num, den)
        const format = timecodeFormat(rate, canDropFrame(rate))
        const name = toTimecode(frame, format)
        const wrapped = ((frame % format.framesPerDay) + format.framesPerDay) % format.framesPerDay
        assert.equal(parseTimecode(name, format), wrapped)
      },
    ),
  )
})

test('a frame and its exact time lead to each other at any rate, without drift', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 240_000 }),
      fc.integer({ min: 1, max: 2002 }),
      fc.integer({ min: 0, max: 20_000_000 }),
      (num, den, frame) => {
        const rate = rational(num, den)
        const time = frameTime(frame, rate)
        assert.equal(frameAtTime(time, rate), frame)
        assert.equal(nearestFrame(time, rate), frame)
        // Just before the next frame starts it is still this frame.
        const next = frameTime(frame + 1, rate)
        const late = rational(next.num * 1_000_000n - 1n, next.den * 1_000_000n)
        if (compare(late, time) > 0) assert.equal(frameAtTime(late, rate), frame)
        assert.equal(formatRational(parseRational(formatRational(time))!), formatRational(time))
      },
    ),
  )
  assert.equal(formatRational(frameTime(1, df30.rate)), '1001/30000')
  assert.equal(toNumber(frameTime(30000, df30.rate)), 1001)
})

test('the names an editor knows', () => {
  assert.equal(toTimecode(1799, df30), '00:00:59;29')
  assert.equal(toTimecode(1800, df30), '00:01:00;02')
  assert.equal(toTimecode(17982, df30), '00:10:00;00')
  assert.equal(toTimecode(107892, df30), '01:00:00;00')
  assert.equal(toTimecode(2589408, df30), '00:00:00;00')
  assert.equal(toTimecode(90000, ndf25), '01:00:00:00')
  assert.equal(toTimecode(119, timecodeFormat('120', false)), '00:00:00:119')
})

test('names that do not exist are refused', () => {
  const names = ['24:00:00:00', '00:60:00:00', '00:00:60:00', '00:00:00:25', '1:00:00:00', '', 'x']
  for (const name of names) assert.equal(parseTimecode(name, ndf25), null, name)
  assert.equal(parseTimecode('00:01:00;00', df30), null)
  assert.equal(parseTimecode('00:01:00;01', df30), null)
  assert.equal(parseTimecode('00:10:00;00', df30), 17982)
  assert.equal(parseSourceTimecode('00:01:00;01', df30), 1800)
  assert.equal(parseSourceTimecode('00:01:61;01', df30), null)
})

test('drop frame is refused where it does not exist', () => {
  for (const rate of ['24000/1001', '24', '25', '30', '50', '60']) {
    assert.throws(() => timecodeFormat(rate, true), RangeError, rate)
  }
  assert.equal(timecodeFormat('120000/1001', true).framesPerDay, 4 * 2_589_408)
})

test('rates are read as people write them and said as people say them', () => {
  assert.equal(read('29.97'), '30000/1001')
  assert.equal(read('23.976'), '24000/1001')
  assert.equal(read('23.98'), '24000/1001')
  assert.equal(read('59.94'), '60000/1001')
  assert.equal(read('12.5'), '25/2')
  assert.equal(read('25'), '25/1')
  for (const whole of [24, 25, 30, 48, 50, 60]) assert.equal(read(`${whole}.0`), `${whole}/1`)
  assert.equal(read('30000/1001'), '30000/1001')
  for (const wrong of ['0', '-25', '25/0', '1000', 'NaN', '', '1e3']) {
    assert.equal(read(wrong), null, wrong)
  }
  const said = ['24000/1001', '24/1', '30000/1001', '60000/1001', '25/2', '120000/1001']
  assert.deepEqual(
    said.map((rate) => rateLabel(parseRational(rate)!)),
    ['23.976', '24', '29.97', '59.94', '12.5', '119.88'],
  )
  assert.equal(conformed('2997/100'), '30000/1001')
  assert.equal(conformed('1867000/62267'), '30000/1001')
  assert.equal(conformed('15/1'), '15/1')
})

function read(text: string): string | null {
  const rate = parseRate(text)
  return rate && formatRational(rate)
}

function conformed(rate: string): string {
  return formatRational(nearestStandardRate(parseRational(rate)!))
}
