/** Every export format. */
import type { FileType } from '../../domain/export-formats.ts'
import { ale } from './ale/ale.ts'
import { srt, vtt } from './captions/subtitles.ts'
import { csv } from './csv/csv.ts'
import { edl } from './edl/edl.ts'
import { fcpxml } from './fcpxml/fcpxml.ts'
import type { Format } from './format.ts'
import { json } from './json/json.ts'
import { avidMarkers } from './marker-lists/avid.ts'
import { premiereMarkers } from './marker-lists/premiere.ts'
import { resolveMarkers } from './marker-lists/resolve.ts'
import { otio } from './otio/otio.ts'
import { docx } from './paper/docx.ts'
import { html } from './paper/html.ts'
import { xmeml } from './xmeml/xmeml.ts'

export const formats: Record<FileType, Format> = {
  edl,
  fcpxml,
  xml: xmeml,
  otio,
  'resolve-markers': resolveMarkers,
  'premiere-markers': premiereMarkers,
  ale,
  'avid-markers': avidMarkers,
  docx,
  html,
  srt,
  vtt,
  csv,
  json,
}
