/**
 * Which of the echoes along a line is the direct sound.
 *
 * Averaged over many short pieces, the cross-spectrum of two recordings over the power of the drier
 * one is the room that lies between them: direct sound first, reflections after it, each with its
 * own strength. The direct sound is the first strong peak, for a reflection may be the highest.
 * Which recording is the drier one shows in the answer: only seen from there does everything come
 * after the direct sound.
 */
import { fftOf } from './fft.ts'
import { soundRate } from './sound.ts'
import type { Sound } from './sound.ts'
import { noiseOf, readStretched } from './correlate.ts'

const points = 2 ** 13
const maxPieces = 160
const lowHz = 120
const highHz = 3600
/** How long before the highest peak the direct sound may lie. */
const reach = Math.round(0.06 * soundRate)
/** A peak this much of the highest, and this much above the noise, is strong. */
const strongPart = 0.45
const overNoise = 6
/** Echoes are looked for from here to there after the direct sound. */
const aside = Math.round(0.0015 * soundRate)
const tail = Math.round(0.15 * soundRate)

/**
 * Samples from the line to the direct sound. `heightAt` is the correlation by phase, in multiples
 * of the noise: short and noisy pieces show peaks in the response that are none there.
 */
export function findDirectSound(
  first: Sound,
  second: Sound,
  line: { offset: number; stretch: number; start: number; end: number },
  heightAt: (lag: number) => number,
): number {
  const spectra = gatherSpectra(first, second, line)
  if (!spectra) return 0
  // The second item's echoes come at negative lags: it hears then what the first heard before.
  const asSecond = roomBetween(spectra, { power: spectra.firstPower, side: -1, heightAt })
  const asFirst = roomBetween(spectra, { power: spectra.secondPower, side: 1, heightAt })
  return asSecond.causality >= asFirst.causality ? asSecond.delay : asFirst.delay
}

interface Spectra {
  crossRe: Float64Array
  crossIm: Float64Array
  firstPower: Float64Array
  secondPower: Float64Array
}

function gatherSpectra(
  first: Sound,
  second: Sound,
  line: { offset: number; stretch: number; start: number; end: number },
): Spectra | null {
  const half = points / 2
  const room = line.end - line.start - points
  if (room < 0) return null
  const pieces = Math.min(maxPieces, Math.floor(room / half) + 1)
  const step = pieces > 1 ? room / (pieces - 1) : 0
  const re = new Float64Array(points)
  const im = new Float64Array(points)
  const spectra: Spectra = {
    crossRe: new Float64Array(half),
    crossIm: new Float64Array(half),
    firstPower: new Float64Array(half),
    secondPower: new Float64Array(half),
  }
  for (let piece = 0; piece < pieces; piece++) {
    const start = Math.floor(line.start + piece * step)
    const from = line.offset + start * line.stretch
    readStretched(first, re, { from, count: points, stretch: line.stretch })
    second.read(im, start, points)
    for (let at = 0; at < points; at++) {
      const taper = 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / points)
      re[at]! *= taper
      im[at]! *= taper
    }
    fftOf(points).transform(re, im)
    addPiece(spectra, re, im)
  }
  return spectra
}

function addPiece(spectra: Spectra, re: Float64Array, im: Float64Array): void {
  for (let bin = 1; bin < points / 2; bin++) {
    const [pRe, pIm] = [re[bin]!, im[bin]!]
    const [nRe, nIm] = [re[points - bin]!, im[points - bin]!]
    const [aRe, aIm] = [pRe + nRe, pIm - nIm]
    const [bRe, bIm] = [pIm + nIm, nRe - pRe]
    spectra.crossRe[bin]! += aRe * bRe + aIm * bIm
    spectra.crossIm[bin]! += aIm * bRe - aRe * bIm
    spectra.firstPower[bin]! += aRe * aRe + aIm * aIm
    spectra.secondPower[bin]! += bRe * bRe + bIm * bIm
  }
}

/** The first strong peak in the room's response, whose echoes go towards `side`. */
function roomBetween(
  { crossRe, crossIm }: Spectra,
  {
    power,
    side,
    heightAt,
  }: { power: Float64Array; side: 1 | -1; heightAt: (lag: number) => number },
): { delay: number; causality: number } {
  const re = new Float64Array(points)
  const im = new Float64Array(points)
  const from = Math.ceil((lowHz * points) / soundRate)
  const to = Math.floor((highHz * points) / soundRate)
  let mean = 0
  for (let bin = from; bin < to; bin++) mean += power[bin]! / (to - from)
  if (mean <= 0) return { delay: 0, causality: -1 }
  for (let bin = from; bin < to; bin++) {
    const share = 1 / (power[bin]! + 0.01 * mean)
    re[bin] = crossRe[bin]! * share
    im[bin] = crossIm[bin]! * share
    re[points - bin] = re[bin]!
    im[points - bin] = -im[bin]!
  }
  fftOf(points).transform(im, re)
  const at = (lag: number): number => Math.abs(re[(lag + points) % points]!)
  let top = 0
  const highest = heightAt(0)
  for (let lag = -reach; lag <= reach; lag++) {
    if (at(lag) > at(top) && heightAt(lag) >= 0.4 * highest) top = lag
  }
  const noise = noiseOf(re)
  const needed = Math.max(strongPart * at(top), overNoise * noise)
  let delay = top
  for (let away = reach; away > 0; away--) {
    const lag = top - side * away
    const isPeak = at(lag) >= at(lag - 1) && at(lag) >= at(lag + 1)
    if (isPeak && at(lag) >= needed && heightAt(lag) >= Math.max(5.5, 0.2 * highest)) {
      delay = lag
      break
    }
  }
  const energy = (direction: number): number => {
    let sum = 0
    for (let away = aside; away <= tail; away++) {
      sum += at(delay + direction * away) ** 2 - noise ** 2
    }
    return Math.max(0, sum)
  }
  const [before, after] = [energy(-side), energy(side)]
  return { delay, causality: (after - before) / Math.max(after + before, 1e-12) }
}
