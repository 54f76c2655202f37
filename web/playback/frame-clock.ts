/**
 * Frames and seconds of a review proxy, which holds the frames of its source from `startFrame` on.
 * Places are frames counted from there; a half is the middle of a frame. Exact at a constant rate,
 * and at a variable one once the proxy's own times were read (frame-seconds.ts); until then
 * interpolated between the frames whose time a finding gives.
 */
import { parseRational, toNumber } from '../../domain/time/rational.ts'

export interface FrameClock {
  startFrame: number
  secondsAt: (place: number) => number
  placeAt: (seconds: number) => number
}

export function frameClock(proxy: {
  startFrame: number
  framesPerSecond: number
  /** Frame times of the source from `knownFrameTimes`; null at a constant rate. */
  frameTimes?: readonly (readonly [number, string])[] | null
  /** When each frame of the proxy begins, and when the last one ends. */
  exactSeconds?: readonly number[] | undefined
}): FrameClock {
  const { startFrame, framesPerSecond } = proxy
  const known = proxy.exactSeconds
    ? proxy.exactSeconds.map((seconds, place) => ({ place, seconds }))
    : proxy.frameTimes
      ? anchorsOf(proxy.frameTimes, startFrame)
      : []
  if (known.length < 2) {
    return {
      startFrame,
      secondsAt: (place) => place / framesPerSecond,
      placeAt: (seconds) => seconds * framesPerSecond,
    }
  }
  return {
    startFrame,
    secondsAt: (place) => along(known, place, 'place', 'seconds'),
    placeAt: (seconds) => along(known, seconds, 'seconds', 'place'),
  }
}

interface Anchor {
  place: number
  seconds: number
}

/** From the proxy's first frame on, rising in both. */
function anchorsOf(times: readonly (readonly [number, string])[], startFrame: number): Anchor[] {
  const all: Anchor[] = []
  for (const [frame, time] of times) {
    const exact = parseRational(time)
    const last = all.at(-1)
    if (!exact || (last && frame <= last.place)) continue
    const seconds = toNumber(exact)
    if (!last || seconds > last.seconds) all.push({ place: frame, seconds })
  }
  if (all.length < 2) return []
  const start = along(all, startFrame, 'place', 'seconds')
  const first = { place: 0, seconds: 0 }
  const later = all
    .filter(({ place }) => place > startFrame)
    .map(({ place, seconds }) => ({ place: place - startFrame, seconds: seconds - start }))
  return [first, ...later]
}

/** Beyond the ends the nearest line goes on. */
function along(
  anchors: readonly Anchor[],
  value: number,
  from: keyof Anchor,
  to: keyof Anchor,
): number {
  let [low, high] = [1, anchors.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (anchors[middle]![from] > value) high = middle
    else low = middle + 1
  }
  const [before, after] = [anchors[low - 1]!, anchors[low]!]
  const part = (value - before[from]) / (after[from] - before[from])
  return before[to] + part * (after[to] - before[to])
}
