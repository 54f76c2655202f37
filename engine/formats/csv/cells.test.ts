/** Cells of tables: nothing that a spreadsheet would run, and numbers as they are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRange } from '../../../domain/cuts/cut-edit.ts'
import { CutExportOptions } from '../../../contract/footage/cuts.ts'
import { ExportOptions } from '../../../contract/footage/export-options.ts'
import { SyncExportOptions } from '../../../contract/footage/syncs.ts'
import { makeFindings } from '../../../test/export-parsers/findings.ts'
import { mediaOf } from '../../../test/support/library-clips.ts'
import { exportFile } from '../../export.ts'

const wide = ['＝1+1', '＋x', '－x', '＠a']
const texts = ['=1+1', '+x', '-x', '@a', ...wide, '"quoted" line', 'a "b", c', '-2']
const runnable = ["'=1+1", "'+x", "'-x", "'@a", "'＝1+1", "'＋x", "'－x", "'＠a"]
const cells = [...runnable, '"""quoted"" line"', '"a ""b"", c"', '-2']

test('a marker table gives a spreadsheet nothing to run', () => {
  const lines = texts.map((text, index) => ({ text, start: index * 10, end: index * 10 + 5 }))
  const options = ExportOptions.parse({ markers: 'text' })
  const format = 'premiere-markers'
  const findings = makeFindings({ lines })
  const { body } = exportFile({ findings, format, source: { name: 'a.mov' }, options })
  const names = (table: string, column: number): string[] =>
    table
      .split('\r\n')
      .slice(1, -1)
      .map((row) => row.split('\t')[column]!)
  assert.deepEqual(names(body, 0), cells)
  const content_id = '00000000-0000-4000-8000-000000000000'
  const media = mediaOf({ name: '', frames: 500 })
  const source = { content_id, name: 'a.mov', offline: false, media, frame_times: null }
  const cut = {
    ...{ name: 'Opening', frame_rate: '25/1', drop_frame: false, start_timecode: '01:00:00:00' },
    ...{ target_seconds: null, version: 1, ranges: [newRange({ content_id, in: 0, out: 500 })] },
  }
  const spec = exportFile({
    ...{ cut, sources: [source], transcripts: [], format },
    comments: texts.map((text, index) => ({ at: index, out: index + 1, name: text, text })),
    options: CutExportOptions.parse({ comments: true }),
  })
  assert.deepEqual(names(String(spec.body), 0), cells)
  assert.deepEqual(names(String(spec.body), 1), cells)
})

test('the offset of a sync stays a fraction', () => {
  const items = [0, 1].map((index) => ({
    content_id: `00000000-0000-4000-8000-00000000000${index}`,
    name: `${index}.mov`,
    offline: false,
    media: mediaOf({ name: '', frames: 500 }),
    frame_times: null,
    offset: index === 0 ? '0/1' : '-151/25',
    driftPpm: null,
    isReference: index === 0,
  }))
  const options = SyncExportOptions.parse({})
  const sync = { name: 'Scene', items }
  const { body } = exportFile({ sync, leftOut: [], format: 'csv', options })
  assert.match(String(body), /,-6\.040000,-151\/25,/)
})
