/** Frames of a clip whose rate varies have one name each: that of exports. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ExportOptions } from '../../contract/export-options.ts'
import type { Findings } from '../../contract/findings.ts'
import { toTimecode } from '../../contract/timecode.ts'
import { buildGrid } from '../../engine/exporters/timeline/grid.ts'
import { makeFindings } from '../export-parsers/findings.ts'
import { startTestServer } from '../support/app.ts'
import type { TestServer, TestUser } from '../support/app.ts'
import { addClip, addFindings } from '../support/library-clips.ts'

const frames = 360

let server: TestServer
let user: TestUser
let jobId: string
let findings: Findings

before(async () => {
  server = await startTestServer()
  user = await server.user()
  findings = makeFindings({
    rate: '30/1',
    frames,
    startTimecode: '01:00:00:00',
    timeOf: (frame) => [timeOf(frame), 60],
    words: [
      { text: 'Herring', start: 30, end: 60 },
      { text: 'gulls', start: 151, end: 170 },
      { text: 'turnstones', start: 301, end: 320 },
    ],
    lines: [{ text: 'Lighthouse', start: 211, end: 240 }],
    points: [100, 200, 300].map((frame) => ({ frame, score: 0.9 })),
  })
  const { media } = findings
  ;({ jobId } = await addClip(server, user, { name: 'Phone.mov', frames, rate: '30/1', media }))
  for (const extractor of ['transcription', 'text', 'cutpoints'] as const) {
    await addFindings(server, user, { jobId, extractor, findings: findings[extractor]! })
  }
})
after(() => server.stop())

/** In sixtieths: half as many frames a second in the second half, so some lie between two names. */
function timeOf(frame: number): number {
  return frame < 151 ? 2 * frame : 302 + 4 * (frame - 151) - 1
}

test('search names a frame of a variable clip as exports do', async () => {
  for (const [q, frame] of [
    ['herring', 30],
    ['gulls', 151],
    ['turnstones', 301],
    ['lighthouse', 211],
  ] as const) {
    const { hits } = await user.client.search({ query: { q } })
    assert.deepEqual(
      hits.map((hit) => [hit.start_frame, hit.timecode]),
      [[frame, exportedName(frame)]],
      q,
    )
  }
})

function exportedName(frame: number): string {
  const grid = buildGrid(findings, ExportOptions.parse({}))
  return toTimecode(grid.startFrame + grid.place(frame, `${timeOf(frame)}/60`), grid.format)
}
