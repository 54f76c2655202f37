/** Exports of made findings, with the options as a request brings them. */
import { ExportOptions } from '../../contract/footage/export-options.ts'
import type { ExportOptionsInput } from '../../contract/footage/export-options.ts'
import type { ExportFormat } from '../../domain/export-formats.ts'
import { exportFile } from '../../engine/export.ts'
import { makeFindings } from './findings.ts'
import type { MadeFindings } from './findings.ts'

export function exportMade(
  format: ExportFormat,
  spec: MadeFindings,
  options: ExportOptionsInput = {},
  name = 'clip.mov',
) {
  const findings = makeFindings(spec)
  return exportFile({ findings, format, source: { name }, options: ExportOptions.parse(options) })
}

export function exportText(...made: Parameters<typeof exportMade>): string {
  return exportMade(...made).body
}
