/** Which lanes the timeline has and how high they are: as the window and the person want them. */
import { useState, useSyncExternalStore } from 'react'
import { readLocal, writeLocal } from '../../../dom/browser-storage.ts'

const known = [
  { id: 'ruler', label: '', height: 22 },
  { id: 'thumbnails', label: 'Thumbnails', height: 46 },
  { id: 'shots', label: 'Shots', height: 26 },
  { id: 'talking', label: 'Talking', height: 24 },
  { id: 'audio', label: 'Audio', height: 48 },
  { id: 'cutpoints', label: 'Cut points', height: 28 },
  { id: 'selects', label: 'Selects', height: 22 },
] as const
export type LaneId = (typeof known)[number]['id']

export interface Lanes {
  list: readonly { id: LaneId; label: string; top: number; height: number }[]
  height: number
}

/** Those that are never empty: a place to look at, and a place to put things. */
const standing: readonly LaneId[] = ['ruler', 'selects']

/** The ruler keeps its height; the others share what there is, and the empty ones take none. */
export function layLanes({ filled, scale }: { filled: ReadonlySet<LaneId>; scale: number }): Lanes {
  let height = 0
  const list = known
    .filter(({ id }) => filled.has(id) || standing.includes(id))
    .map(({ id, label, height: usual }) => {
      const lane = {
        id,
        label,
        top: height,
        height: id === 'ruler' ? usual : Math.round(usual * scale),
      }
      height += lane.height
      return lane
    })
  return { list, height }
}

/** The scale at which the lanes come to a height. */
export function scaleOf(height: number, lanes: Lanes, scale: number): number {
  const ruler = known[0].height
  return ((height - ruler) / (lanes.height - ruler)) * scale
}

const scaleKey = 'timeline-scale'
const usualWindowHeight = 900
const minScale = 0.7

/** A window half as high again has lanes half as high again, unless a person has chosen. */
export function useLaneScale(): [number, (scale: number | null) => void] {
  const windowHeight = useSyncExternalStore(
    (listener) => {
      addEventListener('resize', listener)
      return () => removeEventListener('resize', listener)
    },
    () => innerHeight,
  )
  const [chosen, setChosen] = useState(() => Number(readLocal(scaleKey)) || null)
  const choose = (scale: number | null): void => {
    const next = scale === null ? null : clamp(scale, windowHeight)
    writeLocal(scaleKey, next === null ? null : String(next))
    setChosen(next)
  }
  const usual = Math.min(2, Math.max(0.85, windowHeight / usualWindowHeight))
  return [clamp(chosen ?? usual, windowHeight), choose]
}

/** The picture keeps at least half of the window. */
function clamp(scale: number, windowHeight: number): number {
  const usual = known.reduce((sum, { height }) => sum + height, 0)
  const max = Math.max(1, (windowHeight * 0.45) / usual)
  return Math.min(max, Math.max(minScale, scale))
}
