/** Event lists by the rules of strict readers: no early comment, no negative event. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { newRange } from '../../../domain/cuts/cut-edit.ts'
import { CutExportOptions } from '../../../contract/footage/cuts.ts'
import { ExportOptions } from '../../../contract/footage/export-options.ts'
import { SyncExportOptions } from '../../../contract/footage/syncs.ts'
import { standardRates, timecodeFormat } from '../../../domain/time/timecode.ts'
import { videoFindings } from '../../../test/export-parsers/arbitrary.ts'
import { readStrictEdl } from '../../../test/export-parsers/cmx3600.ts'
import { makeFindings } from '../../../test/export-parsers/findings.ts'
import { mediaOf } from '../../../test/support/library-clips.ts'
import { exportFile } from '../../export.ts'

const source = { name: 'clip.mov' }
/** Some start before midnight and end after it. */
const startTimecode = fc.constantFrom('10:00:00:05', '23:59:58:05', '23:59:50:23', '00:00:00:04')

test('a strict reader takes the list of any findings, over midnight too', () => {
  fc.assert(
    fc.property(videoFindings, startTimecode, (spec, start) => {
      const findings = makeFindings({ ...spec, startTimecode: start })
      const { nominal } = timecodeFormat(spec.rate!, spec.dropFrame!)
      for (const which of ['shots', 'removals-kept', 'selects'] as const) {
        const options = ExportOptions.parse({
          which,
          threshold: 0,
          markers: ['shots'],
          selects: [{ start_frame: 0, end_frame: spec.frames! }],
        })
        if (which === 'removals-kept' && !findings.cutpoints) continue
        const { body } = exportFile({ findings, format: 'edl', source, options })
        const tracks = readStrictEdl(body, nominal)
        for (const clips of tracks.values()) {
          const frames = clips.reduce((sum, clip) => sum + clip.frames, 0)
          if (which !== 'removals-kept') assert.equal(frames, spec.frames)
          assert.ok(clips.every((clip) => clip.name === source.name))
        }
      }
    }),
    { numRuns: 25 },
  )
})

test('a strict reader takes the list of a cut and of an angle, over midnight too', () => {
  for (const { rate, dropFrame } of standardRates) {
    const mark = dropFrame ? ';' : ':'
    const contentId = '00000000-0000-4000-8000-000000000001'
    const media = {
      start_timecode: `23:59:59${mark}04`,
      drop_frame: dropFrame,
      reel: 'R1',
    }
    const item = {
      content_id: contentId,
      name: 'A.mov',
      offline: false,
      media: mediaOf({ name: '', frames: 500, rate, media }),
      frame_times: null,
    }
    const cut = exportFile({
      cut: {
        name: 'Night',
        frame_rate: rate,
        drop_frame: dropFrame,
        start_timecode: `23:59:58${mark}00`,
        target_seconds: null,
        ranges: [
          newRange({ content_id: contentId, in: 0, out: 400 }),
          newRange({ content_id: contentId, in: 0, out: 10 }),
          newRange({ content_id: contentId, in: 300, out: 500 }),
        ],
        version: 1,
      },
      sources: [item],
      transcripts: [],
      comments: [{ at: 350, out: 351, name: 'Ines', text: 'Here' }],
      options: CutExportOptions.parse({ comments: true }),
      format: 'edl',
    })
    const { nominal } = timecodeFormat(rate, dropFrame)
    const video = readStrictEdl(String(cut.body), nominal).get('V')
    assert.deepEqual(
      video?.map((clip) => [clip.name, clip.frames]),
      [
        ['A.mov', 400],
        ['A.mov', 10],
        ['A.mov', 200],
      ],
    )
    const angle = exportFile({
      sync: {
        name: 'Night',
        items: [0, 1].map((at) => ({
          ...item,
          content_id: `00000000-0000-4000-8000-00000000000${at}`,
          offset: `${at}/1`,
          driftPpm: 0,
          isReference: at === 0,
        })),
      },
      leftOut: [],
      format: 'edl',
      options: SyncExportOptions.parse({}),
    })
    assert.equal(readStrictEdl(String(angle.body), nominal).get('V')?.[0]?.frames, 500)
  }
})
