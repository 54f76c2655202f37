/**
 * Generalised cross-correlation with phase transform (GCC-PHAT) on a band of speech. All heights
 * are multiples of the noise: with every bin of the band at modulus one, sounds that have nothing
 * in common give the same deviation whatever their levels. The search knows it beforehand; around a
 * place, where windows fade in and out, it is measured.
 */
import { fftOf } from './fft.ts'
import { soundRate } from './sound.ts'
import type { Sound } from './sound.ts'

const lowHz = 150
/** Where the band ends: narrow for the search of everything, wide for the exact time. */
const searchHz = 1900
const exactHz = 3400
/** Above this the hum of the mains is lost in everything else. */
const mainsHz = 1200

/** A stretch of an item, in samples. */
export interface Stretch {
  start: number
  length: number
}

export interface Peak {
  /** Sample of the first item at which the window begins. */
  position: number
  /** In multiples of the noise. */
  height: number
}

/** Lags of a search are half as fine as the samples. */
const searchStep = 2
const peaksKept = 6
/** Two peaks nearer than this are one, with its echoes. */
const peakGap = soundRate * 0.05

/** The highest peaks of each window of the second item anywhere in the first. */
export function searchEverywhere(
  first: Sound,
  second: Sound,
  windows: readonly Stretch[],
  signal?: AbortSignal,
): Peak[][] {
  const hop = Math.max(4096, powerOfTwo(Math.max(...windows.map(({ length }) => length))))
  const points = hop * 2
  const lags = points / searchStep
  const band = bandOf(points, searchHz)
  const noise = Math.sqrt(2 * (band.end - band.start)) / lags
  const wanted = windows.map((window) => whitenOne(second, window, points, band))
  const tops = windows.map(() => createTop())
  const re = new Float64Array(points)
  const im = new Float64Array(points)
  const outRe = new Float64Array(lags)
  const outIm = new Float64Array(lags)
  // Windows may begin before the first item does, so the search starts one hop early.
  for (let start = -hop; start < first.samples; start += 2 * hop) {
    signal?.throwIfAborted()
    first.read(re, start, points)
    first.read(im, start + hop, points)
    fftOf(points).transform(re, im)
    const [item, second] = whitenBoth(re, im, band)
    for (const [index, spectrum] of wanted.entries()) {
      multiplyBoth(item, second, spectrum, { re: outRe, im: outIm, band })
      fftOf(lags).transform(outIm, outRe)
      const top = tops[index]!
      const scale = 1 / (lags * noise)
      for (let lag = 0; lag < lags / 2; lag++) {
        const here = Math.abs(outRe[lag]!) * scale
        if (here > top.floor) top.push(start + lag * searchStep, here)
      }
      for (let lag = 0; lag < lags / 2; lag++) {
        const there = Math.abs(outIm[lag]!) * scale
        if (there > top.floor) top.push(start + hop + lag * searchStep, there)
      }
    }
  }
  return tops.map((top) => top.peaks)
}

/**
 * Correlation of a window of the second item with the first around a position: `2 · reach + 1`
 * lags, in multiples of the noise. `stretch` is what a sample of the second lasts in the first.
 * Null if one of them is silent.
 */
export function correlateNear(
  first: Sound,
  second: Sound,
  near: { window: Stretch; position: number; reach: number; stretch: number },
): Float64Array | null {
  const { window, position, reach, stretch } = near
  const points = powerOfTwo(window.length + 2 * reach)
  const re = new Float64Array(points)
  const im = new Float64Array(points)
  readStretched(first, re, {
    from: position - reach * stretch,
    count: window.length + 2 * reach,
    stretch,
  })
  second.read(im, window.start, window.length)
  taper(re, window.length + 2 * reach)
  taper(im, window.length)
  fftOf(points).transform(re, im)
  const band = bandOf(points, exactHz)
  const [item, next] = whitenBoth(re, im, band)
  if (isEmpty(item) || isEmpty(next)) return null
  re.fill(0)
  im.fill(0)
  for (let at = 0, bin = band.start; bin < band.end; bin++, at += 2) {
    const [aRe, aIm, bRe, bIm] = [item[at]!, item[at + 1]!, next[at]!, next[at + 1]!]
    const cRe = aRe * bRe + aIm * bIm
    const cIm = aIm * bRe - aRe * bIm
    re[bin] = cRe
    im[bin] = cIm
    re[points - bin] = cRe
    im[points - bin] = -cIm
  }
  fftOf(points).transform(im, re)
  const lags = re.slice(0, 2 * reach + 1)
  const noise = noiseOf(lags)
  return noise > 0 ? lags.map((lag) => lag / noise) : null
}

/** Most lags hold nothing but noise, and half of those lie below .674 of its deviation. */
export function noiseOf(lags: Float64Array): number {
  const sizes = lags.map(Math.abs).sort()
  return sizes[sizes.length >> 1]! / 0.674
}

/** Fades in and out, or a hum would leak into all bins and match at any of its periods. */
function taper(samples: Float64Array, count: number): void {
  for (let at = 0; at < count; at++) {
    samples[at]! *= 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / count)
  }
}

