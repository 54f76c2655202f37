/** The timecode of sources in lists that have one rate. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRange } from '../../domain/cuts/cut-edit.ts'
import { CutExportOptions } from '../../contract/footage/cuts.ts'
import type { CutExportFormat } from '../../domain/export-formats.ts'
import { ExportOptions } from '../../contract/footage/export-options.ts'
import type { Media } from '../../domain/findings/findings.ts'
import { SyncExportOptions } from '../../contract/footage/syncs.ts'
import { makeFindings } from '../../test/export-parsers/findings.ts'
import { mediaOf } from '../../test/support/library-clips.ts'
import { exportFile } from '../export.ts'

interface Clip {
  frames: number
  rate?: string
  media?: Partial<Media>
}

const recorder: Clip = {
  frames: 0,
  media: {
    kind: 'audio',
    frame_rate: null,
    start_timecode: '10:00:36:00',
    duration: 10.01,
    duration_time: '1001/100',
  },
}

function sourceOf(clip: Clip, index: number) {
  return {
    content_id: `00000000-0000-4000-8000-00000000000${index}`,
    name: `Clip ${index}.mov`,
    offline: false,
    media: mediaOf({ name: '', ...clip }),
    frame_times: null,
  }
}

/** Each clip whole, one after another. */
function cutOf(
  format: CutExportFormat,
  clips: readonly Clip[],
  { rate, dropFrame = false }: { rate: string; dropFrame?: boolean },
): string {
  const sources = clips.map(sourceOf)
  const ranges = sources.map(({ content_id, media }) =>
    newRange({ content_id, in: 0, out: media.frames || Math.floor(media.duration * 25) }),
  )
  const cut = {
    name: 'Opening',
    frame_rate: rate,
    drop_frame: dropFrame,
    start_timecode: `01:00:00${dropFrame ? ';' : ':'}00`,
    target_seconds: null,
    ranges,
    version: 1,
  }
  const options = CutExportOptions.parse({})
  const input = { cut, sources, transcripts: [], comments: [], format, options }
  return String(exportFile(input).body)
}

