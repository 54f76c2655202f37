/** JSON: the findings of a job, with a moved threshold applied, or the list of a cut. */
import { isDeepStrictEqual } from 'node:util'
import type { ExportOptions } from '../../../contract/footage/export-options.ts'
import { Findings } from '../../../domain/findings/findings.ts'
import { formatRational } from '../../../domain/time/rational.ts'
import { toTimecode } from '../../../domain/time/timecode.ts'
import { chosenChanges, chosenShots } from '../../timeline/chosen.ts'
import { fail } from '../compare.ts'
import type { ExportInput, Format } from '../format.ts'

export const json: Format = {
  anyRate: true,
  writeFindings({ findings, options }) {
    const meant = Findings.parse(recut(findings, options))
    const body = textOf(meant)
    if (!isDeepStrictEqual(Findings.parse(JSON.parse(body)), meant)) fail('the findings differ')
    return body
  },
  write: (input) => textOf(documentOf(input)),
  check(body: string, input) {
    if (!isDeepStrictEqual(JSON.parse(body), documentOf(input))) fail('the document differs')
  },
}

function textOf(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

function recut(findings: Findings, options: ExportOptions): Findings {
  const { shots } = findings
  const asked = [options.threshold, options.accepted_shots, options.rejected_shots]
  if (!shots || asked.every((value) => value === undefined)) return findings
  const changes = chosenChanges(findings, options)
  return {
    ...findings,
    shots: {
      ...shots,
      changes,
      threshold: options.threshold ?? shots.threshold,
      shots: chosenShots(findings, options),
    },
  }
}

function documentOf({ timeline, order }: ExportInput): object {
  if (!('cut' in order)) throw new Error('Only findings and cuts are written as JSON.')
  const { format, recordStart } = timeline
  return {
    name: timeline.title,
    version: order.cut.version,
    frame_rate: formatRational(format.rate),
    drop_frame: format.dropFrame,
    start_timecode: toTimecode(recordStart, format),
    frames: timeline.frames,
    notes: timeline.notes,
    ranges: order.cut.ranges,
    sources: timeline.sources.map(({ grid, ...source }) => ({
      content_id: source.contentId,
      name: source.name,
      path: source.path,
      reel: source.reel,
      offline: source.offline,
      frame_rate: formatRational(grid.format.rate),
      start_timecode: toTimecode(grid.startFrame, grid.format),
      frames: grid.frames,
    })),
    clips: timeline.tracks[0]!.items.map((item) => ({
      range_id: item.range!.id,
      content_id: item.source.contentId,
      name: item.name,
      note: item.note,
      source_in: item.sourceIn,
      source_out: item.sourceOut,
      record_in: item.recordIn,
      record_out: item.recordOut,
    })),
    comments: timeline.markers.map(({ author, note, start, end }) => ({
      at: start,
      out: end,
      name: author,
      text: note,
    })),
  }
}
