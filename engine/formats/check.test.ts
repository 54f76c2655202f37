/** The check before hand-out catches a file that is off by as little as one frame. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CutExportOptions } from '../../contract/footage/cuts.ts'
import { ExportOptions } from '../../contract/footage/export-options.ts'
import { SyncExportOptions } from '../../contract/footage/syncs.ts'
import { newRange } from '../../domain/cuts/cut-edit.ts'
import { makeFindings } from '../../test/export-parsers/findings.ts'
import { mediaOf } from '../../test/support/library-clips.ts'
import { exportFile, exportInput } from '../export.ts'
import type { ExportOrder } from '../export.ts'
import { formats } from './formats.ts'

/** A text that has one place, and what stands there in a wrong file. */
type Fault = [RegExp, string]

const findings = makeFindings({
  rate: '24000/1001',
  startTimecode: '01:00:00:00',
  frames: 600,
  audio: [1],
  changes: [
    { type: 'cut', start: 120, end: 120 },
    { type: 'dissolve', start: 300, end: 324 },
  ],
  lipFlap: [[50, 60]],
  words: [{ text: 'Hello', start: 10, end: 40 }],
})
const job = {
  findings,
  source: { name: 'a.mov' },
  options: ExportOptions.parse({ markers: [] }),
}

const sources = ['25/1', '30000/1001'].map((rate, index) => ({
  content_id: `00000000-0000-4000-8000-00000000000${index}`,
  name: `Clip ${index}.mov`,
  offline: false,
  media: mediaOf({ name: '', frames: 500, rate }),
  frame_times: null,
}))
const cut = {
  cut: {
    ...{ name: 'Opening', frame_rate: '25/1', drop_frame: false, start_timecode: '01:00:00:00' },
    ...{ target_seconds: null, version: 1 },
    ranges: sources.map(({ content_id }) => newRange({ content_id, in: 100, out: 200 })),
  },
  ...{ sources, transcripts: [], comments: [] },
  options: CutExportOptions.parse({}),
}
const sync = {
  sync: {
    name: 'Scene',
    items: sources.map((source, index) => ({
      ...source,
      ...{ offset: `${index}/1`, driftPpm: null, isReference: index === 0 },
    })),
  },
  leftOut: [],
  options: SyncExportOptions.parse({}),
}

const marked = { ...job, options: ExportOptions.parse({ markers: ['lip-flap'] }) }

const cases: [ExportOrder, Fault[]][] = [
  [
    { ...job, format: 'edl' },
    [
      [/01:00:05:00 (?=01:00:12:12 01)/, '01:00:05:01 '],
      [/D {4}024/, 'D    023'],
      [/FCM: NON-DROP FRAME/, 'FCM: DROP FRAME'],
      [/01:00:25:00\r\n/, '01:00:24:23\r\n'],
      [/001 {2}A .*\r\n/, ''],
      [/01:00:00:00/, '01:00:00;00'],
    ],
  ],
  [
    { ...job, format: 'fcpxml' },
    [
      [/tcStart="[^"]*"/, 'tcStart="3600s"'],
      [/duration="24024\/24000s"/, 'duration="23023/24000s"'],
      [/tcFormat="NDF" audioLayout/, 'tcFormat="DF" audioLayout'],
      [/audioSources="1"/, 'audioSources="2"'],
      [/(?<=Shot 002" start=")\d+/, '86607521'],
      [/frameDuration="[^"]*"/, 'frameDuration="1/24s"'],
    ],
  ],
  [
    { ...job, format: 'xml' },
    [
      [/<in>120<\/in>/, '<in>121</in>'],
      [/<start>300<\/start>/, '<start>299</start>'],
      [/<ntsc>TRUE/, '<ntsc>FALSE'],
      [/<frame>86400/, '<frame>86399'],
      [/<duration>600<\/duration>/, '<duration>601</duration>'],
      [/<file id="file-1"\/>/, '<file id="file-1"></file>'],
    ],
  ],
  [
    { ...job, format: 'otio' },
    [
      [/"value": 86520/, '"value": 86521'],
      [/"value": 12\b/, '"value": 11'],
      [/"kind": "Audio"/, '"kind": "Video"'],
      [/23\.97\d+/, '23.98'],
      [/Clip\.2/, 'Clip.3'],
    ],
  ],
  [
    { ...marked, format: 'premiere-markers' },
    [
      [/00:00:00:10\r\n/, '00:00:00:11\r\n'],
      [/Lip flap\t/, 'Lip flap\tx\t'],
    ],
  ],
  [{ ...marked, format: 'resolve-markers' }, [[/01:00:02:03 /, '01:00:02:04 ']]],
  [{ ...marked, format: 'avid-markers' }, [[/\t10\r\n/, '\t11\r\n']]],
  [
    { ...job, format: 'srt' },
    [
      [/^1\n/, '2\n'],
      [/,(?=\d{3} -->)/, '.'],
      [/Hello/, 'Hallo'],
    ],
  ],
  [{ ...job, format: 'ale' }, [[/01:00:05:00/, '01:00:05:01']]],
  [
    { ...cut, format: 'edl' },
    [
      [/:\d\d(?=\r\n\* FROM)/, ':24'],
      [/CLIP_1/, 'CLIP_0'],
      [/FCM/, 'FCN'],
    ],
  ],
  [
    { ...cut, format: 'fcpxml' },
    [
      [/(<asset-clip[^>]* start=")[^"]*"/, '$11001/24000s"'],
      [/Clip%201/, 'Clip%200'],
    ],
  ],
  [
    { ...cut, format: 'xml' },
    [
      [/<in>100</, '<in>101<'],
      [/Clip%201/, 'Clip%200'],
    ],
  ],
  [
    { ...cut, format: 'otio' },
    [
      [/"value": 100/, '"value": 101'],
      [/Clip%201/, 'Clip%200'],
    ],
  ],
  [
    { ...cut, format: 'csv' },
    [
      [/clip,1,/, 'clip,"1,'],
      [/,200,/, ',201,'],
    ],
  ],
  [{ ...sync, format: 'fcpxml' }, [[/(<gap[^>]*duration=")[^"]*/, '$126/25s']]],
  [{ ...sync, format: 'xml' }, [[/<start>25</, '<start>26<']]],
  [{ ...sync, format: 'otio' }, [[/"value": 25\n/, '"value": 26\n']]],
]

for (const [order, faults] of cases) {
  const kind = 'findings' in order ? 'job' : 'cut' in order ? 'cut' : 'sync'
  test(`${order.format} of a ${kind}: every planted fault is caught`, () => {
    const { body } = exportFile(order)
    assert.ok(typeof body === 'string')
    const format = formats[order.format]
    format.check(body, exportInput(order))
    for (const [place, wrong] of faults) {
      assert.match(body, place)
      const broken = body.replace(place, wrong)
      assert.notEqual(broken, body)
      assert.throws(
        () => format.check(broken, exportInput(order)),
        `${String(place)} became ${wrong}`,
      )
    }
  })
}
