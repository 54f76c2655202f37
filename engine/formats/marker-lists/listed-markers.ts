import type { ExportInput } from '../format.ts'
import type { Marker } from '../../timeline/timeline.ts'

/** The markers of a list. A cut whose comments are not asked for has a marker at each clip. */
export function listedMarkers({ timeline, options, order }: ExportInput): Marker[] {
  if (!('cut' in order) || options.comments) return timeline.markers
  return timeline.tracks[0]!.items.map(({ name, note, recordIn }, item) => ({
    ...{ kind: 'clips', author: 'CutIndex', name, item, sourceFrames: 1 },
    note: note ? `${name}: ${note}` : name,
    ...{ start: recordIn, end: recordIn + 1 },
  }))
}
