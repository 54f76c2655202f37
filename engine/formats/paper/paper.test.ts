import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRange } from '../../../domain/cuts/cut-edit.ts'
import { CutExportOptions } from '../../../contract/footage/cuts.ts'
import { mediaOf } from '../../../test/support/library-clips.ts'
import { buildPaper } from './paper.ts'
import { exportInput } from '../../export.ts'

test('a paper edit with handles names where its timeline plays each passage', () => {
  const content_id = '00000000-0000-4000-8000-000000000000'
  const media = mediaOf({ name: '', frames: 500 })
  const range = (from: number, to: number) => newRange({ content_id, in: from, out: to })
  const cut = {
    ...{ name: 'Opening', frame_rate: '25/1', drop_frame: false, start_timecode: '01:00:00:00' },
    ...{ target_seconds: null, version: 1, ranges: [range(100, 200), range(5, 50)] },
  }
  const input = {
    cut,
    sources: [{ content_id, name: 'a.mov', offline: false, media, frame_times: null }],
    transcripts: [],
    comments: [
      { at: 0, out: 1, name: 'Ines', text: 'first' },
      { at: 100, out: 101, name: 'Ines', text: 'second' },
    ],
    format: 'html' as const,
    options: CutExportOptions.parse({ handle_frames: 10, comments: true }),
  }
  const paper = buildPaper(exportInput(input))
  assert.deepEqual(
    paper.rows.map((row) => row.record),
    ['01:00:00:10', '01:00:05:00'],
  )
  assert.deepEqual(
    paper.rows.map((row) => row.record),
    paper.comments.map((comment) => comment.at),
  )
})
