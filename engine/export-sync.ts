/** A group of a sync in, a multicam clip or stacked tracks out: the same door as `export.ts`. */
import { exportMediaTypes } from '../contract/media-types.ts'
import type { SyncExportFormat } from '../domain/export-formats.ts'
import type { ExportedCut } from './export-cut.ts'
import { makeSyncFcpxml } from './exporters/sync/fcpxml.ts'
import { makeSyncCsv, makeSyncEdl } from './exporters/sync/lists.ts'
import { makeSyncOtio } from './exporters/sync/otio.ts'
import { buildSyncTimeline } from './exporters/sync/timeline.ts'
import type { SyncExportInput, SyncTimeline } from './exporters/sync/timeline.ts'
import { makeSyncXmeml } from './exporters/sync/xmeml.ts'
import { fileNameOf, stemOf } from './exporters/timeline/names.ts'

export type { SyncExportInput } from './exporters/sync/timeline.ts'

interface SyncExporter {
  extension: string
  make: (timeline: SyncTimeline, input: SyncExportInput) => string
}

const exporters: Record<SyncExportFormat, SyncExporter> = {
  fcpxml: {
    extension: 'fcpxml',
    make: (timeline, { options }) => makeSyncFcpxml(timeline, options),
  },
  xml: { extension: 'xml', make: makeSyncXmeml },
  otio: { extension: 'otio', make: makeSyncOtio },
  edl: {
    extension: 'edl',
    make: (timeline, { options }) => makeSyncEdl(timeline, options),
  },
  csv: { extension: 'csv', make: makeSyncCsv },
}

/** Throws as `exportFindings` does. */
export function exportSync(input: SyncExportInput): ExportedCut {
  const exporter = exporters[input.format]
  const timeline = buildSyncTimeline(input)
  const angle = timeline.clips.find(({ source }) => source.contentId === input.options.angle)
  const part = input.format === 'edl' && angle ? ` ${stemOf(angle.source.name)}` : ''
  return {
    fileName: fileNameOf(timeline.title, `${part}.${exporter.extension}`),
    contentType: exportMediaTypes[input.format],
    body: exporter.make(timeline, input),
    notes: timeline.notes,
  }
}
