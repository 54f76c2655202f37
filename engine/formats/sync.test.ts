/** Random offsets over cameras of several rates, read from every format by parsers of their own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { fcpxmlVersions } from '../../contract/footage/export-options.ts'
import { SyncExportOptions } from '../../contract/footage/syncs.ts'
import type { SyncExportFormat } from '../../domain/export-formats.ts'
import {
  parseAngleEdl,
  parseMulticam,
  parseStackedOtio,
  parseStackedXmeml,
} from '../../test/export-parsers/sync.ts'
import { fcpxmlFaults } from '../../test/export-parsers/fcpxml.ts'
import { xmemlFaults } from '../../test/export-parsers/xmeml.ts'
import { mediaOf } from '../../test/support/library-clips.ts'
import { isWholeRun } from '../../test/support/slow.ts'
import { exportFile } from '../export.ts'
import type { SyncExport } from '../export.ts'

const frames = 500

function inputOf(offsets: readonly number[], rates: readonly string[]) {
  const items: SyncExport['sync']['items'] = offsets.map((offset, index) => ({
    content_id: `00000000-0000-4000-8000-00000000000${index}`,
    name: `Camera ${index} & <co>.mov`,
    offline: false,
    media: mediaOf({
      name: '',
      frames,
      rate: rates[index % rates.length]!,
      media: { start_timecode: `0${index + 1}:00:00:00`, reel: `R${index}` },
    }),
    frame_times: null,
    offset: `${offset}/48000`,
    driftPpm: index === 1 ? 90 : 0,
    isReference: index === 0,
  }))
  return (format: SyncExportFormat, options: object = {}): SyncExport => ({
    sync: { name: 'Mill interview', items },
    leftOut: ['Camera C.mov'],
    format,
    options: SyncExportOptions.parse(options),
  })
}

const randomOffsets = fc.array(fc.integer({ min: -30 * 48_000, max: 30 * 48_000 }), {
  minLength: 2,
  maxLength: 6,
})

/** Nearest frame of 25 fps to where each begins after the earliest. */
function meantPlaces(offsets: readonly number[]): number[] {
  const first = Math.min(...offsets)
  return offsets.map((offset) => Math.floor(((offset - first) * 25 * 2 + 48_000) / 96_000))
}

test('every format holds each angle where it was placed, 0 frames off', () => {
  fc.assert(
    fc.property(randomOffsets, (offsets) => {
      const input = inputOf(offsets, ['25/1', '50/1', '24000/1001'])
      const places = meantPlaces(offsets)
      const name = (index: number): string => `/Camera ${index} & <co>.mov`
      const read = (format: SyncExportFormat, options = {}) =>
        String(exportFile(input(format, options)).body)
      const angles = parseMulticam(read('fcpxml'))
      const stack = parseStackedXmeml(read('xml'))
      const videos = stack.filter((track) => track.kind === 'video')
      const otio = parseStackedOtio(read('otio')).filter((track) => track.kind === 'Video')
      const csv = read('csv').trim().split('\r\n').slice(1)
      for (const [index, place] of places.entries()) {
        for (const parsed of [angles, videos, otio]) {
          assert.equal(parsed[index]!.source, name(index))
          assert.equal(parsed[index]!.sourceIn, 0)
          assert.equal(parsed[index]!.recordIn, place)
        }
        const lasts = angles[index]!.recordOut - place
        assert.equal(videos[index]!.recordOut - place, lasts)
        assert.equal(otio[index]!.recordOut - place, lasts)
        const { record } = parseAngleEdl(
          read('edl', { angle: `00000000-0000-4000-8000-00000000000${index}` }),
          25,
        )
        assert.equal(record[1]! - record[0]!, lasts)
        assert.ok(csv[index]!.includes(`,${place},${place + lasts},`), csv[index])
      }
      assert.equal(csv.length, offsets.length)
      // Picture and sound of an angle move together.
      for (const track of stack) {
        const own = stack.filter((other) => other.source === track.source).map(({ id }) => id)
        assert.deepEqual(track.linked.toSorted(), own.toSorted())
      }
    }),
    { numRuns: isWholeRun ? 40 : 15 },
  )
})

test('a multicam clip and stacked tracks follow the grammars', () => {
  const input = inputOf([0, 12_345, 96_000], ['25/1', '30000/1001'])
  for (const version of fcpxmlVersions) {
    const body = String(exportFile(input('fcpxml', { fcpxml_version: version })).body)
    assert.deepEqual(fcpxmlFaults(body), [])
    assert.equal(parseMulticam(body).length, 3)
  }
  const retimed = { correct_drift: '00000000-0000-4000-8000-000000000001' }
  for (const options of [{}, retimed]) {
    const xmeml = String(exportFile(input('xml', options)).body)
    assert.deepEqual(xmemlFaults(xmeml), [])
  }
})

test('items that are left out or drift have a note, and one item alone is refused', () => {
  const input = inputOf([0, 0], ['25/1'])
  const long = input('csv')
  long.sync.items[1]!.media = { ...long.sync.items[1]!.media, duration: 3600 }
  const { notes } = exportFile(long)
  assert.ok(notes.some((note) => /Camera C\.mov: not in sync, left out/.test(note)))
  assert.ok(notes.some((note) => /drifts by 90\.0 ppm, 8\.1 frames/.test(note)))
  assert.throws(() => exportFile(inputOf([0], ['25/1'])('fcpxml')), /no items in sync/)
})

test('a drift is corrected where the format can carry it: by itself, by name, or not at all', () => {
  const input = inputOf([0, 0], ['25/1'])
  const idOf = (index: number): string => `00000000-0000-4000-8000-00000000000${index}`
  /** An hour of 90 ppm is 8.1 frames; twenty seconds of it are none that anyone could see. */
  const read = (format: SyncExportFormat, options: object, seconds: number) => {
    const order = input(format, options)
    const { media } = order.sync.items[1]!
    const frames = seconds * 25
    order.sync.items[1]!.media = {
      ...media,
      duration: seconds,
      duration_time: `${seconds}/1`,
      frames,
    }
    const { body, notes } = exportFile(order)
    return { body: String(body), notes: notes.join(' ') }
  }
  const slow = 1 / 1.00009
  const speeds = (options: object, seconds: number): number[] => [
    parseStackedXmeml(read('xml', options, seconds).body).findLast(
      (track) => track.kind === 'video',
    )!.speed!,
    parseStackedOtio(read('otio', options, seconds).body).findLast(
      (track) => track.kind === 'Video',
    )!.speed!,
  ]
  const isNear = (speeds: readonly number[], meant: number): void => {
    for (const speed of speeds) assert.ok(Math.abs(speed - meant) < 1e-7, `${speed}`)
  }
  isNear(speeds({}, 3600), slow)
  isNear(speeds({}, 20), 1)
  isNear(speeds({ correct_drift: idOf(1) }, 20), slow)
  isNear(speeds({ correct_drift: 'none' }, 3600), 1)
  isNear(speeds({ correct_drift: idOf(0) }, 3600), 1)
  // Slower than its source, it lasts as many frames longer as it drifts.
  const [, angle] = parseStackedXmeml(read('xml', {}, 3600).body).filter(
    (track) => track.kind === 'video',
  )
  assert.equal(angle!.recordOut - angle!.recordIn, 90_008)
  assert.match(read('xml', {}, 3600).notes, /retimed to 99\.9910 %/)
  assert.match(read('fcpxml', {}, 3600).notes, /8\.1 frames over its length; it is not retimed/)
  const row = read('csv', {}, 3600).body.split('\r\n')[2]!
  assert.ok(row.includes(',90,0.999910008,'), row)
})
