/** Frames of a clip whose rate varies have one name each: that of exports. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readFindings, readTranscript } from '../../client/agent/findings.ts'
import type { Range } from '../../client/agent/findings.ts'
import { CutIndex } from '../../client/cutindex.ts'
import { ExportOptions } from '../../contract/footage/export-options.ts'
import type { Findings } from '../../domain/findings/findings.ts'
import { toTimecode } from '../../domain/time/timecode.ts'
import { buildGrid } from '../../engine/timeline/grid.ts'
import { makeFindings } from '../export-parsers/findings.ts'
import { startTestServer } from '../support/app.ts'
import { addClip, addFindings } from '../support/library-clips.ts'
import { use } from '../support/use.ts'

const frames = 360

const server = use(startTestServer)
const user = use(() => server.user())
let jobId: string
let findings: Findings

before(async () => {
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
  const { media, transcription } = findings
  const [first, , last] = transcription!.words
  const { end_frame, end_time, end } = last!
  const sentence = { ...first!, end_frame, end_time, end, first_word: 0, last_word: 2 }
  transcription!.sentences.push(sentence)
  ;({ jobId } = await addClip(server, user, { name: 'Phone.mov', frames, rate: '30/1', media }))
  for (const extractor of ['transcription', 'text', 'cutpoints'] as const) {
    await addFindings(server, user, { jobId, extractor, findings: findings[extractor]! })
  }
})

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

test('an agent reads the frames of a variable clip by the names of exports', async () => {
  const { items } = await agentReads({})
  assert.deepEqual(
    items.map(({ start_frame: frame, timecode }) => [frame, timecode]),
    [
      [100, exportedName(100)],
      [200, exportedName(200)],
      [300, exportedName(300)],
    ],
  )
  const lines = await readFindings(agent(), jobId, { extractor: 'text' })
  const [line] = (lines as Rows).items
  assert.deepEqual([line?.timecode, line?.end_timecode], [exportedName(211), exportedName(240)])
  const { items: sentences } = (await readTranscript(agent(), jobId, {})) as Rows
  assert.deepEqual(
    sentences.map(({ timecode }) => timecode),
    [exportedName(30)],
  )
})

test('an agent asks for seconds of a variable clip and gets what lies in them', async () => {
  const framesIn = async (range: Range): Promise<number[]> =>
    (await agentReads(range)).items.map((row) => row.start_frame)
  // They lie at 3.33 s, at 8.28 s and at 14.95 s.
  assert.deepEqual(await framesIn({ from_seconds: 8, to_seconds: 9 }), [200])
  assert.deepEqual(await framesIn({ from_seconds: 8.2 }), [200, 300])
  assert.deepEqual(await framesIn({ to_seconds: 8.2 }), [100])
  assert.deepEqual(await framesIn({ to_seconds: 9, cursor: 150 }), [200])
  // A line lasts as long as it is seen: from 9.02 s to 10.95 s.
  const textIn = async (from: number, to: number): Promise<number> => {
    const range = { from_seconds: from, to_seconds: to }
    const read = await readFindings(agent(), jobId, { extractor: 'text', ...range })
    return (read as Rows).items.length
  }
  assert.deepEqual([await textIn(10.5, 12), await textIn(11, 12)], [1, 0])
})

interface Rows {
  items: { start_frame: number; timecode: string; end_timecode?: string }[]
}

async function agentReads(range: Range): Promise<Rows> {
  return (await readFindings(agent(), jobId, { extractor: 'cutpoints', ...range })) as Rows
}

function agent(): CutIndex {
  return new CutIndex({ baseUrl: server.url, apiKey: user.token })
}

function exportedName(frame: number): string {
  const grid = buildGrid(findings, ExportOptions.parse({}))
  return toTimecode(grid.startFrame + grid.place(frame, `${timeOf(frame)}/60`), grid.format)
}
