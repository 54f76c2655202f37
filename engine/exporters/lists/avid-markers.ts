/** Markers as Media Composer's Markers window imports them: user, timecode, track, colour, text, frames. */
import { parseTimecode, toTimecode } from '../../../domain/time/timecode.ts'
import type { TimecodeFormat } from '../../../domain/time/timecode.ts'
import { expectEqual, fail } from '../compare.ts'
import type { SourceMarker } from '../timeline/markers.ts'
import { oneLine } from '../timeline/names.ts'

export interface AvidMarker {
  /** On the timeline, from its first frame. */
  start: number
  frames: number
  user: string
  color: AvidColor
  text: string
}

type AvidColor = 'red' | 'green' | 'blue' | 'cyan' | 'magenta' | 'yellow' | 'black' | 'white'

export const avidColors: Record<SourceMarker['kind'], AvidColor> = {
  comments: 'yellow',
  shots: 'blue',
  cutpoints: 'green',
  removals: 'yellow',
  'lip-flap': 'red',
  'voice-only': 'cyan',
  talking: 'magenta',
  sentences: 'white',
  flashes: 'yellow',
  black: 'black',
  freeze: 'black',
  text: 'cyan',
  slates: 'magenta',
}

export function makeAvidMarkers(
  markers: readonly AvidMarker[],
  timeline: { format: TimecodeFormat; recordStart: number; hasVideo: boolean },
): string {
  const track = timeline.hasVideo ? 'V1' : 'A1'
  const rows = markers.map((marker) =>
    [
      oneLine(marker.user) || 'CutIndex',
      toTimecode(timeline.recordStart + marker.start, timeline.format),
      track,
      marker.color,
      oneLine(marker.text),
      marker.frames,
    ].join('\t'),
  )
  const body = rows.map((row) => `${row}\r\n`).join('')
  const read = body.split('\r\n').slice(0, -1)
  expectEqual('the number of markers', read.length, markers.length)
  read.forEach((row, index) => {
    const [, at, , , , frames] = row.split('\t')
    const frame = parseTimecode(at ?? '', timeline.format) ?? fail(`there is no timecode ${at}`)
    const meant = (timeline.recordStart + markers[index]!.start) % timeline.format.framesPerDay
    expectEqual(`marker ${index + 1}: frame`, frame, meant)
    expectEqual(`marker ${index + 1}: length`, Number(frames), markers[index]!.frames)
  })
  return body
}
