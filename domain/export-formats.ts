/**
 * The export formats: the files that they are, what they can carry and how they were checked, and
 * where they are offered. The contract, the command line and the Export dialog read them here.
 */
const plainText = 'text/plain; charset=utf-8'

/** Settings, offered where both the format and the thing exported can carry them. */
export type ExportSetting =
  | 'sequence'
  | 'transitions'
  | 'handles'
  | 'markers'
  | 'comments'
  | 'media'
  | 'captions'
  | 'language'

interface Kind {
  extension: string
  mediaType: string
  name: string
  use: string
  carries: readonly ExportSetting[]
  /** The rows of the table in docs/EXPORTS.md, beside the reading back that all go through. */
  checked: readonly string[]
}

const timeline = ['sequence', 'transitions', 'handles', 'comments'] as const
const linked = [...timeline, 'markers', 'media'] as const
const list = ['sequence', 'handles', 'comments'] as const
const exact = 'No frame of drift over three hours, at every rate'

export const fileTypes = {
  edl: {
    ...{ extension: 'edl', mediaType: plainText, name: 'EDL', carries: timeline },
    use: 'CMX3600, for any system. Dissolves start at their first blended frame.',
    checked: [exact, 'Follows the rules of strict readers, over midnight too'],
  },
  fcpxml: {
    ...{ extension: 'fcpxml', mediaType: 'application/xml', name: 'FCPXML' },
    use: 'Final Cut Pro, Resolve',
    carries: [...linked, 'captions'],
    checked: [exact, 'Valid against a grammar of FCPXML 1.9 to 1.14, by libxml2'],
  },
  xml: {
    ...{ extension: 'xml', mediaType: 'application/xml', name: 'XML', carries: linked },
    use: 'Premiere and Resolve. FCP7 XML, with markers.',
    checked: [exact, 'Valid against a grammar of xmeml 5, by libxml2'],
  },
  otio: {
    ...{ extension: 'otio', mediaType: 'application/json', name: 'OTIO', carries: linked },
    use: 'OpenTimelineIO',
    checked: [exact, 'Valid against the schemas of OpenTimelineIO, by our own parser'],
  },
  'resolve-markers': {
    ...{ extension: 'markers.edl', mediaType: plainText, name: 'Resolve markers', carries: list },
    use: 'Marker EDL for Resolve',
    checked: [],
  },
  'premiere-markers': {
    ...{ extension: 'markers.txt', name: 'Marker table', carries: list },
    mediaType: 'text/tab-separated-values; charset=utf-8',
    use: 'Tab-separated text. For Premiere take XML, which brings the markers.',
    checked: [],
  },
  ale: {
    ...{ extension: 'ale', mediaType: plainText, name: 'ALE' },
    use: 'Clips for a bin. With tape and timecode.',
    carries: ['sequence', 'handles'],
    checked: [],
  },
  'avid-markers': {
    ...{ extension: 'avid-markers.txt', mediaType: plainText, name: 'Avid markers' },
    use: 'For the Markers window',
    carries: list,
    checked: [],
  },
  docx: {
    extension: 'docx',
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    name: 'Paper edit (Word)',
    use: 'Text with timecodes',
    carries: ['handles'],
    checked: [],
  },
  html: {
    ...{ extension: 'html', mediaType: 'text/html; charset=utf-8', name: 'Paper edit (HTML)' },
    use: 'To print or save as PDF',
    carries: ['handles'],
    checked: [],
  },
  srt: {
    ...{ extension: 'srt', mediaType: 'application/x-subrip', name: 'SRT', use: 'Subtitles' },
    carries: ['handles', 'language'],
    checked: ['Read by a parser of the tests'],
  },
  vtt: {
    ...{ extension: 'vtt', mediaType: 'text/vtt; charset=utf-8', name: 'WebVTT' },
    use: 'Subtitles for the web',
    carries: ['handles', 'language'],
    checked: ['Read by webvtt-parser'],
  },
  csv: {
    ...{ extension: 'csv', mediaType: 'text/csv; charset=utf-8', name: 'CSV' },
    use: 'A table for spreadsheets',
    carries: ['handles', 'comments'],
    checked: ['Read by a parser of the tests'],
  },
  json: {
    ...{ extension: 'json', mediaType: 'application/json', name: 'JSON' },
    use: 'For your own tools',
    carries: ['handles', 'comments'],
    checked: [],
  },
} as const satisfies Record<string, Kind>
export type FileType = keyof typeof fileTypes

const markerFiles = ['resolve-markers', 'premiere-markers', 'ale', 'avid-markers'] as const
const textFiles = ['srt', 'vtt', 'csv', 'json'] as const

export const exportFormats = ['edl', 'fcpxml', 'xml', 'otio', ...markerFiles, ...textFiles] as const
export type ExportFormat = (typeof exportFormats)[number]

export const cutExportFormats = [
  ...(['fcpxml', 'xml', 'edl', 'otio'] as const),
  ...markerFiles,
  ...(['docx', 'html'] as const),
  ...textFiles,
] as const
export type CutExportFormat = (typeof cutExportFormats)[number]

export const syncExportFormats = ['fcpxml', 'xml', 'otio', 'edl', 'csv'] as const
export type SyncExportFormat = (typeof syncExportFormats)[number]

/** Editing software with the formats that it imports, best first. */
export const editors = [
  { id: 'premiere', name: 'Premiere Pro', takes: ['xml', 'srt'] },
  {
    ...{ id: 'resolve', name: 'DaVinci Resolve' },
    takes: ['fcpxml', 'xml', 'edl', 'otio', 'resolve-markers', 'srt'],
  },
  { id: 'finalcut', name: 'Final Cut Pro', takes: ['fcpxml', 'srt'] },
  { id: 'avid', name: 'Avid', takes: ['edl', 'ale', 'avid-markers', 'srt'] },
  { id: 'files', name: 'Other, or files', takes: cutExportFormats },
] as const satisfies { id: string; name: string; takes: readonly FileType[] }[]
export type EditorId = (typeof editors)[number]['id']
