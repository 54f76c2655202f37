/** Random cuts over clips of eight rates, read by parsers of their own: 0 frames off. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { newRange } from '../../domain/cuts/cut-edit.ts'
import { CutExportOptions } from '../../contract/footage/cuts.ts'
import { cutExportFormats } from '../../domain/export-formats.ts'
import type { CutExportFormat } from '../../domain/export-formats.ts'
import { fcpxmlVersions } from '../../contract/footage/export-options.ts'
import { standardRates } from '../../domain/time/timecode.ts'
import {
  parseCutEdl,
  parseCutFcpxml,
  parseCutOtio,
  parseCutXmeml,
} from '../../test/export-parsers/cut.ts'
import type { ParsedCut } from '../../test/export-parsers/cut.ts'
import { fcpxmlFaults } from '../../test/export-parsers/fcpxml.ts'
import { xmemlFaults } from '../../test/export-parsers/xmeml.ts'
import { mediaOf } from '../../test/support/library-clips.ts'
import { isWholeRun } from '../../test/support/slow.ts'
import { exportFile } from '../export.ts'
import type { CutExport } from '../export.ts'

const rateNames = [...new Set(standardRates.map(({ rate }) => rate))]
const clipFrames = 4000

/** One clip of every rate, drop frame where it exists. */
const sources: CutExport['sources'] = standardRates.map(({ rate, dropFrame }, index) => ({
  content_id: `00000000-0000-4000-8000-00000000000${index}`,
  name: `Clip ${index}.mov`,
  offline: false,
  media: mediaOf({
    name: '',
    frames: clipFrames,
    rate,
    media: {
      start_timecode: `0${index}:00:00${dropFrame ? ';' : ':'}12`,
      drop_frame: dropFrame,
      reel: `R${index}`,
    },
  }),
  frame_times: null,
}))

