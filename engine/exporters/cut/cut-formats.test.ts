/** Random cuts over clips of eight rates, read from four formats by parsers of their own: 0 frames off. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { newRange } from '../../../contract/cut-edit.ts'
import { CutExportOptions } from '../../../contract/cuts.ts'
import type { CutExportFormat } from '../../../contract/cuts.ts'
import { standardRates } from '../../../contract/timecode.ts'
import {
  parseCutEdl,
  parseCutFcpxml,
  parseCutOtio,
  parseCutXmeml,
} from '../../../test/export-parsers/cut.ts'
import type { ParsedCut } from '../../../test/export-parsers/cut.ts'
import { mediaOf } from '../../../test/support/library-clips.ts'
import { exportCut } from '../../export-cut.ts'
import type { CutExportInput } from '../../export-cut.ts'

const rateNames = [...new Set(standardRates.map((one) => one.rate))]
const clipFrames = 4000

/** One clip of every rate, drop frame where it exists. */
const sources: CutExportInput['sources'] = standardRates.map(({ rate, dropFrame }, index) => ({
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

/** What the cut means, counted here by plain sets of frames and whole numbers. */
function meantOf(rate: string, ranges: CutExportInput['cut']['ranges']): Meant[] {
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

function inputOf(
  timeline: (typeof standardRates)[number],
  ranges: CutExportInput['cut']['ranges'],
  options: object = {},
): Omit<CutExportInput, 'format'> {
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
    (one, index) =>
      [
        `R${index}`,
        { start: sources[index]!.media.start_timecode!, fps: fpsOf(one.rate) },
      ] as const,
  )
  return parseCutEdl(body, fpsOf(timeline.rate), new Map(known))
}

function fpsOf(rate: string): number {
  const [num, den] = rate.split('/').map(Number) as [number, number]
  return den === 1 ? num : Math.round((num / den) * 100) / 100
}

test('every format holds the frames of a random cut, 0 off', () => {
  assert.equal(rateNames.length, 8)
  let clips = 0
  fc.assert(
    fc.property(randomCut, ({ timeline, ranges }) => {
      const meant = meantOf(timeline.rate, ranges)
      fc.pre(meant.length > 0)
      for (const format of ['edl', 'fcpxml', 'xml', 'otio'] as const) {
        const { body } = exportCut({
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
    { numRuns: 150 },
  )
  assert.ok(clips > 500)
})
