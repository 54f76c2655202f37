import { exportFormats } from '../../../domain/export-formats.ts'
import type { ExportSubject } from '../../saved/export-file.ts'
import { counted, totalText } from '../../app/format.ts'

const maxItems = 500

/** Describes a selection to the Export dialog: a file for each clip, together in a zip. */
export function clipsExport(
  selected: readonly string[],
  seconds: number,
  project: ExportSubject['project'],
): ExportSubject {
  const ids = selected.slice(0, maxItems)
  const isCutOff = selected.length > maxItems
  return {
    exported: { ids },
    title: `Export ${counted(ids.length, 'clip')}`,
    formats: exportFormats,
    holds: `${counted(selected.length, 'clip')}, ${totalText(seconds)}: one file for each analysed clip, in a zip`,
    doubts: isCutOff ? [`Only the first ${maxItems} of ${selected.length} clips go in.`] : [],
    project,
    settings: { hasMedia: true },
  }
}
