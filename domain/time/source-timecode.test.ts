import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rational } from './rational.ts'
import { sourceTimecode } from './source-timecode.ts'

test('a clip counts on from its own first frame', () => {
  const media = { frame_rate: '30000/1001', drop_frame: true, start_timecode: '00:00:59;29' }
  assert.equal(sourceTimecode(media, 1), '00:01:00;02')
  assert.equal(sourceTimecode(null, 26), '00:00:01:01')
})

test('a flag of drop frame at a rate that has none means nothing', () => {
  const media = { frame_rate: '25/1', drop_frame: true, start_timecode: '10:00:00;00' }
  assert.equal(sourceTimecode(media, 24), '10:00:00:24')
})

test('a frame of a variable clip is named by its time where that is known', () => {
  const media = {
    ...{ frame_rate: '30/1', drop_frame: false, start_timecode: '01:00:00:00' },
    ...{ variable_frame_rate: true, frames: 300, duration_time: '20/1' },
  }
  assert.equal(sourceTimecode(media, 150, rational(4)), '01:00:04:00')
  assert.equal(sourceTimecode(media, 150, rational(241, 60)), '01:00:04:01', 'to the nearest frame')
  assert.equal(sourceTimecode(media, 150), '01:00:10:00', 'else evenly')
})

test('a rate that a timecode counts names its frames by their number, whatever their time', () => {
  const media = { frame_rate: '25/1', drop_frame: false, start_timecode: null }
  assert.equal(sourceTimecode(media, 26, rational(1079, 1000)), '00:00:01:01')
  const uncounted = { ...media, frame_rate: '25/2' }
  assert.equal(sourceTimecode(uncounted, 12, rational(99, 100)), '00:00:01:00')
})

test('sound behind the last frame does not change the names of frames at a constant rate', () => {
  const media = { frame_rate: '25/2', drop_frame: false, start_timecode: null }
  const withTail = { ...media, variable_frame_rate: false, frames: 125, duration_time: '20/1' }
  assert.equal(sourceTimecode(withTail, 125), '00:00:10:00')
})
