/** Describes a cut to the Export dialog; clips that are conformed or missing are named. */
import { cutSize } from '../../../domain/cuts/cut-times.ts'
import { cutExportFormats } from '../../../domain/export-formats.ts'
import type { ExportSubject } from '../../saved/export-file.ts'
import { counted } from '../../app/format.ts'
import { saveFirst } from '../../saved/save-first.ts'
import { useCut } from './cut-context.ts'
import type { OpenCut } from './cut-context.ts'
import { seamBetween } from './seam.ts'
import { spanSeconds } from './source-seconds.ts'
import { clipRate, isConformed, rateText, sizeText } from './timeline-fields.tsx'

export function useCutExport(): ExportSubject {
  const { state, view, comments, project } = useCut()
  const { cut } = state
  const size = cutSize(cut, state.sources)
  const used = new Set(view.events.map((event) => event.contentId))
  return {
    exported: { cut: cut.id },
    title: `Export “${cut.name}”`,
    formats: cutExportFormats,
    holds: `${counted(view.events.length, 'clip')} from ${counted(used.size, 'source')}, ${view.length(view.frames)}`,
    doubts: doubtsOf(state, view),
    project: project ?? null,
    prepare: () => saveFirst('Not exported', state),
    settings: {
      fixed: [rateText(cut), size && sizeText(size)].filter(Boolean).join(' · '),
      start: {
        preset: view.time(0),
        option: 'record_start',
        hint: 'Leave blank to start as the cut does',
      },
      hasHandles: true,
      comments: comments.length,
      hasCaptions: view.passages.some(({ words }) => words.length > 0),
      hasMedia: true,
    },
  }
}

function doubtsOf(state: OpenCut['state'], view: OpenCut['view']): string[] {
  const used = new Set(view.events.map((event) => event.contentId))
  const sources = state.sources.filter((source) => used.has(source.content_id))
  const jumps = view.passages.filter((passage, index) => {
    const next = view.passages[index + 1]
    return (
      next &&
      seamBetween(passage, next, (id, span) => spanSeconds(view.sources.get(id), span))?.isDoubtful
    )
  })
  return [
    ...sources
      .filter(({ offline }) => offline)
      .map(({ name }) => `${name} is missing: its clips are exported as offline.`),
    ...sources
      .filter((source) => isConformed(source, state.cut))
      .map((source) => `${source.name}: ${clipRate(source)}, conformed to ${rateText(state.cut)}.`),
    ...(jumps.length > 0 ? [`${counted(jumps.length, 'edit')} may jump.`] : []),
  ]
}
