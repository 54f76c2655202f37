/** Markers for Media Composer's window: user, timecode, track, colour, text, frames. */
import { toTimecode } from '../../../domain/time/timecode.ts'
import { oneLine } from '../../timeline/names.ts'
import { expectSame } from '../compare.ts'
import { listMarkers } from '../format.ts'
import type { ExportInput, Format } from '../format.ts'
import { markerColors } from '../marker-colors.ts'
import { listedMarkers } from './listed-markers.ts'
import { sinceStart } from './since-start.ts'

export const avidMarkers: Format = {
  markers: listMarkers,
  write,
  check(body: string, input) {
    const { format, recordStart } = input.timeline
    const read = body
      .split('\r\n')
      .slice(0, -1)
      .map((row) => {
        const [, at, , , , frames] = row.split('\t')
        return { start: sinceStart(at ?? '', format, recordStart), frames: Number(frames) }
      })
    const meant = listedMarkers(input).map(({ start, end }) => ({ start, frames: end - start }))
    expectSame('the markers', read, meant)
  },
}

function write(input: ExportInput): string {
  const { format, recordStart, sources } = input.timeline
  const track = sources.some((source) => source.hasVideo) ? 'V1' : 'A1'
  return listedMarkers(input)
    .map(({ kind, author, name, note, start, end }) => {
      const text = author === null ? [name, note].filter(Boolean).join(': ') : note
      const at = toTimecode(recordStart + start, format)
      const cells = [at, track, markerColors[kind].avid, oneLine(text), end - start]
      return `${[oneLine(author ?? '') || 'CutIndex', ...cells].join('\t')}\r\n`
    })
    .join('')
}
