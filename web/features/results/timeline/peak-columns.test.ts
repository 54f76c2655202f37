import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeFindings } from '../../../../test/export-parsers/findings.ts'
import { reelOf } from '../viewer/reel.ts'
import { peakColumns } from './peak-columns.ts'

/** Ten peaks a second; the sound is heard only in second 60. */
function peaksWithSecond60(seconds: number) {
  const values = new Int8Array(seconds * 20)
  for (let index = 600; index < 610; index++) values.set([-50, 60], index * 2)
  return { values, perSecond: 10, startSeconds: 0, loudest: 60 }
}

test('sound stands at its own second where the frame rate varies', () => {
  const findings = makeFindings({
    frames: 2700,
    changes: [{ type: 'cut', start: 1800, end: 1800 }],
    timeOf: (frame) => (frame <= 1800 ? [frame, 30] : [frame - 900, 15]),
    media: { variable_frame_rate: true, duration: 120, duration_time: '120/1' },
  })
  const { secondsAt } = reelOf(findings.media, findings)
  const view = { startFrame: 1800, pixelsPerFrame: 1, width: 40 }
  const columns = peakColumns(peaksWithSecond60(120), view, secondsAt)
  assert.deepEqual(
    columns.filter(({ high }) => high > 0).map(({ pixel }) => pixel),
    [0, 2, 4, 6, 8, 10, 12, 14],
  )
})

test('the columns end with the sound', () => {
  const view = { startFrame: 0, pixelsPerFrame: 1, width: 100 }
  const peaks = { values: new Int8Array(20).fill(7), perSecond: 10, startSeconds: 0, loudest: 7 }
  const columns = peakColumns(peaks, view, (frame) => frame / 25)
  assert.equal(columns.length, 13)
  assert.deepEqual(columns[0], { pixel: 0, low: 0, high: 7 })
})
