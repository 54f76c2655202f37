/**
 * The shot detector: small frames in, scored changes out, one frame at a time. It keeps a few
 * numbers of each frame for the whole film, small frames only as long as a window needs them.
 *
 * push(frame)  → measures it against the one before; then scores what has enough future now:
 *                the cut `lookahead` frames back, and every gradual window that has just closed.
 * finish()     → scores what is left at the end, finds the fades, and settles overlaps.
 */
import { scoreBlendedCut, withBlendedCuts } from './blended-frames.ts'
import { cutLookahead, scoreCut } from './cuts.ts'
import type { CutCues, CutScore } from './cuts.ts'
import { findFades } from './fades.ts'
import type { Film, FilmMeasures } from './film.ts'
import { gradualHalves, scoreGradual } from './gradual.ts'
import { histogramDistance, layoutDistance, pixelDistance, spotDistance } from './distance.ts'
import { motionResidual } from './motion.ts'
import { createImage, readImage } from './picture.ts'
import type { Image } from './picture.ts'
import { findPush, pushLookahead } from './push.ts'
import type { GradualScore } from './push.ts'
import { settleChanges } from './settle.ts'
import type { Change } from './settle.ts'

export interface Detection {
  film: FilmMeasures
  changes: Change[]
  /** Half-open ranges of frames that a flash washes out. */
  flashes: { start: number; end: number }[]
}

const kept = 512

/** `observe` receives all cues of a cut's score, to fit the weights. */
export function createShotDetector(
  framesPerSecond: number,
  observe?: (cut: CutScore, cues: CutCues) => void,
): {
  push(yuv: Uint8Array): void
  finish(): Detection
} {
  const ring: (Image | undefined)[] = Array.from({ length: kept })
  const film = emptyFilm(ring, framesPerSecond)
  const cuts: CutScore[] = []
  const blended: CutScore[] = []
  const lookahead = cutLookahead(framesPerSecond)
  const graduals: GradualScore[] = []
  // At high rates a transition has more frames, so the windows grow with the rate.
  const scale = framesPerSecond > 40 ? 2 : 1
  const windows = gradualHalves.map((half) => ({ half: half * scale, next: half * scale }))

  function scoreWindows(last: boolean): void {
    for (const window of windows) {
      const step = Math.max(1, window.half >> 1)
      while (window.next + window.half * (last ? 1 : 2) < film.frames) {
        const change = scoreGradual(film, window.next, window.half, scale)
        if (change) graduals.push(change)
        window.next += step
      }
    }
  }

  function scorePushAt(frame: number): void {
    const change = frame > 0 ? findPush(film, frame, framesPerSecond) : null
    if (change) graduals.push(change)
  }

  function scoreCutAt(frame: number): void {
    if (frame < 1) return
    const behindBlend = scoreBlendedCut(film, frame, framesPerSecond)
    if (behindBlend) blended.push(behindBlend)
    const scored = scoreCut(film, frame, framesPerSecond)
    if (!scored) return
    const { cues, ...cut } = scored
    observe?.(cut, cues)
    cuts.push(cut)
  }

  return {
    push(yuv) {
      const image = (ring[film.frames % kept] ??= createImage())
      readImage(yuv, image)
      const before = film.frames > 0 ? film.imageAt(film.frames - 1) : null
      addFrame(film, image, before)
      scoreCutAt(film.frames - 1 - lookahead)
      scoreWindows(false)
      scorePushAt(film.frames - 1 - pushLookahead)
    },
    finish() {
      const first = Math.max(1, film.frames - lookahead)
      for (let frame = first; frame < film.frames; frame++) scoreCutAt(frame)
      scoreWindows(true)
      const fades = findFades(film, framesPerSecond)
      const flashes = cuts.flatMap(({ frame, flashEnd }) =>
        flashEnd === null ? [] : [{ start: frame, end: flashEnd }],
      )
      const { imageAt: _, isKept: __, ...measures } = film
      const changes = settleChanges({
        framesPerSecond,
        cuts: withBlendedCuts(cuts, blended),
        graduals,
        fades,
      })
      return { film: measures, changes, flashes }
    },
  }
}

function emptyFilm(ring: (Image | undefined)[], framesPerSecond: number): Film {
  const start = 4096
  const film: Film = {
    frames: 0,
    residual: new Float32Array(start),
    histogram: new Float32Array(start),
    layout: new Float32Array(start),
    step: new Float32Array(start),
    mean: new Float32Array(start),
    deviation: new Float32Array(start),
    unrest: new Float64Array(start),
    stir: new Float32Array(start),
    drift: new Float32Array(start),
    // A second from the first frame to the last, both counted.
    driftFrames: Math.max(1, Math.min(kept, Math.ceil(framesPerSecond)) - 1),
    imageAt(frame) {
      const image = ring[frame % kept]
      if (!image || !film.isKept(frame)) {
        throw new RangeError(`Frame ${frame} is not kept.`)
      }
      return image
    },
    isKept: (frame) => frame >= 0 && frame < film.frames && frame >= film.frames - kept,
  }
  return film
}

function addFrame(film: Film, image: Image, before: Image | null): void {
  const at = film.frames
  if (at === film.residual.length) growFilm(film)
  film.frames = at + 1
  film.mean[at] = image.mean
  film.deviation[at] = image.deviation
  if (!before) return
  film.residual[at] = motionResidual(before, image)
  film.histogram[at] = histogramDistance(before, image)
  film.layout[at] = layoutDistance(before, image)
  film.step[at] = pixelDistance(before, image)
  film.unrest[at] = film.unrest[at - 1]! + film.residual[at]
  film.stir[at] = spotDistance(before, image)
  film.drift[at] = driftOf(film, image)
}

/**
 * Compares with several earlier frames: swaying motion returns now and then to where it was a
 * second ago.
 */
function driftOf(film: Film, image: Image): number {
  let drift = 0
  for (let quarter = 1; quarter <= 4; quarter++) {
    const back = film.frames - 1 - Math.ceil((film.driftFrames * quarter) / 4)
    if (back >= 0) drift = Math.max(drift, spotDistance(film.imageAt(back), image))
  }
  return drift
}

function growFilm(film: Film): void {
  const length = film.residual.length * 2
  const grow = (values: Float32Array): Float32Array => {
    const grown = new Float32Array(length)
    grown.set(values)
    return grown
  }
  film.residual = grow(film.residual)
  film.histogram = grow(film.histogram)
  film.layout = grow(film.layout)
  film.step = grow(film.step)
  film.mean = grow(film.mean)
  film.deviation = grow(film.deviation)
  film.stir = grow(film.stir)
  film.drift = grow(film.drift)
  const unrest = new Float64Array(length)
  unrest.set(film.unrest)
  film.unrest = unrest
}
