/** A sync group as lists: CSV for all angles, an EDL for one. */
import { CutExportOptions } from '../../../contract/footage/cuts.ts'
import { toNumber, parseRational } from '../../../domain/time/rational.ts'
import type { SyncExportOptions } from '../../../contract/footage/syncs.ts'
import { rateLabel, toTimecode } from '../../../domain/time/timecode.ts'
import { fail } from '../compare.ts'
import { makeCutEdl } from '../cut/edl.ts'
import { csvField } from '../lists/csv.ts'
import { readCsv } from '../lists/read.ts'
import { ExportRefused } from '../refused.ts'
import type { SyncTimeline } from './timeline.ts'

const columns = [
  'angle',
  'clip',
  'reel',
  'reference',
  'offset_seconds',
  'offset',
  'drift_ppm',
  'speed',
  'record_in',
  'record_out',
  'record_in_frame',
  'record_out_frame',
  'source_start',
  'source_rate',
  'path',
] as const

export function makeSyncCsv(timeline: SyncTimeline): string {
  const { format, recordStart } = timeline
  const rows = timeline.clips.map(({ source, item, recordIn, recordOut, speed }, index) => [
    String(index + 1),
    source.name,
    source.reel,
    item.isReference ? 'yes' : 'no',
    toNumber(parseRational(item.offset)!).toFixed(6),
    item.offset,
    item.driftPpm === null ? '' : String(item.driftPpm),
    speed === 1 ? '1' : speed.toFixed(9),
    toTimecode(recordStart + recordIn, format),
    toTimecode(recordStart + recordOut, format),
    String(recordIn),
    String(recordOut),
    toTimecode(source.grid.startFrame, source.grid.format),
    rateLabel(source.grid.format.rate),
    source.path,
  ])
  const lines = [columns.join(','), ...rows.map((row) => row.map(csvField).join(','))]
  const body = `${lines.join('\r\n')}\r\n`
  const read = readCsv(body)
  if (read.length !== rows.length + 1) fail('the number of rows')
  rows.forEach((row, index) => {
    for (const at of [4, 10, 11]) {
      if (read[index + 1]![at] !== row[at]) fail(`row ${index + 1}: ${columns[at]}`)
    }
  })
  return body
}

/** A CMX3600 list has one picture track, so it holds one angle. */
export function makeSyncEdl(timeline: SyncTimeline, { angle }: SyncExportOptions): string {
  const clip = angle
    ? timeline.clips.find(({ source }) => source.contentId === angle)
    : timeline.clips[0]
  if (!clip) throw new ExportRefused('This item is not in the group that is exported.')
  return makeCutEdl(
    { ...timeline, clips: [clip], sources: [clip.source] },
    CutExportOptions.parse({}),
  )
}
