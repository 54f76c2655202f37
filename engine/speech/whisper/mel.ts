/**
 * Sound as Whisper sees it: the logarithm of its power in mel bands, every 10 ms over 25 ms. Written
 * here rather than taken from a library, since loading that library cost more than this does.
 */

const size = 400
const hop = 160
const bins = size / 2 + 1
const half = size / 2
const quarter = size / 4
const sampleRate = 16_000
const floor = 1e-10
/** Quieter than this many powers of ten below the loudest is all the same. */
const range = 8

const window = Float64Array.from(
  { length: size },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / size),
)
const cosines = Float64Array.from({ length: size }, (_, at) => Math.cos((2 * Math.PI * at) / size))
const sines = Float64Array.from({ length: size }, (_, at) => Math.sin((2 * Math.PI * at) / size))

interface Band {
  first: number
  shares: Float64Array
}

/** [bands × frames] of so many frames; sound that is shorter is followed by quiet. */
export function createMel(
  bandCount: number,
): (samples: Float32Array, frames: number) => Float32Array {
  const bands = makeBands(bandCount)
  const power = new Float64Array(bins)
  const frame = new Float64Array(size)
  return (samples, frames) => {
    const length = frames * hop
    const mel = new Float32Array(bandCount * frames).fill(Math.log10(floor))
    let highest = Math.log10(floor)
    for (let index = 0; index < frames; index++) {
      const start = index * hop - half
      if (start >= samples.length && start + size <= length) continue
      for (let at = 0; at < size; at++) {
        frame[at] = window[at]! * (samples[mirrored(start + at, length)] ?? 0)
      }
      powerOf(frame, power)
      for (const [band, { first, shares }] of bands.entries()) {
        let sum = 0
        for (let at = 0; at < shares.length; at++) sum += shares[at]! * power[first + at]!
        const value = Math.log10(Math.max(floor, sum))
        mel[band * frames + index] = value
        if (value > highest) highest = value
      }
    }
    for (let at = 0; at < mel.length; at++) {
      mel[at] = (Math.max(mel[at]!, highest - range) + 4) / 4
    }
    return mel
  }
}

/** Before the start and after the end the sound is read backwards. */
function mirrored(at: number, length: number): number {
  if (at < 0) return -at
  return at < length ? at : 2 * (length - 1) - at
}

const evenSums = new Float64Array(quarter + 1)
const oddSums = new Float64Array(quarter + 1)
const evenGaps = new Float64Array(quarter + 1)
const oddGaps = new Float64Array(quarter + 1)

/**
 * The power of each frequency of a frame. 400 is no power of two; but of real samples only sums and
 * differences of mirrored ones count, and of those again for even and for odd frequencies, which
 * leaves a quarter of the products.
 */
function powerOf(frame: Float64Array, power: Float64Array): void {
  for (let at = 0; at <= quarter; at++) {
    const [low, high] = [frame[at]!, at === 0 ? 0 : frame[size - at]!]
    const [near, far] = [frame[half - at]!, at === 0 ? 0 : frame[half + at]!]
    const isMiddle = at === quarter
    evenSums[at] = isMiddle ? low + high : low + high + near + far
    oddSums[at] = isMiddle ? 0 : low + high - near - far
    evenGaps[at] = isMiddle ? 0 : low - high - (near - far)
    oddGaps[at] = isMiddle ? low - high : low - high + near - far
  }
  // The first and the middle sample have no mirrored one.
  evenGaps[0] = 0
  oddGaps[0] = 0
  for (let bin = 0; bin < bins; bin++) {
    const sums = bin % 2 === 0 ? evenSums : oddSums
    const gaps = bin % 2 === 0 ? evenGaps : oddGaps
    let real = 0
    let imaginary = 0
    for (let at = 0, turn = 0; at <= quarter; at++) {
      real += sums[at]! * cosines[turn]!
      imaginary += gaps[at]! * sines[turn]!
      turn += bin
      if (turn >= size) turn -= size
    }
    power[bin] = real * real + imaginary * imaginary
  }
}

/** Triangles of equal area, even below 1,000 Hz and logarithmic above (Slaney's scale). */
function makeBands(count: number): Band[] {
  const step = Math.log(6.4) / 27
  const toMel = (hertz: number) =>
    hertz < 1000 ? (3 * hertz) / 200 : 15 + Math.log(hertz / 1000) / step
  const toHertz = (mel: number) => (mel < 15 ? (200 * mel) / 3 : 1000 * Math.exp((mel - 15) * step))
  const corner = (index: number) => toHertz((toMel(sampleRate / 2) * index) / (count + 1))
  return Array.from({ length: count }, (_, band) => {
    const [left, top, right] = [corner(band), corner(band + 1), corner(band + 2)]
    const first = Math.ceil((left * size) / sampleRate)
    const last = Math.min(bins - 1, Math.floor((right * size) / sampleRate))
    const shares = Float64Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => {
      const hertz = ((first + at) * sampleRate) / size
      const share = Math.min((hertz - left) / (top - left), (right - hertz) / (right - top))
      return (Math.max(0, share) * 2) / (right - left)
    })
    return { first, shares }
  })
}
