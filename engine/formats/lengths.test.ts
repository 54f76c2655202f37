/** Lengths of clips and files: counted rates, sound after the video, unfinished frames. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRange } from '../../domain/cuts/cut-edit.ts'
import { CutExportOptions } from '../../contract/footage/cuts.ts'
import { parseRational, toNumber } from '../../domain/time/rational.ts'
import { SyncExportOptions } from '../../contract/footage/syncs.ts'
import { find, parseXml } from '../../test/export-parsers/xml.ts'
import type { XmlTree } from '../../test/export-parsers/xml.ts'
import { mediaOf } from '../../test/support/library-clips.ts'
import { exportFile, ExportRefused } from '../export.ts'
import type { CutExport } from '../export.ts'
import { exportText } from '../../test/export-parsers/export.ts'

/** The last timecode of the last event. */
function endOf(edl: string): string {
  return /(\S+)\s*$/.exec(edl.split('\r\n').findLast((line) => /^\d/.test(line))!)![1]!
}

test('a rate that no timecode counts goes onto the multiple that it does', () => {
  for (const [rate, asked, frames, timebase] of [
    ['25/2', '12.5', 125, 25],
    ['25/2', '6.25', 125, 25],
    ['15/2', '7.5', 75, 15],
    ['15/1', '15', 150, 15],
  ] as const) {
    const spec = { rate, frames }
    for (const options of [{}, { frame_rate: asked }]) {
      assert.equal(endOf(exportText('edl', spec, options)), '00:00:10:00', `${rate} ${asked}`)
      const xml = exportText('xml', spec, options)
      assert.ok(xml.includes(`<timebase>${timebase}</timebase>`), xml)
      assert.match(exportText('ale', spec, options), /\t00:00:10:00\t/)
      assert.ok(exportText('fcpxml', spec, options).includes(`frameDuration="100/${timebase}00s"`))
    }
  }
  // A source at 25 that is asked for at 12.5 stays as it is.
  assert.equal(endOf(exportText('edl', { frames: 250 }, { frame_rate: '12.5' })), '00:00:10:00')
})

test('clips end with the picture where sound outlasts it, placed by time too', () => {
  const media = { duration: 12, duration_time: '12/1' }
  const half = exportText('edl', { rate: '50/1', frames: 500, media }, { frame_rate: '25' })
  assert.equal(endOf(half), '00:00:10:00')
  // 30 fps for a second, then 15: 45 frames in two seconds, and a second of sound.
  const timeOf = (frame: number): [number, number] =>
    frame <= 30 ? [frame, 30] : [30 + (frame - 30) * 2, 30]
  const changes = [{ type: 'fade', start: 40, end: 45 } as const]
  const variable = { rate: '2990/100', frames: 45, timeOf, changes, media }
  assert.equal(endOf(exportText('edl', variable)), '00:00:02:00')
})

/** 257 whole frames and an unfinished one, unless more is said. */
function recorderOf(frames = 257): CutExport['sources'][number] {
  const duration = { duration: frames / 25 + 0.039, duration_time: `${frames * 40 + 39}/1000` }
  return {
    content_id: '00000000-0000-4000-8000-0000000000a0',
    name: 'Recorder.wav',
    offline: false,
    media: mediaOf({
      name: '',
      frames: 0,
      media: { kind: 'audio', frame_rate: null, ...duration },
    }),
    frame_times: null,
  }
}

const phone: CutExport['sources'][number] = {
  content_id: '00000000-0000-4000-8000-0000000000c0',
  name: 'Phone.mov',
  offline: false,
  media: mediaOf({
    name: '',
    frames: 300,
    rate: '2997/100',
    media: { variable_frame_rate: true, duration: 12, duration_time: '12/1' },
  }),
  frame_times: [
    [0, '0/1'],
    [100, '3/1'],
    [300, '10/1'],
  ],
}

function cutOf(format: CutExport['format'], frameRate: string, heard = 257): string {
  const recorder = recorderOf(heard)
  const cut = {
    name: 'Opening',
    frame_rate: frameRate,
    drop_frame: false,
    start_timecode: '01:00:00:00',
    target_seconds: null,
    ranges: [
      newRange({ content_id: recorder.content_id, in: 0, out: heard }),
      newRange({ content_id: phone.content_id, in: 0, out: 300 }),
    ],
    version: 1,
  }
  const options = CutExportOptions.parse({})
  const sources = [recorder, phone]
  return String(exportFile({ cut, sources, transcripts: [], comments: [], format, options }).body)
}

const ntscRates = ['24000/1001', '30000/1001', '60000/1001', '120000/1001', '50/1', '25/1']

test('no clip of a cut or a sync is longer than its asset', () => {
  for (const [rate, heard] of ntscRates.flatMap((rate) =>
    [251, 252, 253, 254].map((frames) => [rate, frames] as const),
  )) {
    const recorder = recorderOf(heard)
    compareAssets(cutOf('fcpxml', rate, heard), rate)
    const { tracks } = JSON.parse(cutOf('otio', rate, heard)) as Otio
    for (const { source_range: own, media_references: media } of tracks.children.flatMap((track) =>
      track.children.filter((child) => child.media_references),
    )) {
      const whole = media!.DEFAULT_MEDIA.available_range.duration
      const [clip, file] = [own.duration.value / own.duration.rate, whole.value / whole.rate]
      assert.ok(clip <= file + 1e-9, `${clip} of ${file} at ${rate}`)
    }
    const camera = { ...phone, media: mediaOf({ name: '', frames: 500, rate }), frame_times: null }
    const items = [camera, recorder].map((source, index) => ({
      ...source,
      ...{ offset: '0/1', driftPpm: null, isReference: index === 0 },
    }))
    const options = SyncExportOptions.parse({})
    const input = { sync: { name: 'Scene', items }, leftOut: [], format: 'fcpxml' as const }
    compareAssets(String(exportFile({ ...input, options }).body), rate)
  }
})

test('a cut at a rate that no timecode counts is refused as a list, and goes out as a text', () => {
  for (const format of ['edl', 'xml', 'ale', 'avid-markers', 'premiere-markers'] as const) {
    assert.throws(
      () => cutOf(format, '25/2'),
      (error) => error instanceof ExportRefused && /no rate of 12\.5/.test(error.message),
    )
  }
  assert.ok(cutOf('json', '25/2').length > 0)
})

test('a variable source of a cut ends with its last picture', () => {
  const asset = find(parseXml(cutOf('fcpxml', '25/1')), 'asset')[1]!
  assert.equal(asset.attributes['duration'], '300300/30000s')
})

interface OtioRange {
  duration: { value: number; rate: number }
}
interface Otio {
  tracks: {
    children: {
      children: {
        source_range: OtioRange
        media_references?: { DEFAULT_MEDIA: { available_range: OtioRange } }
      }[]
    }[]
  }
}

function compareAssets(body: string, rate: string): void {
  const root = parseXml(body)
  const assets = new Map(find(root, 'asset').map((asset) => [asset.attributes['id'], asset]))
  const clips = find(root, 'asset-clip')
  assert.equal(clips.length, 2)
  for (const clip of clips) {
    const [length, whole] = [lengthOf(clip), lengthOf(assets.get(clip.attributes['ref'])!)]
    assert.ok(length <= whole + 1e-9, `${length} of ${whole} at ${rate}`)
  }
}

function lengthOf(tree: XmlTree): number {
  return toNumber(parseRational(tree.attributes['duration']!.replace('s', ''))!)
}
