/** Findings in, a file for editing software out. The third door of the engine. */
import type { ExportOptions } from '../contract/export-options.ts'
import type { ExportFormat } from '../contract/export-formats.ts'
import { exportMediaTypes } from '../contract/media-types.ts'
import type { Findings } from '../contract/findings.ts'
import { fileNameOf } from './exporters/timeline/names.ts'
import { exporters } from './exporters/registry.ts'
import { titleOf } from './exporters/timeline/timeline.ts'
import type { SourceComment } from './exporters/timeline/timeline.ts'

export { ExportRefused } from './exporters/refused.ts'
export type { SourceComment } from './exporters/timeline/timeline.ts'

export interface ExportInput {
  findings: Findings
  format: ExportFormat
  source: {
    /** The media's file name, as the editor knows it. */
    name: string
    /** Where it lies on the editor's machine, if that is known. */
    path?: string | undefined
  }
  options: ExportOptions
  comments?: readonly SourceComment[]
}

export interface ExportedFile {
  fileName: string
  contentType: string
  body: string
}

/**
 * Throws `ExportRefused` with a sentence for the person when the findings do not hold what the
 * format needs, and an ordinary error when the written file does not read back as it was meant.
 */
export function exportFindings(input: ExportInput): ExportedFile {
  const exporter = exporters[input.format]
  return {
    fileName: fileNameOf(titleOf(input), `${contentsOf(input)}.${exporter.extension}`),
    contentType: exportMediaTypes[input.format],
    body: exporter.make(input),
  }
}

const contents = {
  cutpoints: ' - cut points',
  selects: ' - selects',
  'removals-kept': ' - tightened',
}

/** Files of the same footage with different contents lie side by side in one folder. */
function contentsOf({ format, options }: ExportInput): string {
  if (format === 'json' || format === 'csv') return ''
  const asked = options.which && options.which !== 'shots' ? contents[options.which] : ''
  const part = format === 'edl' && options.edl_part !== undefined ? options.edl_part : null
  return part === null ? asked : `${asked} part ${part}`
}
