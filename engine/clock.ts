/**
 * The one frame-time model. A frame is an ordinal in presentation order; its exact start is a
 * fraction of a second after the start of frame 0. Detectors speak in frames or in seconds of the
 * same clock, and this turns one into the other.
 */

/** An exact fraction; `den` is positive. */
export interface Rational {
  num: bigint
  den: bigint
}

export interface FrameClock {
  /** Frames per second: the container's exact rate, or 25/1 where there is no picture. */
  rate: Rational
  /** The number of frames presented. */
  frames: number
  /** The exact start of a frame; `frames` itself gives the end of the last one. */
  timeOf(frame: number): Rational
  /** The frame on the screen at this second; clamped to 0..frames. */
  frameAt(seconds: number): number
}
