/** The check before hand-out catches a file that is off by as little as one frame. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExportOptions } from '../../contract/footage/export-options.ts'
import { makeFindings } from '../../test/export-parsers/findings.ts'
import { writeEdl } from './edl/write.ts'
import { writeFcpxml } from './fcpxml/write.ts'
import { writeOtio } from './otio/write.ts'
import { buildTimeline } from './timeline/timeline.ts'
import type { Timeline } from './timeline/timeline.ts'
import { writeXmeml } from './xmeml/write.ts'
import { compareTimeline } from './compare.ts'
import type { ReadTimeline } from './compare.ts'
import { readEdl } from './edl/read.ts'
import { readFcpxml } from './fcpxml/read.ts'
import { readCsv, readCues, readPremiereMarkers, readResolveMarkers } from './lists/read.ts'
import { readOtio } from './otio/read.ts'
import { readXmeml } from './xmeml/read.ts'

const findings = makeFindings({
  rate: '24000/1001',
  startTimecode: '01:00:00:00',
  frames: 600,
  audio: [1],
  changes: [
    { type: 'cut', start: 120, end: 120 },
    { type: 'dissolve', start: 300, end: 324 },
  ],
})
const options = ExportOptions.parse({})
const timeline = buildTimeline({ findings, source: { name: 'a.mov' }, options })
const { format } = timeline.grid

interface Case {
  body: string
  read: (body: string) => ReadTimeline
  /** Texts of which each has one place, and what stands there in a wrong file. */
  faults: [RegExp, string][]
}

const cases: Record<string, Case> = {
  edl: {
    body: writeEdl(timeline, [], {}),
    read: (body) => readEdl(body, format, starts(timeline)),
    faults: [
      [/01:00:05:00 (?=01:00:12:12 01)/, '01:00:05:01 '],
      [/D {4}024/, 'D    023'],
      [/FCM: NON-DROP FRAME/, 'FCM: DROP FRAME'],
      [/01:00:25:00\r\n/, '01:00:24:23\r\n'],
      [/001 {2}A .*\r\n/, ''],
      [/01:00:00:00/, '01:00:00;00'],
    ],
  },
  fcpxml: {
    body: writeFcpxml({
      timeline,
      own: timeline.grid,
      findings,
      markers: [],
      keywords: [],
      captions: [],
      language: 'en',
      options,
    }),
    read: (body) => readFcpxml(body, format),
    faults: [
      [/tcStart="[^"]*"/, 'tcStart="3600s"'],
      [/duration="24024\/24000s"/, 'duration="23023/24000s"'],
      [/tcFormat="NDF" audioLayout/, 'tcFormat="DF" audioLayout'],
      [/audioSources="1"/, 'audioSources="2"'],
      [/(?<=Shot 002" start=")\d+/, '86607521'],
      [/frameDuration="[^"]*"/, 'frameDuration="1/24s"'],
    ],
  },
  xml: {
    body: writeXmeml(timeline, [], options),
    read: (body) => readXmeml(body, format),
    faults: [
      [/<in>120<\/in>/, '<in>121</in>'],
      [/<start>300<\/start>/, '<start>299</start>'],
      [/<ntsc>TRUE/, '<ntsc>FALSE'],
      [/<frame>86400/, '<frame>86399'],
      [/<duration>600<\/duration>/, '<duration>601</duration>'],
      [/<file id="file-1"\/>/, '<file id="file-1"></file>'],
    ],
  },
  otio: {
    body: writeOtio(timeline, [], options),
    read: (body) => readOtio(body, format),
    faults: [
      [/"value": 86520/, '"value": 86521'],
      [/"value": 12\b/, '"value": 11'],
      [/"kind": "Audio"/, '"kind": "Video"'],
      [/23\.97\d+/, '23.98'],
      [/Clip\.2/, 'Clip.3'],
    ],
  },
}

for (const [name, { body, read, faults }] of Object.entries(cases)) {
  test(`${name}: the file as written passes, every planted fault is caught`, () => {
    compareTimeline(read(body), timeline, { soundTracks: 1 })
    for (const [place, wrong] of faults) {
      assert.match(body, place)
      const broken = body.replace(place, wrong)
      assert.notEqual(broken, body)
      assert.throws(
        () => compareTimeline(read(broken), timeline, { soundTracks: 1 }),
        `${String(place)} became ${wrong}`,
      )
    }
  })
}

test('lists with a broken row, time or number are caught', () => {
  const head = 'Marker Name\tDescription\tIn\tOut\tDuration\r\n'
  const good = `${head}a\tb\t01:00:00:00\t01:00:00:10\t00:00:00:10\r\n`
  assert.equal(readPremiereMarkers(good, format, 86_400).length, 1)
  assert.throws(() => readPremiereMarkers(good.replace('10\t', '11\t'), format, 86_400))
  assert.throws(() => readPremiereMarkers(good.replace('a\tb', 'a\tb\tc'), format, 86_400))
  const event = '001  001      V     C        01:00:00:00 01:00:00:02 01:00:00:00 01:00:00:02  \r\n'
  const tags = 'x |C:ResolveColorBlue |M:y |D:1\r\n'
  assert.throws(() => readResolveMarkers(event + tags, format, 86_400), /not one frame/)
  assert.throws(() => readCsv('a,"b\r\n'))
  assert.throws(() => readCsv('a,b"c\r\n'))
  assert.throws(() => readCues('2\n00:00:00,000 --> 00:00:01,000\nx\n', ','), /numbered 2/)
  assert.throws(() => readCues('1\n00:00:00.000 --> 00:00:01,000\nx\n', ','), /no time/)
})

function starts(timeline: Timeline): { sourceStart: number; recordStart: number } {
  return { sourceStart: timeline.grid.startFrame, recordStart: timeline.recordStart }
}
