/** A cut in, one timeline of many sources out: the same door as `export.ts`, for rough cuts. */
import { cutCues } from './exporters/cut/captions.ts'
import { makeCutDocx } from './exporters/cut/docx.ts'
import { makeCutEdl } from './exporters/cut/edl.ts'
import { makeCutFcpxml } from './exporters/cut/fcpxml.ts'
import {
  makeCutAles,
  makeCutAvidMarkers,
  makeCutCsv,
  makeCutJson,
  makeCutPremiereMarkers,
  makeCutResolveMarkers,
} from './exporters/cut/lists.ts'
import { makeCutOtio } from './exporters/cut/otio.ts'
import { buildPaper, makeCutHtml } from './exporters/cut/paper.ts'
import { zip } from './exporters/cut/zip.ts'
import { buildCutTimeline } from './exporters/cut/timeline.ts'
import type { CutExportInput, CutTimeline } from './exporters/cut/timeline.ts'
import { makeCutXmeml } from './exporters/cut/xmeml.ts'
import { compareCues } from './exporters/captions/compare.ts'
import { writeSrt, writeVtt } from './exporters/captions/subtitles.ts'
import { readCues } from './exporters/lists/read.ts'
import { fileNameOf } from './exporters/timeline/names.ts'
import type { CutExportFormat } from '../domain/export-formats.ts'
import { exportMediaTypes } from '../contract/media-types.ts'
import type { ExportedFile } from './export.ts'

export type { CutComment, CutExportInput } from './exporters/cut/timeline.ts'

export interface ExportedCut extends Omit<ExportedFile, 'body'> {
  body: string | Uint8Array
  /** What was conformed, is offline or was left out. */
  notes: string[]
}

interface CutExporter {
  extension: string
  make: (timeline: CutTimeline, input: CutExportInput) => string | Uint8Array | NamedFiles
}

/** Several files are sent as one zip. */
type NamedFiles = [name: string, body: string][]

const exporters: Record<CutExportFormat, CutExporter> = {
  edl: {
    extension: 'edl',
    make: (timeline, { options }) => makeCutEdl(timeline, options),
  },
  fcpxml: { extension: 'fcpxml', make: makeFcpxml },
  xml: { extension: 'xml', make: makeCutXmeml },
  otio: { extension: 'otio', make: makeCutOtio },
  csv: { extension: 'csv', make: makeCutCsv },
  json: { extension: 'json', make: makeCutJson },
  srt: { extension: 'srt', make: makeSrt },
  vtt: { extension: 'vtt', make: makeVtt },
  docx: {
    extension: 'docx',
    make: (timeline, input) => makeCutDocx(buildPaper(timeline, input)),
  },
  html: {
    extension: 'html',
    make: (timeline, input) => makeCutHtml(buildPaper(timeline, input)),
  },
  ale: { extension: 'ale', make: makeAles },
  'avid-markers': {
    extension: 'avid-markers.txt',
    make: (timeline, { options }) => makeCutAvidMarkers(timeline, options),
  },
  'resolve-markers': {
    extension: 'markers.edl',
    make: (timeline, { options }) => makeCutResolveMarkers(timeline, options),
  },
  'premiere-markers': {
    extension: 'markers.txt',
    make: (timeline, { options }) => makeCutPremiereMarkers(timeline, options),
  },
}

/** Throws as `exportFindings` does. */
export function exportCut(input: CutExportInput): ExportedCut {
  const exporter = exporters[input.format]
  const timeline = buildCutTimeline(input)
  const part = input.format === 'edl' ? input.options.edl_part : undefined
  const ending = `${part === undefined ? '' : ` part ${part}`}.${exporter.extension}`
  const body = exporter.make(timeline, input)
  const isZip = Array.isArray(body)
  return {
    fileName: fileNameOf(timeline.title, isZip ? `${ending}.zip` : ending),
    contentType: isZip ? 'application/zip' : exportMediaTypes[input.format],
    body: isZip ? zip(body) : body,
    notes: timeline.notes,
  }
}

function makeAles(timeline: CutTimeline): string | NamedFiles {
  const files = makeCutAles(timeline)
  if (files.length === 1) return files[0]!.body
  return files.map(({ rate, body }) => [fileNameOf(timeline.title, ` ${rate} fps.ale`), body])
}

function makeFcpxml(timeline: CutTimeline, input: CutExportInput): string {
  const cues = input.options.captions ? cutCues(timeline, input) : []
  const language = input.transcripts[0]?.language ?? 'en'
  return makeCutFcpxml(timeline, { cues, language, options: input.options })
}

function makeSrt(timeline: CutTimeline, input: CutExportInput): string {
  const cues = cutCues(timeline, input)
  const { rate } = timeline.format
  const body = writeSrt(cues, rate)
  compareCues(readCues(body, ','), cues, { rate, textOf: (cue) => cue.lines.join('\n') })
  return body
}

function makeVtt(timeline: CutTimeline, input: CutExportInput): string {
  const cues = cutCues(timeline, input)
  const { rate } = timeline.format
  const body = writeVtt(cues, rate, timeline.notes)
  compareCues(readCues(body, '.'), cues, { rate, textOf: null })
  return body
}