/** Source in and out of each event. */
function sourcesIn(edl: string): [string, string][] {
  return edl
    .split('\r\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => line.trim().split(/\s+/).slice(-4, -2) as [string, string])
}

function aleRow(ale: string): Record<string, string> {
  const lines = ale.split('\r\n').map((line) => line.split('\t'))
  const names = lines[lines.findIndex(([name]) => name === 'Column') + 1]!
  const row = lines[lines.findIndex(([name]) => name === 'Data') + 1]!
  return Object.fromEntries(names.map((name, index) => [name, row[index] ?? '']))
}

test('the clock of a recorder is real time in the lists of a cut and of a sync', () => {
  // 36,036 s after midnight are ten hours of names at 23.976.
  const rate = '24000/1001'
  assert.equal(sourcesIn(cutOf('edl', [recorder], { rate }))[0]![0], '10:00:00:00')
  const row = aleRow(cutOf('ale', [recorder], { rate }))
  assert.deepEqual(
    [row.Start, row.End, row.Duration],
    ['10:00:00:00', '10:00:10:00', '00:00:10:00'],
  )
  const items = [{ frames: 240, rate }, recorder].map((clip, index) => ({
    ...sourceOf(clip, index),
    ...{ offset: '0/1', driftPpm: null, isReference: index === 0 },
  }))
  const { body } = exportFile({
    sync: { name: 'Scene', items },
    leftOut: [],
    format: 'edl',
    options: SyncExportOptions.parse({ angle: items[1]!.content_id }),
  })
  assert.equal(sourcesIn(String(body))[0]![0], '10:00:00:00')
})

test('the clock of a recorder is kept to the sample in a cut and in a sync', () => {
  // 36,000.18 s after midnight: frame 1,800,009 at 50, which 1/25 s would make 1,800,010.
  const time_reference = { samples: 1_728_008_640, sample_rate: 48_000 }
  const exact = {
    ...recorder,
    media: { ...recorder.media, start_timecode: '10:00:00:05', time_reference },
  }
  const rate = '50/1'
  assert.equal(sourcesIn(cutOf('edl', [exact], { rate }))[0]![0], '10:00:00:09')
  assert.equal(aleRow(cutOf('ale', [exact], { rate })).Start, '10:00:00:09')
  // 1,728,008,640 / 48,000 in lowest terms.
  const start = /start="1800009\/50s"/g
  assert.equal(cutOf('fcpxml', [exact], { rate }).match(start)?.length, 2)
  const items = [{ frames: 500, rate }, exact].map((clip, index) => ({
    ...sourceOf(clip, index),
    ...{ offset: '0/1', driftPpm: null, isReference: index === 0 },
  }))
  const sync = { name: 'Scene', items }
  const { body } = exportFile({
    ...{ sync, leftOut: [], format: 'fcpxml' },
    options: SyncExportOptions.parse({}),
  })
  assert.equal(String(body).match(start)?.length, 2)
})

test('a timecode keeps its name at another rate, in a clip and in a cut', () => {
  for (const [from, start, to, meant] of [
    ['30000/1001', '10:00:00;00', '25/1', '10:00:00:00'],
    ['25/1', '10:00:00:00', '30000/1001', '10:00:00;00'],
    ['60000/1001', '10:00:00;30', '30000/1001', '10:00:00;15'],
    ['24000/1001', '10:00:00:12', '25/1', '10:00:00:13'],
  ] as const) {
    const [dropFrame, isDropped] = [start.includes(';'), meant.includes(';')]
    const clip = {
      frames: 500,
      rate: from,
      media: { start_timecode: start, drop_frame: dropFrame },
    }
    const cut = cutOf('edl', [clip], { rate: to, dropFrame: isDropped })
    assert.equal(sourcesIn(cut)[0]![0], meant, `${start} in a cut`)
    const findings = makeFindings({ frames: 500, rate: from, dropFrame, startTimecode: start })
    const options = ExportOptions.parse({ frame_rate: to, drop_frame: isDropped })
    const source = { name: 'clip.mov' }
    const { body } = exportFile({ findings, format: 'edl', source, options })
    assert.equal(sourcesIn(body)[0]![0], meant, `${start} alone`)
  }
})

test('a sync starts at the timecode of its earliest camera, in the mode of the first', () => {
  const media = { start_timecode: '10:00:00:00', drop_frame: false }
  const rate = '30000/1001'
  const clips = [
    { frames: 500, rate, media: { start_timecode: '10:00:01;00', drop_frame: true } },
    { frames: 500, rate, media },
  ]
  const start = (order: readonly Clip[]): string => {
    const items = order.map((clip, index) => ({
      ...sourceOf(clip, index),
      ...{ offset: index === 0 ? '1/1' : '0/1', driftPpm: null, isReference: index === 0 },
    }))
    const input = { sync: { name: 'Scene', items }, leftOut: [], format: 'csv' as const }
    const { body } = exportFile({ ...input, options: SyncExportOptions.parse({}) })
    return /,(\d\d:\d\d:\d\d[:;]\d\d),/.exec(String(body).split('\r\n')[2]!)![1]!
  }
  assert.equal(start(clips), '10:00:00;00')
  const dropped = { start_timecode: '10:00:00;00', drop_frame: true }
  assert.equal(
    start([
      { frames: 500, rate, media },
      { frames: 500, rate, media: dropped },
    ]),
    '10:00:00:00',
  )
})

test('a source ends with its file in an EDL, where it plays slower than it counts too', () => {
  const media = { start_timecode: '10:00:00:00' }
  const clip = { frames: 4800, rate: '24000/1001', media }
  const edl = cutOf('edl', [clip], { rate: '24/1' })
  assert.deepEqual(sourcesIn(edl), [['10:00:00:00', '10:03:20:00']])
  assert.match(edl, / 01:00:00:00 01:03:20:04\r\n/)
  const other = cutOf('edl', [clip], { rate: '25/1' })
  assert.deepEqual(sourcesIn(other), [['10:00:00:00', '10:03:20:00']])
})

test('an EDL says before each event in which mode its source counts', () => {
  const rate = '30000/1001'
  const dropped = { start_timecode: '10:00:00;00', drop_frame: true }
  const plain = { start_timecode: '11:00:00:00', drop_frame: false }
  const clips = [dropped, dropped, plain, dropped].map((media) => ({ frames: 60, rate, media }))
  const lines = (dropFrame: boolean): string[] =>
    cutOf('edl', clips, { rate, dropFrame })
      .split('\r\n')
      .flatMap((line) => /^(?:FCM: .*|\d+ .*)$/.exec(line)?.[0].slice(0, 24).trim() ?? [])
      .map((line) => line.replace(/^(\d+).*/, '$1'))
  const [drop, nonDrop] = ['FCM: DROP FRAME', 'FCM: NON-DROP FRAME']
  assert.deepEqual(lines(false), [nonDrop, drop, '001', '002', nonDrop, '003', drop, '004'])
  assert.deepEqual(lines(true), [drop, '001', '002', nonDrop, '003', drop, '004'])
})
