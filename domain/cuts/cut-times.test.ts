import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  cutEvents,
  cutFormat,
  cutStart,
  eventAt,
  followFrames,
  keptSpans,
  sourceFrameAt,
} from './cut-times.ts'
import type { SourceTiming } from './cut.ts'
import { moveRanges, newRange, strike } from './cut-edit.ts'
import type { Media } from '../findings/findings.ts'

const id = '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34'

function source(rate: string | null, frameTimes: SourceTiming['frame_times'] = null): SourceTiming {
  return {
    content_id: id,
    media: { kind: 'video', frames: 100_000, frame_rate: rate } as Media,
    frame_times: frameTimes,
  }
}

test('nothing but removed words is left out, at the ends too', () => {
  const kept = (...removed: [number, number][]) =>
    keptSpans({
      in: 10,
      out: 20,
      removed: removed.map(([from, to]) => ({ in: from, out: to })),
    }).map((span) => `${span.in}-${span.out}`)
  assert.deepEqual(kept(), ['10-20'])
  assert.deepEqual(kept([12, 14], [10, 11]), ['11-12', '14-20'])
  assert.deepEqual(kept([0, 12], [18, 99]), ['12-18'])
  assert.deepEqual(kept([10, 20]), [])
})

test('an hour of 24 fps is an hour at 23.976, and a frame is never lost', () => {
  const ranges = [newRange({ content_id: id, in: 0, out: 86_400 })]
  const lengths = (rate: string) => cutEvents({ frame_rate: rate, ranges }, [source('24/1')])
  assert.equal(lengths('24000/1001')[0]?.recordOut, 86_314)
  assert.equal(lengths('24')[0]?.recordOut, 86_400)
  const short = [newRange({ content_id: id, in: 7, out: 8 })]
  assert.equal(cutEvents({ frame_rate: '10', ranges: short }, [source('60/1')])[0]?.recordOut, 1)
})

test('a variable source is measured by its known times', () => {
  const times: [number, string][] = [
    [0, '0/1'],
    [10, '1/1'],
    [30, '2/1'],
  ]
  const ranges = [
    newRange({ content_id: id, in: 0, out: 5 }),
    newRange({ content_id: id, in: 10, out: 30 }),
    newRange({ content_id: id, in: 0, out: 10, disabled: true }),
  ]
  const events = cutEvents({ frame_rate: '50', ranges }, [source('15/1', times)])
  assert.deepEqual(
    events.map((event) => [event.recordIn, event.recordOut]),
    [
      [0, 25],
      [25, 75],
    ],
  )
  assert.equal(eventAt(events, 24)?.in, 0)
  assert.equal(eventAt(events, 25)?.in, 10)
  assert.equal(eventAt(events, 75), undefined)
  const { rate } = cutFormat({ frame_rate: '50', drop_frame: false })
  const at = (frame: number) =>
    sourceFrameAt(eventAt(events, frame)!, { frame, rate, source: source('15/1', times) })
  assert.deepEqual([at(0), at(4), at(5), at(24), at(25), at(74)], [0, 0, 1, 4, 10, 29])
})

test('the start of a cut is a frame of its own timecode', () => {
  const start = (frame_rate: string, drop_frame: boolean, start_timecode: string) =>
    cutStart({ frame_rate, drop_frame, start_timecode })
  assert.equal(start('25', false, '01:00:00:00'), 90_000)
  assert.equal(start('30000/1001', true, '01:00:00;00'), 107_892)
})

test('a frame is followed through moves and struck words, to another rate too', () => {
  const a = newRange({ id: 'a', content_id: id, in: 100, out: 200 })
  const b = newRange({ id: 'b', content_id: id, in: 100, out: 150 })
  const sources = [source('25/1')]
  const cutOf = (ranges: (typeof a)[], frame_rate = '25') => ({
    cut: { frame_rate, ranges },
    sources,
  })
  const before = cutOf([a, b])
  assert.equal(followFrames(before, before)(30), 30)
  assert.equal(followFrames(before, before)(110), 110, 'in its own range, not in the other')
  assert.equal(followFrames(before, cutOf(moveRanges([a, b], ['b'], 0)))(30), 80)
  const struck = cutOf(strike([a, b], 'a', { in: 110, out: 120 }))
  assert.equal(followFrames(before, struck)(30), 20)
  assert.equal(followFrames(before, cutOf(strike([a], 'a', { in: 110, out: 120 })))(12), null)
  assert.equal(followFrames(before, struck)(12), 102, 'another range still shows it')
  assert.equal(followFrames(before, cutOf([a], '50'))(30), 60)
  assert.equal(followFrames(before, before)(999), null)
})
