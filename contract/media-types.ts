/** The media types of files, as the answers have them and the description names them. */
import type { CutExportFormat, ExportFormat, SyncExportFormat } from '../domain/export-formats.ts'

export const exportMediaTypes = {
  edl: 'text/plain; charset=utf-8',
  fcpxml: 'application/xml',
  xml: 'application/xml',
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
  srt: 'application/x-subrip',
  vtt: 'text/vtt; charset=utf-8',
  otio: 'application/json',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  html: 'text/html; charset=utf-8',
  ale: 'text/plain; charset=utf-8',
  'avid-markers': 'text/plain; charset=utf-8',
  'resolve-markers': 'text/plain; charset=utf-8',
  'premiere-markers': 'text/tab-separated-values; charset=utf-8',
} as const satisfies Record<ExportFormat | CutExportFormat | SyncExportFormat, string>

/** By the endings of a job's files. */
export const fileMediaTypes: Record<string, string> = {
  '.jpg': 'image/jpeg',
  '.mp4': 'video/mp4',
  '.vtt': 'text/vtt; charset=utf-8',
  '.bin': 'application/octet-stream',
}

/** What an endpoint that exports in these formats may answer with. */
export function typesOfExports(formats: readonly (keyof typeof exportMediaTypes)[]): string[] {
  return formats.map((format) => exportMediaTypes[format])
}
