/**
 * Every timeline format, read by parsers that share nothing with the exporters, against the
 * findings themselves.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ExportOptions } from '../../contract/footage/export-options.ts'
import type { ExportOptionsInput } from '../../contract/footage/export-options.ts'
import type { ExportFormat } from '../../domain/export-formats.ts'
import { parseTimecode, standardRates, timecodeFormat } from '../../domain/time/timecode.ts'
import { mediaName, videoFindings } from '../../test/export-parsers/arbitrary.ts'
import type { Edit, ParsedTimeline } from '../../test/export-parsers/edit.ts'
import { parseEdl } from '../../test/export-parsers/edl.ts'
import { parseFcpxml } from '../../test/export-parsers/fcpxml.ts'
import { makeFindings } from '../../test/export-parsers/findings.ts'
import type { Change, MadeFindings } from '../../test/export-parsers/findings.ts'
import { parseOtio } from '../../test/export-parsers/otio.ts'
import { parseXmeml } from '../../test/export-parsers/xmeml.ts'
import { sourceTimes } from '../../domain/time/source-times.ts'
import { isWholeRun } from '../../test/support/slow.ts'
import { exportFile, ExportRefused } from '../export.ts'
import { exportText } from '../../test/export-parsers/export.ts'

const formats = ['edl', 'fcpxml', 'xml', 'otio'] as const
type TimelineFormat = (typeof formats)[number]

const parsers: Record<TimelineFormat, (body: string, fps: number) => ParsedTimeline> = {
  edl: parseEdl,
  fcpxml: parseFcpxml,
  xml: parseXmeml,
  otio: parseOtio,
}

const hours = isWholeRun ? ['00:00:00', '01:00:00', '10:00:00', '23:59:50'] : ['23:59:50']

for (const format of formats) {
  test(`${format}: any findings, names and tracks come back frame by frame`, () => {
    fc.assert(
      fc.property(videoFindings, mediaName, (spec, name) => {
        const read = roundTrip(format, spec, {}, name)
        compareWithFindings(read, spec, soundTracks(format, spec.audio ?? []))
      }),
      { numRuns: isWholeRun ? 60 : 8 },
    )
  })

  test(`${format}: no rate and no start timecode drifts over three hours`, () => {
    for (const { rate, dropFrame } of standardRates) {
      for (const hour of hours) {
        const startTimecode = `${hour}${dropFrame ? ';' : ':'}00`
        const spec = threeHours({ rate, dropFrame, startTimecode, audio: [1] })
        const read = roundTrip(format, spec)
        compareWithFindings(read, spec, 1)
        const start = parseTimecode(startTimecode, timecodeFormat(rate, dropFrame))
        assert.equal(read.sourceStart, start)
        assert.equal(read.recordStart, start)
        if (format !== 'otio') assert.equal(read.dropFrame, dropFrame)
      }
    }
  })

  test(`${format}: selects keep their source frames and follow each other`, () => {
    const spec: MadeFindings = { rate: '24000/1001', frames: 5000, startTimecode: '02:00:00:00' }
    const read = roundTrip(format, spec, {
      which: 'selects',
      selects:
        '[{"start_frame":4000,"end_frame":4100,"name":"last"},{"start_frame":10,"end_frame":20}]',
      handle_frames: '12',
    })
    assert.deepEqual(
      read.video.map(lengths),
      [
        { source: [3988, 4112], record: [0, 124] },
        { source: [0, 32], record: [124, 156] },
      ].map((range) => (format === 'edl' ? relativeTo(range, 3988, spec) : range)),
    )
    assert.equal(
      read.recordStart,
      parseTimecode('01:00:00:00', timecodeFormat('24000/1001', false)),
    )
  })

  test(`${format}: silences and fillers are taken out, and sound stays with the picture`, () => {
    const read = roundTrip(
      format,
      {
        frames: 1000,
        removals: [
          { kind: 'silence', start: 100, end: 200 },
          { kind: 'filler', start: 300, end: 310, text: 'um' },
          { kind: 'silence', start: 900, end: 1000 },
        ],
      },
      { which: 'removals-kept', handle_frames: 2 },
    )
    const kept = [
      { source: [0, 102], record: [0, 102] },
      { source: [198, 302], record: [102, 206] },
      { source: [308, 902], record: [206, 800] },
    ]
    assert.deepEqual(read.video.map(lengths), kept)
    for (const track of read.sound) assert.deepEqual(track.map(lengths), kept)
  })

  test(`${format}: a timeline of cut points holds the accepted ones alone`, () => {
    const points = [
      { frame: 100, score: 0.9 },
      { frame: 200, score: 0.2 },
      { frame: 300, score: 0.8 },
    ]
    const cuts = (options: ExportOptionsInput) =>
      roundTrip(format, { points }, { which: 'cutpoints', ...options }).video.map((e) => e.recordIn)
    assert.deepEqual(cuts({}), [0, 100, 300])
    assert.deepEqual(cuts({ min_score: '0' }), [0, 100, 200, 300])
    assert.deepEqual(cuts({ accepted: '[200]' }), [0, 200])
    assert.deepEqual(cuts({ rejected: '100' }), [0, 300])
    assert.deepEqual(cuts({ accepted: [], rejected: [] }), [0, 100, 300])
  })

  test(`${format}: a variable rate is placed by time on the nearest standard rate`, () => {
    // Frames at 30 fps for a second, then at 15 fps: 45 frames in two seconds.
    const timeOf = (frame: number): [number, number] =>
      frame <= 30 ? [frame, 30] : [30 + (frame - 30) * 2, 30]
    const spec: MadeFindings = {
      rate: '2990/100',
      frames: 45,
      timeOf,
      changes: [
        { type: 'cut', start: 15, end: 15 },
        { type: 'dissolve', start: 33, end: 40 },
      ],
    }
    const read = roundTrip(format, spec)
    assert.deepEqual(
      read.video.map((edit) => edit.recordIn),
      [0, 15, 36],
    )
    assert.deepEqual(read.transitions, [[36, 50]])
    assert.equal(read.video.at(-1)!.recordOut, 60)
  })

  test(`${format}: another rate is placed by time, its NTSC twin frame for frame`, () => {
    const spec: MadeFindings = {
      rate: '50/1',
      frames: 500,
      changes: [{ type: 'cut', start: 101, end: 101 }],
    }
    const half = roundTrip(format, spec, { frame_rate: '25' })
    assert.deepEqual(
      half.video.map((edit) => edit.recordIn),
      [0, 51],
    )
    assert.equal(half.video.at(-1)!.recordOut, 250)
    const twin = roundTrip(format, { ...spec, rate: '24000/1001' }, { frame_rate: '24' })
    assert.deepEqual(
      twin.video.map((edit) => edit.recordIn),
      [0, 101],
    )
    assert.equal(twin.video.at(-1)!.recordOut, 500)
  })

  test(`${format}: sound without a picture makes a timeline of sound`, () => {
    const spec: MadeFindings = {
      frames: 251,
      audio: [1],
      points: [{ frame: 50, score: 1 }],
      media: { kind: 'audio', frame_rate: '25/1', duration: 10.02, duration_time: '501/50' },
    }
    const read = roundTrip(format, spec, { which: 'cutpoints' })
    assert.deepEqual(read.video, [])
    assert.deepEqual(
      read.sound.map((track) => track.map(lengths)),
      [
        [
          { source: [0, 50], record: [0, 50] },
          { source: [50, 250], record: [50, 250] },
        ],
      ],
    )
  })

  test(`${format}: transitions can be asked for as cuts in their middle`, () => {
    const spec: MadeFindings = { changes: [{ type: 'dissolve', start: 100, end: 121 }] }
    const read = roundTrip(format, spec, { transitions: 'cuts' })
    assert.deepEqual(
      read.video.map((edit) => edit.recordIn),
      [0, 110],
    )
    assert.deepEqual(read.transitions, [])
  })

  test(`${format}: a fade that opens or closes the media joins no shots`, () => {
    const spec: MadeFindings = {
      frames: 300,
      changes: [
        { type: 'fade', start: 0, end: 24 },
        { type: 'cut', start: 150, end: 150 },
        { type: 'fade', start: 270, end: 300 },
      ],
    }
    const read = roundTrip(format, spec)
    assert.deepEqual(
      read.video.map((edit) => edit.recordIn),
      [0, 150],
    )
    assert.deepEqual(read.transitions, [])
  })
}

for (const format of ['fcpxml', 'xml', 'otio'] as const) {
  test(`${format}: markers stand where the timeline shows their frame`, () => {
    const spec: MadeFindings = {
      frames: 1000,
      changes: [{ type: 'cut', start: 500, end: 500 }],
      points: [
        { frame: 120, score: 0.9 },
        { frame: 700, score: 0.6 },
      ],
      lipFlap: [[480, 520]],
      removals: [{ kind: 'silence', start: 100, end: 200 }],
    }
    const starts = (options: ExportOptionsInput) =>
      roundTrip(format, spec, options).markers.map((marker) => marker.start)
    assert.deepEqual(starts({}), [120, 480, 700])
    assert.deepEqual(starts({ which: 'removals-kept' }), [380, 600])
    assert.deepEqual(starts({ markers: 'shots' }), [500])
    assert.deepEqual(starts({ markers: '' }), [])
    // Heard after the last frame, where there is nothing to mark.
    const late: MadeFindings = { ...spec, removals: [{ kind: 'silence', start: 1000, end: 1000 }] }
    const silences = roundTrip(format, late, { markers: 'removals' }).markers
    assert.deepEqual(silences, [])
    const ranges = roundTrip(format, spec, { markers: 'lip-flap' }).markers
    // Final Cut's markers are points; the others keep the range, across the cut.
    assert.deepEqual(ranges, [
      { start: 480, frames: format === 'fcpxml' ? 1 : 40, name: 'Lip flap' },
    ])
  })
}

test('the clock of a sound recorder is counted by every rate in its own way', () => {
  const media = { kind: 'audio', duration: 10, duration_time: '10/1' } as const
  const spec: MadeFindings = { frames: 250, startTimecode: '10:00:00:05', media, audio: [1] }
  // 36,000.2 s after midnight.
  for (const [rate, start] of [
    ['25/1', 900_005],
    ['24/1', 864_005],
    ['24000/1001', 863_142],
    ['30000/1001', 1_078_927],
  ] as const) {
    assert.equal(roundTrip('fcpxml', spec, { frame_rate: rate }).sourceStart, start, rate)
    assert.equal(roundTrip('edl', spec, { frame_rate: rate }).sourceStart, start, rate)
  }
})

test('the clock of a sound recorder is kept to the sample at every rate', () => {
  // 36,000.18 s after midnight, which is 36,000.2 s to 1/25 s: a frame more at 29.97 and above.
  const time_reference = { samples: 1_728_008_640, sample_rate: 48_000 }
  const clock = { duration: 10, duration_time: '10/1', time_reference } as const
  const media = { kind: 'audio', ...clock } as const
  const spec: MadeFindings = { frames: 250, startTimecode: '10:00:00:05', media, audio: [1] }
  for (const [rate, start] of [
    ['25/1', 900_005],
    ['30000/1001', 1_078_926],
    ['50/1', 1_800_009],
    ['60000/1001', 2_157_853],
  ] as const) {
    assert.equal(roundTrip('fcpxml', spec, { frame_rate: rate }).sourceStart, start, rate)
    assert.equal(roundTrip('edl', spec, { frame_rate: rate }).sourceStart, start, rate)
  }
})

test('in a variable rate the picture says when a frame starts, not the sound within it', () => {
  // Frames of 40 ms, of 200 ms from the fiftieth on.
  const timeOf = (frame: number): [number, number] => [
    frame * 40 + Math.max(0, frame - 50) * 160,
    1000,
  ]
  const changes: Change[] = [{ type: 'cut', start: 70, end: 70 }]
  const findings = makeFindings({ timeOf, frames: 100, changes })
  findings.talking!.silence = [
    {
      ...{ start_frame: 70, end_frame: 100, start_time: '615/100', end_time: '20/1' },
      ...{ start: 6.15, end: 20 },
    },
  ]
  const time = sourceTimes(findings)
  assert.deepEqual(time(70), { num: 6n, den: 1n })
  assert.deepEqual(time(100), { num: 12n, den: 1n })
})

test('interlaced footage makes an interlaced sequence', () => {
  for (const [order, fcpxml, xml] of [
    ['upper', 'fieldOrder="upper first"', '<fielddominance>upper<'],
    ['lower', 'fieldOrder="lower first"', '<fielddominance>lower<'],
    ['progressive', 's" width="1920"', '<fielddominance>none<'],
  ] as const) {
    const findings = makeFindings({ media: { field_order: order } })
    const body = (format: ExportFormat) =>
      exportFile({ findings, format, source: { name: 'a' }, options: ExportOptions.parse({}) }).body
    assert.ok(body('fcpxml').includes(fcpxml), body('fcpxml').slice(0, 400))
    assert.ok(body('xml').includes(xml))
  }
})

test('a threshold chooses again from the candidates, and decisions overrule it', () => {
  const candidates: Change[] = [
    { type: 'cut', start: 100, end: 100, score: 0.9 },
    { type: 'cut', start: 200, end: 200, score: 0.4 },
    { type: 'dissolve', start: 300, end: 320, score: 0.6 },
    { type: 'cut', start: 310, end: 310, score: 0.3 },
  ]
  const spec: MadeFindings = { changes: [candidates[0]!], candidates }
  const cuts = (options: ExportOptionsInput) =>
    roundTrip('xml', spec, options).video.map((edit) => edit.recordIn)
  assert.deepEqual(cuts({}), [0, 100])
  assert.deepEqual(cuts({ threshold: '0.2' }), [0, 100, 200, 300])
  assert.deepEqual(cuts({ threshold: 0.5, rejected_shots: '100' }), [0, 300])
  assert.deepEqual(cuts({ accepted_shots: '200,777' }), [0, 100, 200, 777])
})

test('an export that cannot be made is refused with a sentence', () => {
  const findings = makeFindings()
  const ask = (format: ExportFormat, options: ExportOptionsInput, subject = findings) =>
    exportFile({
      findings: subject,
      format,
      source: { name: 'a.mov' },
      options: ExportOptions.parse(options),
    })
  const { shots: _, ...noShots } = findings
  const { transcription: __, ...noWords } = findings
  const refusals: [() => unknown, RegExp][] = [
    [() => ask('edl', { which: 'shots' }, noShots), /no shots/],
    [() => ask('edl', { which: 'selects' }), /no select/],
    [() => ask('srt', {}, noWords), /no transcript/],
    [() => ask('edl', { drop_frame: true }), /no drop-frame timecode at 25/],
    [() => ask('edl', { start_timecode: '01:00:00:25' }), /01:00:00:25 does not exist/],
    [() => ask('edl', { edl_part: 2 }), /has 1 part/],
    [() => ask('csv', { section: 'shots' }, noShots), /no shots/],
    [
      () => ask('edl', {}, { ...findings, media: { ...findings.media, kind: 'document' } }),
      /needs video or audio/,
    ],
  ]
  for (const [call, message] of refusals) {
    assert.throws(call, (error) => error instanceof ExportRefused && message.test(error.message))
  }
})

test('start timecode, drop frame and timeline start can be set by hand', () => {
  const spec: MadeFindings = { rate: '30000/1001', frames: 100 }
  const set = roundTrip('xml', spec, { start_timecode: '10:00:00;00', record_start: '01:00:00;00' })
  const format = timecodeFormat('30000/1001', true)
  assert.equal(set.dropFrame, true)
  assert.equal(set.sourceStart, parseTimecode('10:00:00;00', format))
  assert.equal(set.recordStart, parseTimecode('01:00:00;00', format))
  const plain = roundTrip('xml', { ...spec, dropFrame: true }, { drop_frame: 'false' })
  assert.equal(plain.dropFrame, false)
})

function roundTrip(
  format: TimelineFormat,
  spec: MadeFindings,
  options: ExportOptionsInput = {},
  name = 'clip.mov',
): ParsedTimeline {
  const body = exportText(format, spec, options, name)
  const [num = 25, den = 1] = (options.frame_rate ?? spec.rate ?? '25/1').split('/').map(Number)
  return parsers[format](body, spec.timeOf ? 30 : num / den)
}

/** Clip i takes part from the start of the change before it to the end of the one after it. */
function compareWithFindings(read: ParsedTimeline, spec: MadeFindings, tracks: number): void {
  const { changes = [], frames = 1000 } = spec
  const expected = [...changes, null].map((next, index) => {
    const range = [changes[index - 1]?.start ?? 0, next?.end ?? frames] as const
    return { source: [...range], record: [...range] }
  })
  assert.deepEqual(read.video.map(lengths), expected)
  assert.deepEqual(
    read.transitions,
    changes.filter((change) => change.type !== 'cut').map((change) => [change.start, change.end]),
  )
  assert.equal(read.sound.length, tracks)
  for (const track of read.sound) compareSound(track, changes, frames)
}

