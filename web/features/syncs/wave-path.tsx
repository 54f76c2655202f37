import { useMemo } from 'react'
import type { SyncItem } from '../../../contract/footage/syncs.ts'

const standardColumns = 600

/** The levels of a sound as strokes, from 0 to 1 across and around 256 down. */
export function WavePath({
  waveform,
  columns = standardColumns,
}: {
  waveform: string
  columns?: number
}) {
  const path = useMemo(() => wavePath(waveform, columns), [waveform, columns])
  return <path d={path} vectorEffect="non-scaling-stroke" className="fill-none stroke-lane-audio" />
}

/** From 0 to 255 over the whole length of a sound. */
export function levelsOf(waveform: string): Uint8Array {
  return Uint8Array.from(atob(waveform), (char) => char.charCodeAt(0))
}

function wavePath(waveform: string, columns: number): string {
  const levels = levelsOf(waveform)
  const each = Math.max(1, levels.length / columns)
  const highest = Math.max(
    1,
    levels.reduce((high, level) => Math.max(high, level), 1),
  )
  const strokes: string[] = []
  for (let column = 0; column * each < levels.length; column++) {
    const from = Math.floor(column * each)
    const part = levels.subarray(from, Math.max(from + 1, Math.floor((column + 1) * each)))
    const high = (250 * part.reduce((max, level) => Math.max(max, level), 1)) / highest
    const x = ((column * each) / levels.length).toFixed(4)
    strokes.push(`M${x} ${(256 - high).toFixed(0)}V${(256 + high).toFixed(0)}`)
  }
  return strokes.join('')
}

/** The whole waveform of a track, as large as its place. */
export function Waveform({ item, className }: { item: SyncItem; className: string }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 1 512"
      preserveAspectRatio="none"
      className={`absolute size-full ${className}`}
    >
      <WavePath waveform={item.waveform} />
    </svg>
  )
}
