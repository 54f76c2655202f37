import type { Image } from './picture.ts'

/** Measures of every frame; index 0 of a difference is 0. */
export interface FilmMeasures {
  frames: number
  /** Motion-compensated residual against the frame before. */
  residual: Float32Array
  histogram: Float32Array
  layout: Float32Array
  /** Mean difference of the pixels. */
  step: Float32Array
  mean: Float32Array
  deviation: Float32Array
  /** The sum of all residuals so far: how much in a stretch no moving block explains. */
  unrest: Float64Array
  /** The largest difference of a small block from the frame before. */
  stir: Float32Array
  /** Largest difference from four frames of the last second. */
  drift: Float32Array
  /** How many frames back `drift` compares. */
  driftFrames: number
}

export interface Film extends FilmMeasures {
  /** The image of a frame near the newest one. */
  imageAt: (frame: number) => Image
  isKept: (frame: number) => boolean
}