/** Sound is whole, in step with the picture, and cut inside each change. */
function compareSound(track: Edit[], changes: Change[], frames: number): void {
  assert.equal(track.length, changes.length + 1)
  track.forEach((edit, index) => {
    assert.equal(edit.recordIn, edit.sourceIn)
    assert.equal(edit.recordOut, edit.sourceOut)
    assert.equal(edit.recordIn, track[index - 1]?.recordOut ?? 0)
    const change = changes[index - 1]
    if (change) assert.ok(edit.recordIn >= change.start && edit.recordIn <= change.end)
  })
  assert.equal(track.at(-1)!.recordOut, frames)
}

function soundTracks(format: TimelineFormat, audio: number[]): number {
  const channels = audio.reduce((sum, count) => sum + count, 0)
  if (format === 'edl') return Math.min(4, channels)
  return format === 'xml' ? channels : audio.length
}

function lengths(edit: Edit): { source: number[]; record: number[] } {
  return { source: [edit.sourceIn, edit.sourceOut], record: [edit.recordIn, edit.recordOut] }
}

/** An EDL has no source start: its parser counts from the first event, around the 24 hours. */
function relativeTo(
  range: { source: number[]; record: number[] },
  first: number,
  spec: MadeFindings,
): { source: number[]; record: number[] } {
  const { framesPerDay } = timecodeFormat(spec.rate ?? '25/1', spec.dropFrame ?? false)
  return {
    record: range.record,
    source: range.source.map((frame) => (frame - first + framesPerDay) % framesPerDay),
  }
}

