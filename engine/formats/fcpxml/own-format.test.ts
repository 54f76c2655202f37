/** An asset keeps its own rate and start, whatever the timeline counts at. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRange } from '../../../domain/cuts/cut-edit.ts'
import { CutExportOptions } from '../../../contract/footage/cuts.ts'
import { fcpxmlVersions } from '../../../contract/footage/export-options.ts'
import { parseRational, toNumber } from '../../../domain/time/rational.ts'
import { SyncExportOptions } from '../../../contract/footage/syncs.ts'
import { fcpxmlFaults } from '../../../test/export-parsers/fcpxml.ts'
import type { MadeFindings } from '../../../test/export-parsers/findings.ts'
import { find, only, parseXml } from '../../../test/export-parsers/xml.ts'
import type { XmlTree } from '../../../test/export-parsers/xml.ts'
import { mediaOf } from '../../../test/support/library-clips.ts'
import { exportFile } from '../../export.ts'
import { exportText } from '../../../test/export-parsers/export.ts'

function secondsOf(tree: XmlTree, name: string): number {
  return toNumber(parseRational(tree.attributes[name]!.replace('s', ''))!)
}

function formatOf(root: XmlTree, tree: XmlTree): string {
  const id = tree.attributes['format']
  const format = find(root, 'format').find(({ attributes }) => attributes['id'] === id)
  return format?.attributes['frameDuration'] ?? ''
}

test('a clip at another rate keeps the format and the start of its file', () => {
  const spec: MadeFindings = {
    rate: '24000/1001',
    frames: 480,
    startTimecode: '10:00:00:00',
    changes: [7, 100, 203, 331].map((at) => ({ type: 'cut', start: at, end: at })),
    points: [{ frame: 250, score: 0.9 }],
    lipFlap: [[20, 40]],
  }
  for (const [rate, frame] of [
    ['25', '100/2500s'],
    ['29.97', '1001/30000s'],
    ['50', '100/5000s'],
    ['15', '100/1500s'],
  ] as const) {
    const root = parseXml(exportText('fcpxml', spec, { frame_rate: rate }))
    const asset = find(root, 'asset')[0]!
    const sequence = find(root, 'sequence')[0]!
    assert.equal(formatOf(root, asset), '1001/24000s')
    assert.equal(formatOf(root, sequence), frame)
    assert.equal(secondsOf(asset, 'start'), 36_036)
    assert.equal(asset.attributes['duration'], '480480/24000s')
    const clips = only(sequence, 'spine').children
    const end = secondsOf(asset, 'start') + secondsOf(asset, 'duration')
    clips.forEach((clip, index) => {
      assert.equal(formatOf(root, clip), '1001/24000s')
      const source = ((secondsOf(clip, 'start') - 36_036) * 24_000) / 1001
      const meant = [0, 7, 100, 203, 331][index]!
      // A timeline with fewer frames than the source cannot name each; none is of the shot before.
      const late = source - meant
      const isNear = rate === '15' ? late > -1e-6 && late < 1.1 : Math.abs(late) < 1e-6
      // The last gives way to the end of the file.
      const isLast = index === clips.length - 1 && Math.abs(late) < 0.5
      assert.ok(isNear || isLast, `${source} at ${rate}`)
      assert.ok(secondsOf(clip, 'start') + secondsOf(clip, 'duration') <= end + 1e-9)
    })
    const browser = only(root, 'library', 'event', 'asset-clip')
    assert.equal(browser.attributes['start'], '864864000/24000s')
    assert.equal(formatOf(root, browser), '1001/24000s')
    const flap = find(browser, 'keyword')[0]!
    assert.ok(Math.abs(secondsOf(flap, 'start') - 36_036 - (20 * 1001) / 24_000) < 0.04)
  }
})

test('a 23.976 clip as 24 keeps its own rate, frame for frame', () => {
  const changes = [1000, 2503, 4001].map((at) => ({ type: 'cut' as const, start: at, end: at }))
  const points = [{ frame: 3000, score: 0.9 }]
  for (const [own, asked, ownFrame, frame] of [
    ['24000/1001', '24', '1001/24000s', '100/2400s'],
    ['30000/1001', '30', '1001/30000s', '100/3000s'],
    ['60000/1001', '60', '1001/60000s', '100/6000s'],
  ] as const) {
    const spec: MadeFindings = {
      ...{ rate: own, frames: 4800, startTimecode: '10:00:00:00', changes, points },
    }
    const body = exportText('fcpxml', spec, { frame_rate: asked })
    const root = parseXml(body)
    const asset = find(root, 'asset')[0]!
    const sequence = find(root, 'sequence')[0]!
    assert.deepEqual([formatOf(root, asset), formatOf(root, sequence)], [ownFrame, frame])
    assert.equal(secondsOf(asset, 'start'), 36_036)
    const rate = toNumber(parseRational(own)!)
    assert.ok(Math.abs(secondsOf(asset, 'duration') - 4800 / rate) < 1e-9)
    const clips = only(sequence, 'spine').children
    const sourceIns = clips.map((clip) => (secondsOf(clip, 'start') - 36_036) * rate)
    assert.deepEqual(
      sourceIns.map((at) => Math.round(at * 1e6) / 1e6),
      [0, 1000, 2503, 4001],
    )
    const lengths = clips.map((clip) => secondsOf(clip, 'duration') * Number(asked))
    assert.deepEqual(lengths.map(Math.round), [1000, 1503, 1498, 799])
    assert.deepEqual(fcpxmlFaults(body), [])
  }
})

test('a 24 clip as 23.976 lasts longer than its file, so it counts as the timeline', () => {
  const root = parseXml(
    exportText('fcpxml', { rate: '24/1', frames: 4800 }, { frame_rate: '23.976' }),
  )
  assert.deepEqual(
    find(root, 'format').map((format) => format.attributes['frameDuration']),
    ['1001/24000s'],
  )
})

test('a variable clip next to 23.976 as 24 is placed by time', () => {
  const timeOf = (frame: number): [number, number] => [frame * 1001 + (frame % 2) * 300, 24_000]
  const changes = [{ type: 'cut' as const, start: 3001, end: 3001 }]
  const spec: MadeFindings = { rate: '24000/1001', frames: 4800, timeOf, changes }
  const root = parseXml(exportText('fcpxml', spec, { frame_rate: '24' }))
  const [, second] = only(find(root, 'sequence')[0]!, 'spine').children
  assert.ok(Math.abs(secondsOf(second!, 'start') - (3001 * 1001 + 300) / 24_000) < 0.05)
})

test('every other clip is as it was: one format', () => {
  for (const options of [{}, { frame_rate: '24' }, { start_timecode: '11:00:00:00' }]) {
    const root = parseXml(
      exportText('fcpxml', { rate: '24/1', startTimecode: '10:00:00:00' }, options),
    )
    assert.equal(find(root, 'format').length, 1)
  }
})

test('handles that lie within a source frame, and a start that was set by hand', () => {
  const spec: MadeFindings = { rate: '25/1', frames: 100, startTimecode: '10:00:00:00' }
  const root = parseXml(
    exportText('fcpxml', spec, {
      which: 'selects',
      selects: '[{"start_frame":30,"end_frame":60}]',
      handle_frames: '7',
      frame_rate: '50',
      start_timecode: '11:00:00:48',
    }),
  )
  assert.ok(Math.abs(secondsOf(find(root, 'asset')[0]!, 'start') - 39_600.96) < 1e-9)
  const clip = only(find(root, 'spine')[0]!, 'asset-clip')
  // 30 frames of 25 are 60 of 50; seven before them lie in the middle of frame 26.
  assert.ok(Math.abs(secondsOf(clip, 'start') - 39_600.96 - 53 / 50) < 1e-9)
})

test('the file follows the grammars', () => {
  const spec: MadeFindings = {
    rate: '25/1',
    frames: 300,
    changes: [{ type: 'dissolve', start: 101, end: 120 }],
    words: [{ text: 'Hello', start: 20, end: 40, speaker: 'Ann' }],
  }
  for (const version of fcpxmlVersions) {
    const body = exportText('fcpxml', spec, {
      frame_rate: '29.97',
      fcpxml_version: version,
      captions: 'true',
    })
    assert.deepEqual(fcpxmlFaults(body), [])
  }
})

test('clips of a cut and angles of a sync name the format of their source', () => {
  const sources = ['25/1', '30000/1001'].map((rate, index) => ({
    content_id: `00000000-0000-4000-8000-00000000000${index}`,
    name: `${index}.mov`,
    offline: false,
    media: mediaOf({ name: '', frames: 100, rate }),
    frame_times: null,
  }))
  const ranges = sources.map(({ content_id }) => newRange({ content_id, in: 0, out: 50 }))
  const cut = {
    ...{ name: 'Opening', frame_rate: '25/1', drop_frame: false, start_timecode: '01:00:00:00' },
    ...{ target_seconds: null, version: 1, ranges },
  }
  const input = { cut, sources, transcripts: [], comments: [], format: 'fcpxml' as const }
  const items = sources.map((source, index) => ({
    ...source,
    ...{ offset: '0/1', driftPpm: null, isReference: index === 0 },
  }))
  const group = { sync: { name: 'Scene', items }, leftOut: [], format: 'fcpxml' as const }
  for (const { body } of [
    exportFile({ ...input, options: CutExportOptions.parse({}) }),
    exportFile({ ...group, options: SyncExportOptions.parse({}) }),
  ]) {
    const root = parseXml(String(body))
    assert.deepEqual(
      find(root, 'asset-clip').map((clip) => formatOf(root, clip)),
      ['100/2500s', '1001/30000s'],
    )
  }
})
