/** The reel by its whole name, and as an EDL holds it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRange } from '../../domain/cuts/cut-edit.ts'
import { CutExportOptions } from '../../contract/footage/cuts.ts'
import { ExportOptions } from '../../contract/footage/export-options.ts'
import { makeFindings } from '../../test/export-parsers/findings.ts'
import { mediaOf } from '../../test/support/library-clips.ts'
import { exportFile } from '../export.ts'

const holds = {
  ale: (reel: string) => `\t${reel}\t`,
  fcpxml: (reel: string) => `key="com.apple.proapps.studio.reel" value="${reel}"`,
  xml: (reel: string) => `<name>${reel}</name>\n`,
  otio: (reel: string) => `"reel": "${reel}"`,
} as const
const formats = Object.keys(holds) as (keyof typeof holds)[]

test('only an EDL shortens the reel of a clip', () => {
  const options = ExportOptions.parse({})
  for (const [reel, name, meant] of [
    ['A001C003_240307_R1XY', 'clip.mov', 'A001C003_240307_R1XY'],
    [null, 'Zoë interview 2.mov', 'Zoë interview 2'],
  ] as const) {
    const findings = makeFindings({ media: { reel } })
    for (const format of formats) {
      const { body } = exportFile({ findings, format, source: { name }, options })
      assert.ok(body.includes(holds[format](meant)), `${format}: ${body}`)
    }
  }
})

test('only an EDL shortens the reels of a cut and numbers equal ones', () => {
  const sources = [0, 1].map((index) => ({
    content_id: `00000000-0000-4000-8000-00000000000${index}`,
    name: `Clip ${index}.mov`,
    offline: false,
    media: mediaOf({ name: '', frames: 100, media: { reel: 'A001C003_240307_R1XY' } }),
    frame_times: null,
  }))
  const ranges = sources.map(({ content_id }) => newRange({ content_id, in: 0, out: 50 }))
  const cut = {
    ...{ name: 'Opening', frame_rate: '25/1', drop_frame: false, start_timecode: '01:00:00:00' },
    ...{ target_seconds: null, ranges, version: 1 },
  }
  const options = CutExportOptions.parse({})
  const write = (format: keyof typeof holds | 'edl'): string =>
    String(exportFile({ cut, sources, transcripts: [], comments: [], format, options }).body)
  for (const format of formats) {
    const count = write(format).split(holds[format]('A001C003_240307_R1XY')).length - 1
    assert.ok(count >= 2, `${format}: ${write(format)}`)
  }
  assert.match(write('edl'), /^001 {2}A001C003 /m)
  assert.match(write('edl'), /^002 {2}A001C0_2 /m)
})
