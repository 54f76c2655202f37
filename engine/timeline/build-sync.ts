/**
 * A group of a sync as a timeline: a track with one item for each angle, all on one clock. The
 * earliest begins at the first frame; the others lie at the nearest frame to their offset.
 */
import type { SyncExportOptions } from '../../contract/footage/syncs.ts'
import { sourceFrames } from '../../domain/cuts/cut-times.ts'
import type { SyncExportFormat } from '../../domain/export-formats.ts'
import {
  compare,
  multiply,
  parseRational,
  round,
  subtract,
  toNumber,
} from '../../domain/time/rational.ts'
import type { Rational } from '../../domain/time/rational.ts'
import { convertTimecode } from '../../domain/time/source-timecode.ts'
import { audioRate } from '../../domain/time/source-times.ts'
import { canDropFrame, countedRate, timecodeFormat } from '../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../domain/time/timecode.ts'
import { frameOf, placeSources, placeSpan, sourceNotes, titleOf } from './build-cut.ts'
import type { CutExportSource } from './build-cut.ts'
import { ExportRefused } from './refused.ts'
import type { Angle, Carries, Item, Source, Timeline, Track } from './timeline.ts'

type SyncExportItem = CutExportSource & Angle

export interface SyncExport {
  sync: { name: string; items: SyncExportItem[] }
  /** Names of items that belong to no group, or to another one. */
  leftOut: string[]
  format: SyncExportFormat
  options: SyncExportOptions
}

/** From here on a drift can be seen. */
const seenDriftFrames = 0.5

export function buildSyncTimeline(
  { sync, leftOut, options }: Omit<SyncExport, 'format'>,
  carries: Carries,
): Timeline {
  if (sync.items.length < 2) throw new ExportRefused('There are no items in sync to export.')
  const seen = sync.items.find(({ media }) => media.kind === 'video' && media.frame_rate)
  const rate = countedRate(parseRational(seen?.media.frame_rate ?? audioRate)!)
  const format = timecodeFormat(rate, (seen?.media.drop_frame ?? false) && canDropFrame(rate))
  const placed = placeSources(sync.items, options, format)
  const offsets = sync.items.map((item) => parseRational(item.offset)!)
  const first = offsets.reduce((min, offset) => (compare(offset, min) < 0 ? offset : min))
  const drifts = sync.items.map((item) => driftFrames(item, rate))
  const tracks = sync.items.map((angle, index): Track => {
    const known = placed.get(angle.content_id)!
    const span = { in: 0, out: sourceFrames(angle.media) }
    const { length, ...frames } = placeSpan(known, span, rate)
    const isWanted =
      options.correct_drift?.split(',').includes(angle.content_id) ??
      drifts[index]! >= seenDriftFrames
    const isRetimed = isWanted && carries.speed && !angle.isReference
    const speed = isRetimed ? 1 / (1 + (angle.driftPpm ?? 0) / 1e6) : 1
    const recordIn = Number(round(multiply(subtract(offsets[index]!, first), rate)))
    const recordOut = recordIn + Math.round(length / speed)
    const { source } = known
    const places = { ...frames, recordIn, recordOut, speed, transition: null, range: null }
    return { items: [{ source, name: source.name, note: '', ...places }], angle }
  })
  const items = tracks.map((track) => track.items[0]!)
  const sources = items.map((item) => item.source)
  const chosen = options.angle
    ? sources.findIndex((source) => source.contentId === options.angle)
    : 0
  if (!carries.angles && chosen < 0) {
    throw new ExportRefused('This item is not in the group that is exported.')
  }
  return {
    title: titleOf(options.title, sync.name),
    format,
    recordStart: startOf(items.find((item) => item.recordIn === 0)!.source, format),
    frames: Math.max(...items.map((item) => item.recordOut)),
    frame: frameOf(sources, null),
    sources: carries.angles ? sources : [sources[chosen]!],
    tracks: carries.angles ? tracks : [tracks[chosen]!],
    markers: [],
    notes: [
      ...sourceNotes(sources, format),
      ...leftOut.map((name) => `${name}: not in sync, left out.`),
      ...tracks.flatMap((track, index) => driftNote(items[index]!, track.angle!, drifts[index]!)),
    ],
  }
}

/** The start of the group; zero if the earliest item counts at another rate. */
function startOf({ conformed, grid, media }: Source, to: TimecodeFormat): number {
  if (conformed) return 0
  return convertTimecode(grid.startFrame, { kind: media.kind, from: grid.format, to })
}

/** Number of frames by which an item is off at its end. */
function driftFrames({ driftPpm, media }: SyncExportItem, rate: Rational): number {
  return (Math.abs(driftPpm ?? 0) / 1e6) * media.duration * toNumber(rate)
}

function driftNote({ source, speed }: Item, { driftPpm }: Angle, frames: number): string[] {
  if (frames < seenDriftFrames && speed === 1) return []
  const outcome =
    speed === 1 ? 'it is not retimed' : `it is retimed to ${(speed * 100).toFixed(4)} %`
  return [
    `${source.name}: its clock drifts by ${driftPpm?.toFixed(1)} ppm, ` +
      `${frames.toFixed(1)} frames over its length; ${outcome}.`,
  ]
}
