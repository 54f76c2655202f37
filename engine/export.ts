/** Findings, a cut or a sync in, a file for editing software out. The third door of the engine. */
import { ExportOptions } from '../contract/footage/export-options.ts'
import { fileTypes } from '../domain/export-formats.ts'
import type { ExportBody, ExportInput, ExportOrder, Format } from './formats/format.ts'
import { formats } from './formats/formats.ts'
import { zip } from './formats/zip.ts'
import { buildCutTimeline } from './timeline/build-cut.ts'
import { buildJobTimeline, jobTitle } from './timeline/build-job.ts'
import type { JobExport } from './timeline/build-job.ts'
import { buildSyncTimeline } from './timeline/build-sync.ts'
import { fileNameOf, stemOf } from './timeline/names.ts'
import type { Timeline } from './timeline/timeline.ts'

export { ExportRefused } from './timeline/refused.ts'
export type { ExportOrder } from './formats/format.ts'
export type { CutComment, CutExport } from './timeline/build-cut.ts'
export type { SourceComment } from './timeline/markers.ts'
export type { SyncExport } from './timeline/build-sync.ts'

export interface ExportedFile<Body = string | Uint8Array> {
  fileName: string
  contentType: string
  body: Body
  /** Sentences on what was conformed, is offline or was left out. */
  notes: string[]
}

const presets = ExportOptions.parse({})

/**
 * Throws `ExportRefused` with a sentence for the person when the format cannot hold what was asked
 * for, and an ordinary error when the written file does not read back as it was meant.
 */
export function exportFile(order: JobExport): ExportedFile<string>
export function exportFile(order: ExportOrder): ExportedFile
export function exportFile(order: ExportOrder): ExportedFile {
  const format = formats[order.format]
  const { extension, mediaType } = fileTypes[order.format]
  if ('findings' in order && format.writeFindings) {
    const fileName = fileNameOf(jobTitle(order), `.${extension}`)
    return { fileName, contentType: mediaType, body: format.writeFindings(order), notes: [] }
  }
  const input = exportInput(order)
  const { timeline } = input
  const body = writeChecked(format, input)
  const ending = `${contentsOf(order, timeline)}.${extension}`
  const isZip = Array.isArray(body)
  return {
    fileName: fileNameOf(timeline.title, isZip ? `${ending}.zip` : ending),
    contentType: isZip ? 'application/zip' : mediaType,
    body: isZip ? zip(body) : body,
    notes: timeline.notes,
  }
}

/** Builds the input of a format that is written from a timeline. */
export function exportInput(order: ExportOrder): ExportInput {
  const options = { ...presets, ...order.options }
  return { timeline: buildTimeline(order, formats[order.format]), options, order }
}

function buildTimeline(order: ExportOrder, format: Format): Timeline {
  if ('sync' in order) return buildSyncTimeline(order, format)
  if ('cut' in order) return buildCutTimeline(order, format)
  const options = format.jobOptions?.(order.options) ?? order.options
  return buildJobTimeline({ ...order, options }, format)
}

/** A part of a list is handed out when the whole list has been checked. */
function writeChecked(format: Format, input: ExportInput): ExportBody {
  const whole = { ...input, options: { ...input.options, edl_part: undefined } }
  const body = format.write(whole)
  format.check(body, whole)
  return input.options.edl_part === undefined ? body : format.write(input)
}

const jobContents = {
  shots: '',
  cutpoints: ' - cut points',
  selects: ' - selects',
  'removals-kept': ' - tightened',
}

/** Files of the same footage with different contents lie side by side in one folder. */
function contentsOf(order: ExportOrder, { sources }: Timeline): string {
  if ('sync' in order) {
    const isAngle = order.format === 'edl' && order.options.angle !== undefined
    return isAngle ? ` ${stemOf(sources[0]!.name)}` : ''
  }
  const contents = 'findings' in order ? jobContents[order.options.which ?? 'shots'] : ''
  const part = order.format === 'edl' ? order.options.edl_part : undefined
  return part === undefined ? contents : `${contents} part ${part}`
}