const randomRange = fc
  .record({
    clip: fc.integer({ min: 0, max: sources.length - 1 }),
    in: fc.integer({ min: 0, max: clipFrames - 1 }),
    length: fc.integer({ min: 1, max: 600 }),
    removed: fc.array(
      fc.record({
        from: fc.integer({ min: 0, max: 600 }),
        length: fc.integer({ min: 1, max: 60 }),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ clip, in: from, length, removed }) =>
    newRange({
      content_id: sources[clip]!.content_id,
      in: from,
      out: Math.min(clipFrames, from + length),
      removed: removed.map((span) => ({
        in: from + span.from,
        out: from + span.from + span.length,
      })),
    }),
  )

const randomCut = fc.record({
  timeline: fc.constantFrom(...standardRates),
  ranges: fc.array(randomRange, { minLength: 1, maxLength: 12 }),
})

interface Meant {
  clip: number
  sourceIn: number
  recordIn: number
  recordOut: number
}

/** The meaning of the cut, counted by plain sets of frames and whole numbers. */
function meantOf(rate: string, ranges: CutExport['cut']['ranges']): Meant[] {
  const meant: Meant[] = []
  let record = 0
  for (const range of ranges) {
    if (range.disabled) continue
    const clip = sources.findIndex((source) => source.content_id === range.content_id)
    const kept: number[] = []
    for (let frame = range.in; frame < range.out; frame++) {
      if (!range.removed.some((span) => frame >= span.in && frame < span.out)) kept.push(frame)
    }
    let start = 0
    for (let at = 1; at <= kept.length; at++) {
      if (kept[at] === kept[at - 1]! + 1) continue
      const [sourceIn, frames] = [kept[start]!, at - start]
      const length = Math.max(
        1,
        Math.min(
          onRate(frames, standardRates[clip]!.rate, rate, 'round'),
          onRate(clipFrames - sourceIn, standardRates[clip]!.rate, rate, 'floor'),
        ),
      )
      meant.push({ clip, sourceIn, recordIn: record, recordOut: record + length })
      record += length
      start = at
    }
  }
  return meant
}

function onRate(frames: number, from: string, to: string, how: 'round' | 'floor'): number {
  const [fromNum, fromDen] = from.split('/').map(BigInt) as [bigint, bigint]
  const [toNum, toDen] = to.split('/').map(BigInt) as [bigint, bigint]
  const num = BigInt(frames) * fromDen * toNum
  const den = fromNum * toDen
  return Number(how === 'floor' ? num / den : (num * 2n + den) / (den * 2n))
}

test('a timeline has the size that was chosen, or that of its first clip', () => {
  const [timeline] = standardRates
  const range = newRange({ content_id: sources[0]!.content_id, in: 0, out: 20 })
  const sizeIn = (format: 'fcpxml' | 'xml', frameSize: CutExport['cut']['frame_size']) => {
    const input = inputOf(timeline!, [range])
    const cut = { ...input.cut, frame_size: frameSize }
    const body = String(exportFile({ ...input, cut, format }).body)
    const first = format === 'xml' ? /<width>(\d+)<\/width>\s*<height>(\d+)/ : firstFormat
    return first.exec(body)?.slice(1).map(Number)
  }
  const { width, height } = sources[0]!.media
  for (const format of ['fcpxml', 'xml'] as const) {
    assert.deepEqual(sizeIn(format, null), [width, height], format)
    assert.deepEqual(sizeIn(format, { width: 1080, height: 1350 }), [1080, 1350], format)
  }
})

const firstFormat = /<format [^>]*width="(\d+)" height="(\d+)"/

function inputOf(
  timeline: (typeof standardRates)[number],
  ranges: CutExport['cut']['ranges'],
  options: object = {},
): Omit<CutExport, 'format'> {
  return {
    cut: {
      name: 'Opening',
      frame_rate: timeline.rate,
      drop_frame: timeline.dropFrame,
      start_timecode: `01:00:00${timeline.dropFrame ? ';' : ':'}00`,
      target_seconds: null,
      ranges,
      version: 3,
    },
    sources,
    transcripts: [],
    comments: [{ at: 0, out: 1, name: 'Ines', text: 'Love the <first> line' }],
    options: CutExportOptions.parse(options),
  }
}

function parsed(
  format: CutExportFormat,
  body: string,
  timeline: (typeof standardRates)[number],
): ParsedCut {
  if (format === 'fcpxml') return parseCutFcpxml(body)
  if (format === 'xml') return parseCutXmeml(body)
  if (format === 'otio') return parseCutOtio(body)
  const known = standardRates.map(
    ({ rate }, index) =>
      [`R${index}`, { start: sources[index]!.media.start_timecode!, fps: fpsOf(rate) }] as const,
  )
  return parseCutEdl(body, fpsOf(timeline.rate), new Map(known))
}

function fpsOf(rate: string): number {
  const [num, den] = rate.split('/').map(Number) as [number, number]
  return den === 1 ? num : Math.round((num / den) * 100) / 100
}

test('every format holds the frames of a random cut, 0 off', () => {
  const runs = isWholeRun ? 80 : 25
  assert.equal(rateNames.length, 8)
  let clips = 0
  fc.assert(
    fc.property(randomCut, ({ timeline, ranges }) => {
      const meant = meantOf(timeline.rate, ranges)
      fc.pre(meant.length > 0)
      for (const format of ['edl', 'fcpxml', 'xml', 'otio'] as const) {
        const { body } = exportFile({
          ...inputOf(timeline, ranges, { comments: true }),
          format,
        })
        const read = parsed(format, String(body), timeline)
        assert.deepEqual(
          read.edits,
          meant.map(({ clip, ...edit }) => ({
            source: format === 'edl' ? `R${clip}` : `/Clip ${clip}.mov`,
            ...edit,
          })),
          `${format} at ${timeline.label}`,
        )
        assert.equal(read.markers[0]?.at, 0)
        assert.match(read.markers[0]?.text ?? '', /Love the <first> line$/)
      }
      clips += meant.length
    }),
    { numRuns: runs },
  )
  assert.ok(clips > 3 * runs)
})

/** Every kind of source: sound alone, video alone, a variable rate, one that was deleted. */
function everything(): Omit<CutExport, 'format'> {
  const more: CutExport['sources'] = [
    {
      content_id: '00000000-0000-4000-8000-0000000000a0',
      name: 'Recorder & <boom>.wav',
      offline: false,
      media: mediaOf({
        name: '',
        frames: 0,
        media: {
          kind: 'audio',
          frame_rate: null,
          duration: 10.3,
          duration_time: '103/10',
          width: null,
          height: null,
        },
      }),
      frame_times: null,
    },
    {
      content_id: '00000000-0000-4000-8000-0000000000b0',
      name: 'Clip 0.mov',
      offline: true,
      media: mediaOf({ name: '', frames: 100, rate: '25/1', media: { audio: [] } }),
      frame_times: null,
    },
    {
      content_id: '00000000-0000-4000-8000-0000000000c0',
      name: 'Phone.mov',
      offline: false,
      media: mediaOf({
        name: '',
        frames: 300,
        rate: '2997/100',
        media: { variable_frame_rate: true, rotation: 90, duration_time: '11/1' },
      }),
      frame_times: [
        [0, '0/1'],
        [100, '3/1'],
        [300, '11/1'],
      ],
    },
  ]
  const range = (content_id: string, from: number, to: number) =>
    newRange({ content_id, in: from, out: to, name: 'A & "B" <C>', note: 'keep </note>' })
  const base = inputOf(standardRates[3]!, [
    range(sources[0]!.content_id, 0, 500),
    range(more[0]!.content_id, 0, 257),
    range(more[1]!.content_id, 10, 100),
    range(more[2]!.content_id, 0, 300),
    range(sources[0]!.content_id, 100, 200),
  ])
  return {
    ...base,
    sources: [...sources, ...more],
    transcripts: [
      {
        content_id: sources[0]!.content_id,
        language: 'en',
        joiner: ' ',
        words: [
          { text: 'Hello <b>&', in: 10, out: 40, speaker: null },
          { text: 'again.', in: 110, out: 140, speaker: 'Lena' },
        ],
      },
    ],
  }
}

test('a cut of every kind of source follows the grammars', () => {
  const input = everything()
  for (const version of fcpxmlVersions) {
    const options = CutExportOptions.parse({
      fcpxml_version: version,
      captions: true,
      comments: true,
    })
    const body = String(exportFile({ ...input, options, format: 'fcpxml' }).body)
    assert.deepEqual(fcpxmlFaults(body), [])
  }
  const options = CutExportOptions.parse({ comments: true })
  const body = String(exportFile({ ...input, options, format: 'xml' }).body)
  assert.deepEqual(xmemlFaults(body), [])
})

test('an ALE has one rate: sources of several come as a file for each, over midnight too', () => {
  const [film, , pal, drop] = sources
  const night = { ...drop!, media: { ...drop!.media, start_timecode: '23:59:58;12' } }
  const input = inputOf(
    standardRates[2]!,
    [film!, pal!, night].map(({ content_id }) => newRange({ content_id, in: 0, out: 50 })),
  )
  const used = [film!, pal!, night]
  const file = exportFile({ ...input, sources: used, format: 'ale' })
  assert.deepEqual([file.fileName, file.contentType], ['Opening.ale.zip', 'application/zip'])
  const bodies = Buffer.from(file.body as Uint8Array)
    .toString()
    .split('Heading\r\n')
    .slice(1)
  const read = bodies.map((body) => [
    /^FPS\t(.*)\r$/m.exec(body)?.[1],
    ...(/\r\nData\r\n([^\r]*)/.exec(body)?.[1]?.split('\t').slice(0, 5) ?? []),
  ])
  assert.deepEqual(read, [
    ['23.976', film!.name, 'VA1A2', '00:00:00:12', '00:02:47:04', '00:02:46:16'],
    ['25', pal!.name, 'VA1A2', '02:00:00:12', '02:02:40:12', '00:02:40:00'],
    ['29.97', night.name, 'VA1A2', '23:59:58;12', '24:02:11;26', '00:02:13;14'],
  ])
  const alone = exportFile({
    ...input,
    sources: [pal!],
    format: 'ale',
    cut: { ...input.cut, ranges: input.cut.ranges.slice(1, 2) },
  })
  assert.deepEqual([alone.fileName, typeof alone.body], ['Opening.ale', 'string'])
})

test('an ALE names the length of each clip in its own timecode', () => {
  const source = sources.find(({ media }) => media.frame_rate === '50/1')!
  const media = { ...source.media, frames: 540, duration: 10.8, duration_time: '54/5' }
  const input = everything()
  const body = exportFile({
    ...input,
    cut: {
      ...input.cut,
      frame_rate: '25/1',
      drop_frame: false,
      ranges: [newRange({ content_id: source.content_id, in: 0, out: 540 })],
    },
    sources: [{ ...source, media }],
    transcripts: [],
    comments: [],
    format: 'ale',
  }).body
  const table = String(body)
    .split(/\r?\n/)
    .map((line) => line.split('\t'))
  const names = table[table.findIndex(([name]) => name === 'Column') + 1]!
  const row = table[table.findIndex(([name]) => name === 'Data') + 1]!
  const cell = (name: string): string => row[names.indexOf(name)] ?? ''
  assert.equal(cell('Duration'), '00:00:10:40')
  assert.equal(cell('Start'), source.media.start_timecode)
})

test('every format is made of every kind of source, and equal names stay apart', () => {
  const input = everything()
  for (const format of cutExportFormats) {
    const { body, notes } = exportFile({ ...input, format })
    assert.ok(body.length > 100, format)
    assert.ok(notes.some((note) => note.includes('offline')))
  }
  const edl = String(exportFile({ ...input, format: 'edl' }).body)
  const reels = edl.split('\r\n').flatMap((line) => /^\d+ {2}(\S+)/.exec(line)?.[1] ?? [])
  assert.deepEqual(reels, ['R0', 'RECORDER', 'CLIP_0', 'PHONE', 'R0'])
  const srt = String(exportFile({ ...input, format: 'srt' }).body)
  assert.match(srt, /00:00:00,434 --> .*\nHello <b>&\n/)
  const paper = String(exportFile({ ...input, format: 'html' }).body)
  assert.ok(!paper.includes('<b>&'))
  assert.ok(!paper.includes('</note>'))
})

test('a comment stays on its frame when handles make the timeline longer', () => {
  const range = (from: number, to: number) =>
    newRange({ content_id: sources[2]!.content_id, in: from, out: to })
  const base = inputOf(standardRates[2]!, [range(100, 200), range(5, 50)], {
    comments: true,
    handle_frames: 10,
  })
  const comments = [
    { at: 30, out: 31, name: 'Ines', text: 'first' },
    { at: 110, out: 120, name: 'Ines', text: 'second' },
    { at: 9999, out: 10_000, name: 'Ines', text: 'after the end' },
  ]
  const read = parseCutXmeml(String(exportFile({ ...base, comments, format: 'xml' }).body))
  assert.deepEqual(
    read.edits.map((edit) => [edit.sourceIn, edit.recordIn, edit.recordOut]),
    [
      [90, 0, 120],
      [0, 120, 180],
    ],
  )
  // Frame 130 of the first clip and frame 15 of the second, as in the cut.
  assert.deepEqual(
    read.markers.map((marker) => marker.at),
    [40, 135],
  )
})
