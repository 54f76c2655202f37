/** The spectrum of a voice every 10 ms: logarithms of 40 bands that are even in mel. */
import { fftOf, hannWindow } from '../sync/fft.ts'
import { makeMelBands } from '../speech/voice/mel-bands.ts'
import { sampleRate } from '../speech/voice/vad.ts'

export const bandCount = 40
export const frameHop = 160
export const framesPerSecond = sampleRate / frameHop

const windowSize = 400
const size = 512
const lowest = 80
const highest = 7600
/** Added to each power, so that digital silence has a logarithm. */
const floor = 1e-6

const hann = hannWindow(windowSize)
const bands = makeMelBands({ count: bandCount, lowest, highest, size })

export function frameCount(samples: number): number {
  return samples < windowSize ? 0 : Math.floor((samples - windowSize) / frameHop) + 1
}

/** Frame by frame, `bandCount` numbers each. */
export function logBands(samples: Float32Array): Float32Array {
  const frames = frameCount(samples.length)
  const result = new Float32Array(frames * bandCount)
  const { transform } = fftOf(size)
  const real = new Float64Array(size)
  const imaginary = new Float64Array(size)
  // Two real frames in one complex transform.
  for (let frame = 0; frame < frames; frame += 2) {
    real.fill(0)
    imaginary.fill(0)
    const start = frame * frameHop
    for (let at = 0; at < windowSize; at++) {
      real[at] = hann[at]! * samples[start + at]!
      imaginary[at] = hann[at]! * (samples[start + frameHop + at] ?? 0)
    }
    transform(real, imaginary)
    writeBands(result, frame * bandCount, { real, imaginary, sign: 1 })
    if (frame + 1 < frames) {
      writeBands(result, (frame + 1) * bandCount, { real, imaginary, sign: -1 })
    }
  }
  return result
}

function writeBands(
  target: Float32Array,
  offset: number,
  { real, imaginary, sign }: { real: Float64Array; imaginary: Float64Array; sign: 1 | -1 },
): void {
  for (let band = 0; band < bandCount; band++) {
    const { first, shares } = bands[band]!
    let sum = 0
    for (let at = 0; at < shares.length; at++) {
      const bin = first + at
      const mirror = (size - bin) % size
      // The even part belongs to the first frame, the odd part to the second.
      const re = (real[bin]! + sign * real[mirror]!) / 2
      const im = (imaginary[bin]! - sign * imaginary[mirror]!) / 2
      sum += shares[at]! * (re * re + im * im)
    }
    target[offset + band] = Math.log(sum + floor)
  }
}
