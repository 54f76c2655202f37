/** Findings in, a file for editing software out. The third door of the engine. */
import type { ExportFormat, ExportOptions } from '../contract/export-options.ts'
import type { Findings } from '../contract/findings.ts'
import { fileNameOf } from './exporters/names.ts'
import { exporters } from './exporters/registry.ts'
import { titleOf } from './exporters/timeline.ts'

export { ExportRefused } from './exporters/refused.ts'

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
  const part = input.format === 'edl' ? input.options.edl_part : undefined
  const title = part === undefined ? titleOf(input) : `${titleOf(input)} part ${part}`
  return {
    fileName: fileNameOf(title, exporter.extension),
    contentType: exporter.contentType,
    body: exporter.make(input),
  }
}
