/** Apart from the schemas, so that the web can read them without zod. */
export const exportFormats = [
  'edl',
  'fcpxml',
  'xml',
  'json',
  'csv',
  'srt',
  'vtt',
  'otio',
  'resolve-markers',
  'premiere-markers',
  'ale',
  'avid-markers',
] as const
export type ExportFormat = (typeof exportFormats)[number]

export const cutExportFormats = [
  'edl',
  'fcpxml',
  'xml',
  'otio',
  'csv',
  'json',
  'srt',
  'vtt',
  'docx',
  'html',
  'ale',
  'avid-markers',
  'resolve-markers',
  'premiere-markers',
] as const
export type CutExportFormat = (typeof cutExportFormats)[number]

export const syncExportFormats = ['fcpxml', 'xml', 'otio', 'edl', 'csv'] as const
export type SyncExportFormat = (typeof syncExportFormats)[number]
