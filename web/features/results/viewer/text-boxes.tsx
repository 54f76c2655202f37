import { useSyncExternalStore } from 'react'
import type { TextLine } from '../../../../domain/findings/findings.ts'
import type { Playhead } from './playhead.ts'

/** Frames around the lines that are read at the playhead; the lists beside it say what they say. */
export function TextBoxes({ lines, playhead }: { lines: readonly TextLine[]; playhead: Playhead }) {
  // A text, since the store asks for something that can be compared.
  const places = useSyncExternalStore(playhead.subscribe, () => placesAt(lines, playhead.frame()))
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0">
      {places.split(' ').flatMap((place) => {
        const line = place === '' ? undefined : lines[Number(place)]
        if (!line) return []
        const { x, y, width, height } = line.box
        const percent = (value: number): string => `${value * 100}%`
        return [
          <span
            key={place}
            data-text-box
            style={{
              left: percent(x),
              top: percent(y),
              width: percent(width),
              height: percent(height),
            }}
            className="absolute rounded-xs border border-brand shadow-[0_0_0_1px_oklch(15%_0_0/60%)]"
          />,
        ]
      })}
    </div>
  )
}

function placesAt(lines: readonly TextLine[], frame: number): string {
  return lines
    .flatMap((line, index) => (frame >= line.start_frame && frame < line.end_frame ? [index] : []))
    .join(' ')
}