/** Reads with a clock that runs `stretch` times as fast, by cubic interpolation. */
export function readStretched(
  sound: Sound,
  out: Float64Array,
  { from, count, stretch }: { from: number; count: number; stretch: number },
): void {
  const base = Math.floor(from) - 1
  const wide = new Float64Array(Math.ceil(count * stretch) + 5)
  sound.read(wide, base, wide.length)
  for (let at = 0; at < count; at++) {
    const place = from - base + at * stretch
    const whole = Math.floor(place)
    const part = place - whole
    const [p, q, r, s] = [wide[whole - 1]!, wide[whole]!, wide[whole + 1]!, wide[whole + 2]!]
    const curve = 2 * p - 5 * q + 4 * r - s + part * (3 * (q - r) + s - p)
    out[at] = q + 0.5 * part * (r - p + part * curve)
  }
}

interface Band {
  start: number
  end: number
}

function bandOf(points: number, highHz: number): Band {
  return {
    start: Math.ceil((lowHz * points) / soundRate),
    end: Math.floor((highHz * points) / soundRate),
  }
}

function whitenOne(sound: Sound, window: Stretch, points: number, band: Band): Float64Array {
  const re = new Float64Array(points)
  const im = new Float64Array(points)
  sound.read(re, window.start, window.length)
  fftOf(points).transform(re, im)
  return whitenBoth(re, im, band)[0]
}

/**
 * The spectra of two real signals from one transform, their bins at modulus one: real and imaginary
 * parts in turn. A silent signal stays zero.
 */
function whitenBoth(
  re: Float64Array,
  im: Float64Array,
  { start, end }: Band,
): [Float64Array, Float64Array] {
  const first = new Float64Array((end - start) * 2)
  const second = new Float64Array((end - start) * 2)
  const points = re.length
  // The halves of a transform leave this much of one signal in the other.
  const dust = 1e-6 * points
  const isMains = mainsBins(points)
  for (let at = 0, bin = start; bin < end; bin++, at += 2) {
    if (isMains[bin]) continue
    const [pRe, pIm] = [re[bin]!, im[bin]!]
    const [nRe, nIm] = [re[points - bin]!, im[points - bin]!]
    const [aRe, aIm] = [pRe + nRe, pIm - nIm]
    const [bRe, bIm] = [pIm + nIm, nRe - pRe]
    const a = Math.sqrt(aRe * aRe + aIm * aIm)
    const b = Math.sqrt(bRe * bRe + bIm * bIm)
    if (a > dust) {
      first[at] = aRe / a
      first[at + 1] = aIm / a
    }
    if (b > dust) {
      second[at] = bRe / b
      second[at + 1] = bIm / b
    }
  }
  return [first, second]
}

const mains = new Map<number, Uint8Array>()

/** Bins within 2 Hz of a multiple of 50 or 60 Hz: all rooms of a country share that hum. */
function mainsBins(points: number): Uint8Array {
  const known = mains.get(points)
  if (known) return known
  const bins = Uint8Array.from({ length: points / 2 }, (_, bin) => {
    const hz = (bin * soundRate) / points
    const isNear = [50, 60].some((base) => Math.abs(hz - base * Math.round(hz / base)) <= 2)
    return Number(hz < mainsHz && isNear)
  })
  mains.set(points, bins)
  return bins
}

/** Two real correlations in one spectrum: the first in the real part, the second in the other. */
function multiplyBoth(
  first: Float64Array,
  second: Float64Array,
  wanted: Float64Array,
  { re, im, band }: { re: Float64Array; im: Float64Array; band: Band },
): void {
  const points = re.length
  re.fill(0)
  im.fill(0)
  for (let at = 0, bin = band.start; bin < band.end; bin++, at += 2) {
    const wRe = wanted[at]!
    const wIm = wanted[at + 1]!
    const aRe = first[at]! * wRe + first[at + 1]! * wIm
    const aIm = first[at + 1]! * wRe - first[at]! * wIm
    const bRe = second[at]! * wRe + second[at + 1]! * wIm
    const bIm = second[at + 1]! * wRe - second[at]! * wIm
    re[bin] = aRe - bIm
    im[bin] = aIm + bRe
    re[points - bin] = aRe + bIm
    im[points - bin] = bRe - aIm
  }
}

interface Top {
  peaks: Peak[]
  /** Lower peaks are not kept. */
  floor: number
  push: (position: number, height: number) => void
}

function createTop(): Top {
  const top: Top = {
    peaks: [],
    floor: 0,
    push(position, height) {
      const near = top.peaks.findIndex((peak) => Math.abs(peak.position - position) < peakGap)
      if (near >= 0) {
        if (top.peaks[near]!.height < height) top.peaks[near] = { position, height }
        else return
      } else top.peaks.push({ position, height })
      top.peaks.sort((a, b) => b.height - a.height)
      top.peaks.length = Math.min(top.peaks.length, peaksKept)
      if (top.peaks.length === peaksKept) top.floor = top.peaks.at(-1)!.height
    },
  }
  return top
}

function isEmpty(spectrum: Float64Array): boolean {
  return spectrum.every((part) => part === 0)
}

function powerOfTwo(atLeast: number): number {
  return 2 ** Math.max(2, Math.ceil(Math.log2(atLeast)))
}
