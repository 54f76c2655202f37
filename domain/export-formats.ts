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
