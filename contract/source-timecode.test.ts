import assert from 'node:assert/strict'
import { test } from 'node:test'
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
