/**
 * The exact rate of a picture. Containers round, guess and lie, so the packets decide: the first
 * rate whose grid every pts follows is the rate. Where none fits the media has a variable rate, and
 * the standard rate next to its usual step names it.
 */
import { rational, toNumber } from '../../domain/time/rational.ts'
import type { Rational } from '../../domain/time/rational.ts'
import { createClock, parseRate } from '../time/clock.ts'
import type { Stream } from './streams.ts'

const standardRates: readonly Rational[] = [
  [24000n, 1001n],
  [24n, 1n],
  [25n, 1n],
  [30000n, 1001n],
  [30n, 1n],
  [48n, 1n],
  [50n, 1n],
  [60000n, 1001n],
  [60n, 1n],
  [100n, 1n],
  [120000n, 1001n],
  [120n, 1n],
].map(([num = 1n, den = 1n]) => ({ num, den }))

export function isStandardRate(rate: Rational): boolean {
  return standardRates.some((standard) => standard.num * rate.den === rate.num * standard.den)
}

export function chooseRate(stream: {
  videoStream: Stream
  pts: Float64Array | null
  timeBase: Rational
}): Rational {
  const base = parseRate(stream.videoStream.r_frame_rate)
  const average = parseRate(stream.videoStream.avg_frame_rate)
  const stated = [base, average].filter((rate) => rate !== null && toNumber(rate) <= 1000)
  const { pts, timeBase } = stream
  if (pts && pts.length > 1) {
    const follows = (rate: Rational): boolean =>
      !createClock({ rate, frames: pts.length, pts, timeBase }).variable
    const fitting = [...stated, ...standardRates].find((rate) => rate !== null && follows(rate))
    if (fitting) return fitting
    return nearStandard(usualStep(pts) * toNumber(timeBase)) ?? average ?? { num: 25n, den: 1n }
  }
  const near = average && nearStandard(1 / toNumber(average))
  return near ?? average ?? stated[0] ?? { num: 25n, den: 1n }
}

function nearStandard(seconds: number): Rational | null {
  if (!(seconds > 0)) return null
  const near = standardRates.find((rate) => Math.abs(seconds * toNumber(rate) - 1) < 0.0004)
  if (near) return near
  const close = standardRates.find((rate) => Math.abs(seconds * toNumber(rate) - 1) < 0.03)
  if (close) return close
  return rational(BigInt(Math.max(1, Math.round(1000 / seconds))), 1000n)
}

/** The median interval between two frames, in ticks. */
function usualStep(pts: Float64Array): number {
  const steps = new Float64Array(Math.min(pts.length - 1, 20_000))
  for (let index = 0; index < steps.length; index++) {
    steps[index] = (pts[index + 1] ?? 0) - (pts[index] ?? 0)
  }
  return steps.sort()[steps.length >> 1] ?? 0
}
