/**
 * The items of a sync group as every format writes them: one clip for each angle, all on one clock.
 * The earliest begins at the first frame; the others lie at the nearest frame to their offset.
 */
import { newRange } from '../../../domain/cuts/cut-edit.ts'
import { CutExportOptions } from '../../../contract/footage/cuts.ts'
import { sourceFrames } from '../../../domain/cuts/cut-times.ts'
import type { CutSource } from '../../../contract/footage/cuts.ts'
import {
  compare,
  formatRational,
  multiply,
  parseRational,
  round,
  subtract,
  toNumber,
} from '../../../domain/time/rational.ts'
import type { Rational } from '../../../domain/time/rational.ts'
import { audioRate } from '../../../domain/time/source-times.ts'
import type { SyncExportOptions } from '../../../contract/footage/syncs.ts'
import type { SyncExportFormat } from '../../../domain/export-formats.ts'
import { convertTimecode } from '../../../domain/time/source-timecode.ts'
import { canDropFrame, countedRate } from '../../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { buildCutTimeline } from '../cut/timeline.ts'
import type { CutClip, CutTimeline, TrackSource } from '../cut/timeline.ts'
import { ExportRefused } from '../refused.ts'

export interface SyncExportItem extends Pick<
  CutSource,
  'content_id' | 'name' | 'offline' | 'media' | 'frame_times'
> {
  folder?: string | null
  /** Exact seconds of the reference. */
  offset: string
  driftPpm: number | null
  isReference: boolean
}

export interface SyncExportInput {
  sync: { name: string; items: SyncExportItem[] }
  /** Names of items that belong to no group, or to another one. */
  leftOut: string[]
  format: SyncExportFormat
  options: SyncExportOptions
}

export interface SyncClip extends CutClip {
  item: SyncExportItem
  /** Seconds of the source for each second of the timeline: 1 where its drift is not corrected. */
  speed: number
}

/** Which formats hold a clip that runs a few millionths faster or slower. */
const carriesSpeed: Record<SyncExportFormat, boolean> = {
  fcpxml: false,
  xml: true,
  otio: true,
  edl: false,
  csv: true,
}

/** From here on a drift can be seen. */
const seenDriftFrames = 0.5

export interface SyncTimeline extends Omit<CutTimeline, 'clips'> {
  /** In the order of the items; they overlap. */
  clips: SyncClip[]
}

export function buildSyncTimeline(input: SyncExportInput): SyncTimeline {
  const { sync, options } = input
  if (sync.items.length < 2) throw new ExportRefused('There are no items in sync to export.')
  const seen = sync.items.find(({ media }) => media.kind === 'video' && media.frame_rate)
  const rate = countedRate(parseRational(seen?.media.frame_rate ?? audioRate)!)
  const timeline = buildCutTimeline({
    cut: {
      name: sync.name,
      frame_rate: formatRational(rate),
      drop_frame: (seen?.media.drop_frame ?? false) && canDropFrame(rate),
      start_timecode: '00:00:00:00',
      target_seconds: null,
      version: 1,
      ranges: sync.items.map(({ content_id, media }) =>
        newRange({ content_id, in: 0, out: sourceFrames(media) }),
      ),
    },
    sources: sync.items,
    transcripts: [],
    comments: [],
    format: 'json',
    options: CutExportOptions.parse({
      title: options.title,
      full_reel: options.full_reel,
      media_path: options.media_path,
      fcpxml_version: options.fcpxml_version,
    }),
  })
  const offsets = sync.items.map((item) => parseRational(item.offset)!)
  const first = offsets.reduce((least, offset) => (compare(offset, least) < 0 ? offset : least))
  const clips = timeline.clips.map((clip, index): SyncClip => {
    const recordIn = Number(round(multiply(subtract(offsets[index]!, first), rate)))
    const item = sync.items[index]!
    const speed = speedOf(item, rate, input)
    const recordOut = recordIn + Math.round((clip.recordOut - clip.recordIn) / speed)
    return { ...clip, recordIn, recordOut, item, speed }
  })
  const earliest = clips.find((clip) => clip.recordIn === 0)!
  return {
    ...timeline,
    clips,
    recordStart: startOf(earliest.source, timeline.format),
    frames: Math.max(...clips.map((clip) => clip.recordOut)),
    notes: [...timeline.notes, ...notesOf(clips, rate, input.leftOut)],
  }
}

/** Where the earliest counts at another rate, the group starts at zero. */
function startOf({ conformed, grid, media }: TrackSource, to: TimecodeFormat): number {
  if (conformed) return 0
  return convertTimecode(grid.startFrame, { kind: media.kind, from: grid.format, to })
}

function speedOf(
  item: SyncExportItem,
  rate: Rational,
  { format, options }: Pick<SyncExportInput, 'format' | 'options'>,
): number {
  const wanted = options.correct_drift
  const isWanted =
    wanted === undefined
      ? driftFrames(item, rate) >= seenDriftFrames
      : wanted.split(',').includes(item.content_id)
  if (!isWanted || !carriesSpeed[format] || item.isReference) return 1
  return 1 / (1 + (item.driftPpm ?? 0) / 1e6)
}

/** How many frames an item is off at its end. */
function driftFrames({ driftPpm, media }: SyncExportItem, rate: Rational): number {
  return (Math.abs(driftPpm ?? 0) / 1e6) * media.duration * toNumber(rate)
}

function notesOf(clips: readonly SyncClip[], rate: Rational, leftOut: readonly string[]): string[] {
  const notes = leftOut.map((name) => `${name}: not in sync, left out.`)
  for (const { source, item, speed } of clips) {
    const frames = driftFrames(item, rate)
    if (frames < seenDriftFrames && speed === 1) continue
    const outcome =
      speed === 1 ? 'it is not retimed' : `it is retimed to ${(speed * 100).toFixed(4)} %`
    notes.push(
      `${source.name}: its clock drifts by ${item.driftPpm?.toFixed(1)} ppm, ` +
        `${frames.toFixed(1)} frames over its length; ${outcome}.`,
    )
  }
  return notes
}
