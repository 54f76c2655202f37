/** How strong a sound is in each of 16 bands, spaced as the ear hears them from 100 to 7,000 Hz. */
import { makeMelBands } from './mel-bands.ts'

export const bandCount = 16

const size = 512
const windowSize = 400
const lowest = 100
const highest = 7000

const hann = Float64Array.from(
  { length: windowSize },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / (windowSize - 1)),
)
const bands = makeMelBands({ count: bandCount, lowest, highest, size })
const turns = Float64Array.from({ length: size }, (_, at) => {
  const angle = (-2 * Math.PI * (at >> 1)) / size
  return at % 2 === 0 ? Math.cos(angle) : Math.sin(angle)
})
const real = new Float64Array(size)
const imaginary = new Float64Array(size)
const powers = new Float64Array(bandCount)

/** Of 25 ms around a sample; the array is used again by the next call. */
export function bandPowers(samples: Float32Array, middle: number): Float64Array {
  real.fill(0)
  imaginary.fill(0)
  for (let at = 0; at < windowSize; at++) {
    real[at] = hann[at]! * (samples[middle - windowSize / 2 + at] ?? 0)
  }
  transform()
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

/** The Fourier transform in place, by halving. */
function transform(): void {
  for (let at = 1, other = 0; at < size; at++) {
    let bit = size >> 1
    for (; other & bit; bit >>= 1) other ^= bit
    other ^= bit
    if (at < other) {
      ;[real[at], real[other]] = [real[other]!, real[at]!]
      ;[imaginary[at], imaginary[other]] = [imaginary[other]!, imaginary[at]!]
    }
  }
  for (let length = 2; length <= size; length *= 2) {
    const stride = size / length
    const half = length / 2
    for (let start = 0; start < size; start += length) {
      for (let at = 0; at < half; at++) {
        const cos = turns[2 * at * stride]!
        const sin = turns[2 * at * stride + 1]!
        const low = start + at
        const high = low + half
        const x = real[high]! * cos - imaginary[high]! * sin
        const y = real[high]! * sin + imaginary[high]! * cos
        real[high] = real[low]! - x
        imaginary[high] = imaginary[low]! - y
        real[low] = real[low]! + x
        imaginary[low] = imaginary[low]! + y
      }
    }
  }
}
