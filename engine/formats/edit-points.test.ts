/** One shot has one start: in the findings, on the screen and in every file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ExportOptions } from '../../contract/footage/export-options.ts'
import type { ExportFormat } from '../../domain/export-formats.ts'
import { Findings } from '../../domain/findings/findings.ts'
import { analysedFrames, recutChanges, shotFrames } from '../../domain/findings/recut.ts'
import { videoFindings } from '../../test/export-parsers/arbitrary.ts'
import { parseFcpxml } from '../../test/export-parsers/fcpxml.ts'
import { makeFindings } from '../../test/export-parsers/findings.ts'
import { buildJobTimeline } from '../timeline/build-job.ts'
import { isWholeRun } from '../../test/support/slow.ts'
import { exportFile } from '../export.ts'

const options = ExportOptions.parse({ which: 'shots', threshold: 0 })

function write(findings: Findings, format: ExportFormat, more = {}): string {
  const source = { name: 'clip.mov' }
  return exportFile({ findings, format, source, options: { ...options, ...more } }).body
}

test('shots start at the same frames on the screen, in CSV, JSON and every timeline', () => {
  fc.assert(
    fc.property(videoFindings, (spec) => {
      const findings = makeFindings(spec)
      const { shots, media } = findings
      assert.ok(shots)
      const changes = recutChanges(shots, { threshold: 0 }, () => assert.fail())
      const screen = shotFrames(changes, analysedFrames(shots, media.frames))
      const starts = screen.map((shot) => shot.start_frame)
      const json = Findings.parse(JSON.parse(write(findings, 'json')))
      assert.deepEqual(
        json.shots?.shots.map((shot) => shot.start_frame),
        starts,
      )
      const rows = write(findings, 'csv', { section: 'shots' }).trim().split('\r\n').slice(1)
      assert.deepEqual(
        rows.map((row) => Number(row.split(',')[3])),
        starts,
      )
      const input = { findings, source: { name: 'clip.mov' }, options }
      const { sources, tracks } = buildJobTimeline(input)
      const { grid } = sources[0]!
      // On another rate the same frame has another number, and two may fall together.
      if (media.variable_frame_rate || grid.frames !== media.frames) return
      assert.deepEqual(
        tracks[0]!.items.map((item) => item.sourceIn),
        starts,
      )
    }),
    { numRuns: isWholeRun ? 100 : 30 },
  )
})

test('an EDL starts the event with the dissolve and names the edit point in a comment', () => {
  const findings = makeFindings({ changes: [{ type: 'dissolve', start: 351, end: 375 }] })
  const edl = write(findings, 'edl')
  assert.match(edl, /D {4}024 00:00:14:01/)
  assert.match(edl, /\* EDIT POINT: 00:00:14:13, THE MIDDLE OF THE EFFECT/)
  const { video } = parseFcpxml(write(findings, 'fcpxml', { transitions: 'cuts' }))
  assert.equal(video[1]?.sourceIn, 363)
  assert.match(write(findings, 'csv', { section: 'shots' }), /dissolve,363,1000,00:00:14:13/)
  assert.match(write(findings, 'resolve-markers', { markers: ['shots'] }), /edit point 00:00:14:13/)
})
