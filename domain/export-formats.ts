/**
 * The export formats: the files that they are, and those that a job, a cut and a sync are offered
 * in. The contract, the command line and the dialogs read them here, in this order.
 */
const plainText = 'text/plain; charset=utf-8'

export const fileTypes = {
  edl: { extension: 'edl', mediaType: plainText },
  fcpxml: { extension: 'fcpxml', mediaType: 'application/xml' },
  xml: { extension: 'xml', mediaType: 'application/xml' },
  otio: { extension: 'otio', mediaType: 'application/json' },
  'resolve-markers': { extension: 'markers.edl', mediaType: plainText },
  'premiere-markers': {
    extension: 'markers.txt',
    mediaType: 'text/tab-separated-values; charset=utf-8',
  },
  ale: { extension: 'ale', mediaType: plainText },
  'avid-markers': { extension: 'avid-markers.txt', mediaType: plainText },
  docx: {
    extension: 'docx',
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  html: { extension: 'html', mediaType: 'text/html; charset=utf-8' },
  srt: { extension: 'srt', mediaType: 'application/x-subrip' },
  vtt: { extension: 'vtt', mediaType: 'text/vtt; charset=utf-8' },
  csv: { extension: 'csv', mediaType: 'text/csv; charset=utf-8' },
  json: { extension: 'json', mediaType: 'application/json' },
} as const
export type FileType = keyof typeof fileTypes

interface Offer {
  id: FileType
  name: string
  use: string
}

interface JobOffer extends Offer {
  /** In a list where nothing stands beside it. */
  label: string
  /** Counts in frames, so that rate and start timecode can be chosen. */
  timed: boolean
  /** Points to the media on the editor's machine. */
  linked: boolean
}

const timed = { timed: true, linked: false } as const
const linked = { timed: true, linked: true } as const
const untimed = { timed: false, linked: false } as const

export const jobFormats = [
  {
    ...{ id: 'edl', name: 'EDL', label: 'EDL (Resolve, Avid and others)', ...timed },
    use: 'CMX3600, for any editing system. Dissolves start at their first blended frame.',
  },
  {
    ...{ id: 'fcpxml', name: 'FCPXML', label: 'FCPXML (Final Cut, Resolve)', ...linked },
    use: 'Final Cut Pro, DaVinci Resolve',
  },
  {
    ...{ id: 'xml', name: 'XML', label: 'XML (Premiere)', ...linked },
    use: 'Premiere Pro (with markers), Resolve (FCP7 XML)',
  },
  { id: 'otio', name: 'OTIO', label: 'OpenTimelineIO', use: 'OpenTimelineIO', ...linked },
  {
    ...{ id: 'resolve-markers', name: 'Resolve markers', label: 'Resolve marker EDL', ...timed },
    use: 'Marker EDL for Resolve',
  },
  {
    ...{ id: 'premiere-markers', name: 'Marker table', label: 'Marker table', ...timed },
    use: 'Tab-separated text. For Premiere take XML, which brings the markers.',
  },
  {
    ...{ id: 'ale', name: 'ALE', label: 'ALE (Avid)', ...timed },
    use: 'Avid: clips with tape and timecode for a bin',
  },
  {
    ...{ id: 'avid-markers', name: 'Avid markers', label: 'Avid markers', ...timed },
    use: 'Text for the Markers window',
  },
  { id: 'srt', name: 'SRT', label: 'Subtitles SRT', use: 'Subtitles', ...untimed },
  { id: 'vtt', name: 'WebVTT', label: 'Subtitles VTT', use: 'Subtitles for the web', ...untimed },
  { id: 'csv', name: 'CSV', label: 'CSV', use: 'Every finding as a row', ...untimed },
  { id: 'json', name: 'JSON', label: 'JSON', use: 'Everything, for your own tools', ...untimed },
] as const satisfies JobOffer[]
export type ExportFormat = (typeof jobFormats)[number]['id']
export const exportFormats = jobFormats.map(({ id }) => id)

export const cutFormats = [
  { id: 'fcpxml', name: 'FCPXML', use: 'Final Cut Pro, DaVinci Resolve', kind: 'timeline' },
  { id: 'xml', name: 'XML', use: 'Premiere Pro (FCP7 XML), with markers', kind: 'timeline' },
  { id: 'edl', name: 'EDL', use: 'CMX3600: Avid, Resolve and others', kind: 'timeline' },
  { id: 'otio', name: 'OTIO', use: 'OpenTimelineIO', kind: 'timeline' },
  { id: 'ale', name: 'ALE', use: 'Avid: the clips for a bin', kind: 'markers' },
  { id: 'avid-markers', name: 'Avid markers', use: 'Text for the Markers window', kind: 'markers' },
  { id: 'resolve-markers', name: 'Resolve markers', use: 'Marker EDL', kind: 'markers' },
  { id: 'premiere-markers', name: 'Marker table', use: 'Tab-separated text', kind: 'markers' },
  { id: 'docx', name: 'Paper edit (Word)', use: 'Text with timecodes', kind: 'text' },
  { id: 'html', name: 'Paper edit (HTML)', use: 'To print or save as PDF', kind: 'text' },
  { id: 'srt', name: 'SRT', use: 'Subtitles of the cut', kind: 'text' },
  { id: 'vtt', name: 'WebVTT', use: 'Subtitles for the web', kind: 'text' },
  { id: 'csv', name: 'CSV', use: 'Every clip as a row', kind: 'text' },
  { id: 'json', name: 'JSON', use: 'For your own tools', kind: 'text' },
] as const satisfies (Offer & { kind: 'timeline' | 'markers' | 'text' })[]
export type CutExportFormat = (typeof cutFormats)[number]['id']
export const cutExportFormats = cutFormats.map(({ id }) => id)

export const syncFormats = [
  { id: 'fcpxml', name: 'FCPXML multicam clip' },
  { id: 'xml', name: 'XML, stacked tracks (Premiere)' },
  { id: 'otio', name: 'OTIO stack' },
  { id: 'edl', name: 'EDL of this angle' },
  { id: 'csv', name: 'CSV' },
] as const satisfies Omit<Offer, 'use'>[]
export type SyncExportFormat = (typeof syncFormats)[number]['id']
export const syncExportFormats = syncFormats.map(({ id }) => id)