/** A change about every 40 seconds, all kinds in turn, to the last frame of three hours. */
function threeHours(spec: MadeFindings): MadeFindings {
  const [num = 25, den = 1] = spec.rate!.split('/').map(Number)
  const frames = Math.floor((3 * 3600 * num) / den)
  const kinds: Change['type'][] = ['cut', 'dissolve', 'cut', 'wipe', 'cut', 'fade']
  const step = Math.floor(frames / 271)
  const changes = Array.from({ length: 270 }, (_, index): Change => {
    const start = step * (index + 1) - (index % 7)
    const type = kinds[index % kinds.length]!
    return { type, start, end: type === 'cut' ? start : start + 11 + (index % 14) }
  })
  return {
    ...spec,
    frames,
    changes: [...changes, { type: 'cut', start: frames - 1, end: frames - 1 }],
  }
}

test('a source timecode is the same time of day at another rate', () => {
  const at = (rate: string, start: string, wanted: string, drop = false): string => {
    const findings = makeFindings({ frames: 500, rate })
    findings.media.start_timecode = start
    findings.media.drop_frame = drop
    const options = ExportOptions.parse({ frame_rate: wanted })
    const source = { name: 'clip.mov' }
    const { body } = exportFile({ findings, format: 'edl', source, options })
    return /^\d{3,6} .*?(\d\d:\d\d:\d\d[:;]\d\d)/m.exec(body)?.[1] ?? body
  }
  assert.equal(at('50/1', '10:00:00:30', '25'), '10:00:00:15')
  assert.equal(at('50/1', '10:00:00:20', '25'), '10:00:00:10')
  assert.equal(at('25/1', '10:00:00:20', '50'), '10:00:00:40')
  assert.equal(at('24000/1001', '10:00:00:12', '25'), '10:00:00:13')
})
