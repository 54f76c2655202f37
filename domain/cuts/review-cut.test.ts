import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Media } from '../findings/findings.ts'
import { reviewFrames, reviewTimeline } from './review-cut.ts'

const media = { kind: 'video', frames: 100, frame_rate: '25/1', drop_frame: false } as Media

test('a comment on a clip of a standard rate is on the clip’s own frame', () => {
  const frameOf = reviewFrames({ content_id: 'a', media, frame_times: null })
  assert.deepEqual([0, 40, 99, 100].map(frameOf), [0, 40, 99, null])
  const ntsc = { ...media, frame_rate: '30000/1001', drop_frame: true } as Media
  assert.deepEqual(reviewTimeline(ntsc), {
    frame_rate: '30000/1001',
    drop_frame: true,
    start_timecode: '00:00:00:00',
  })
})

test('on a clip of a variable rate it is on the frame that was shown at its time', () => {
  const shaky = {
    ...media,
    frames: 30,
    frame_rate: '15/1',
    variable_frame_rate: true,
    duration_time: '2/1',
  } as Media
  // Ten frames in the first second, twenty in the second one.
  const frame_times: [number, string][] = [
    [0, '0/1'],
    [10, '1/1'],
    [30, '2/1'],
  ]
  const frameOf = reviewFrames({ content_id: 'a', media: shaky, frame_times })
  assert.equal(reviewTimeline(shaky).frame_rate, '15/1')
  assert.deepEqual([0, 7, 15, 22].map(frameOf), [0, 4, 10, 19])
})
