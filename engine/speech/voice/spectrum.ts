/** How strong a sound is in each of 16 bands, spaced as the ear hears them from 100 to 7,000 Hz. */
import { fftOf, hannWindow } from '../../sync/fft.ts'
import { makeMelBands } from './mel-bands.ts'

export const bandCount = 16

const size = 512
const windowSize = 400
const lowest = 100
const highest = 7000

const hann = hannWindow(windowSize)
const bands = makeMelBands({ count: bandCount, lowest, highest, size })
const { transform } = fftOf(size)
const real = new Float64Array(size)
const imaginary = new Float64Array(size)
const powers = new Float64Array(bandCount)

/** Powers of the bands in 25 ms around a sample; the array is reused by the next call. */
export function bandPowers(samples: Float32Array, middle: number): Float64Array {
  real.fill(0)
  imaginary.fill(0)
  for (let at = 0; at < windowSize; at++) {
    real[at] = hann[at]! * (samples[middle - windowSize / 2 + at] ?? 0)
  }
  transform(real, imaginary)
  for (let band = 0; band < bandCount; band++) {
    const { first, shares } = bands[band]!
    let sum = 0
    for (let at = 0; at < shares.length; at++) {
      sum += shares[at]! * (real[first + at]! ** 2 + imaginary[first + at]! ** 2)
    }
    powers[band] = sum
  }
  return powers
}
