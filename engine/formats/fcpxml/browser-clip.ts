/**
 * The whole source of a job, once, for the browser of Final Cut: findings and speakers as keyword
 * ranges and selects as favourites.
 */
import type { MarkerKind } from '../../../contract/footage/export-options.ts'
import type { ExportOptions } from '../../../contract/footage/export-options.ts'
import type { Findings } from '../../../domain/findings/findings.ts'
import { sourceMarkers } from '../../timeline/markers.ts'
import type { SourceMarker } from '../../timeline/markers.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { element } from '../xml/write.ts'
import type { XmlNode } from '../xml/write.ts'
import { assetIdOf } from './resources.ts'
import { speakerRanges } from './speaker-roles.ts'
import { timeOfFrames } from './times.ts'

const keywordKinds: MarkerKind[] = ['talking', 'lip-flap', 'voice-only', 'removals', 'slates']

export function browserClip(
  timeline: Timeline,
  {
    findings,
    options,
    components,
  }: { findings: Findings; options: ExportOptions; components: readonly XmlNode[] },
): XmlNode {
  const source = timeline.sources[0]!
  const { fileGrid: grid } = source
  const { rate } = grid.format
  const place = (start: number, end: number) => ({
    start: timeOfFrames(grid.startFrame + start, rate),
    duration: timeOfFrames(end - start, rate),
  })
  const keyword = ({
    start,
    end,
    name,
    note,
  }: Pick<SourceMarker, 'start' | 'end' | 'name' | 'note'>) =>
    element('keyword', {
      ...place(start, end),
      value: name.replaceAll(',', ' '),
      note: note || undefined,
    })
  const favourites = (options.selects ?? []).flatMap((select) => {
    const [start, end] = [grid.place(select.start_frame), grid.place(select.end_frame)]
    const name = select.name || undefined
    return end > start ? [element('rating', { name, ...place(start, end), value: 'favorite' })] : []
  })
  return element(
    'asset-clip',
    {
      ref: assetIdOf(timeline, source),
      name: source.name,
      ...place(0, grid.frames),
      format: grid === source.grid ? 'r1' : 'f1',
      tcFormat: grid.format.dropFrame ? 'DF' : 'NDF',
      audioRole: source.audio.length > 0 ? 'dialogue' : undefined,
    },
    ...sourceMarkers(keywordKinds, findings, options, grid).map(asKeyword).map(keyword),
    ...speakerRanges(findings, grid).map((range) => keyword({ ...range, note: 'Speaker' })),
    ...favourites,
    ...components,
  )
}

/** Uses one keyword per kind, so that the browser shows few collections. */
function asKeyword(marker: SourceMarker): SourceMarker {
  if (marker.kind === 'slates') {
    return { ...marker, name: marker.name.split(' ')[0]!, note: marker.name }
  }
  if (!marker.name.startsWith('Filler')) return marker
  return { ...marker, name: 'Filler', note: marker.name }
}
