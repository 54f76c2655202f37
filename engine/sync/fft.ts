/** A complex Fourier transform of a power of two: Stockham's radix 4, without bit reversal. */

interface Fft {
  size: number
  /** Transforms in place; with real and imaginary parts swapped, the inverse times `size`. */
  transform: (re: Float64Array, im: Float64Array) => void
}

const plans = new Map<number, Fft>()

/** Plans are kept: their tables cost as much as a transform. */
export function fftOf(size: number): Fft {
  const known = plans.get(size)
  if (known) return known
  const plan = createFft(size)
  plans.set(size, plan)
  return plan
}

function createFft(size: number): Fft {
  if (size < 4 || (size & (size - 1)) !== 0) throw new RangeError('A transform needs 2^n points')
  const cos = new Float64Array(size)
  const sin = new Float64Array(size)
  for (let at = 0; at < size; at++) {
    cos[at] = Math.cos((2 * Math.PI * at) / size)
    sin[at] = -Math.sin((2 * Math.PI * at) / size)
  }
  const spareRe = new Float64Array(size)
  const spareIm = new Float64Array(size)
  return {
    size,
    transform(re, im) {
      let [from, to]: [Parts, Parts] = [
        { re, im },
        { re: spareRe, im: spareIm },
      ]
      let stride = 1
      for (let points = size; points >= 4; points /= 4) {
        pass({ from, to, points, stride, cos, sin })
        ;[from, to] = [to, from]
        stride *= 4
      }
      if (stride < size) {
        lastPass(from.re, to.re, stride)
        lastPass(from.im, to.im, stride)
        from = to
      }
      if (from.re === re) return
      re.set(from.re)
      im.set(from.im)
    },
  }
}

interface Parts {
  re: Float64Array
  im: Float64Array
}

interface Pass {
  from: Parts
  to: Parts
  points: number
  stride: number
  cos: Float64Array
  sin: Float64Array
}

function pass({ from: source, to: target, points, stride, cos, sin }: Pass): void {
  const { re: fromRe, im: fromIm } = source
  const { re: toRe, im: toIm } = target
  const quarter = points / 4
  const step = quarter * stride
  for (let p = 0; p < quarter; p++) {
    const at = p * stride
    const [c1, s1] = [cos[at]!, sin[at]!]
    const [c2, s2] = [cos[2 * at]!, sin[2 * at]!]
    const [c3, s3] = [cos[3 * at]!, sin[3 * at]!]
    for (let q = 0; q < stride; q++) {
      const from = q + at
      const to = q + 4 * at
      const aRe = fromRe[from]!
      const aIm = fromIm[from]!
      const bRe = fromRe[from + step]!
      const bIm = fromIm[from + step]!
      const cRe = fromRe[from + 2 * step]!
      const cIm = fromIm[from + 2 * step]!
      const dRe = fromRe[from + 3 * step]!
      const dIm = fromIm[from + 3 * step]!
      const sumRe = aRe + cRe
      const sumIm = aIm + cIm
      const gapRe = aRe - cRe
      const gapIm = aIm - cIm
      const oddRe = bRe + dRe
      const oddIm = bIm + dIm
      const turnRe = dIm - bIm
      const turnIm = bRe - dRe
      toRe[to] = sumRe + oddRe
      toIm[to] = sumIm + oddIm
      const oneRe = gapRe - turnRe
      const oneIm = gapIm - turnIm
      toRe[to + stride] = c1 * oneRe - s1 * oneIm
      toIm[to + stride] = c1 * oneIm + s1 * oneRe
      const twoRe = sumRe - oddRe
      const twoIm = sumIm - oddIm
      toRe[to + 2 * stride] = c2 * twoRe - s2 * twoIm
      toIm[to + 2 * stride] = c2 * twoIm + s2 * twoRe
      const threeRe = gapRe + turnRe
      const threeIm = gapIm + turnIm
      toRe[to + 3 * stride] = c3 * threeRe - s3 * threeIm
      toIm[to + 3 * stride] = c3 * threeIm + s3 * threeRe
    }
  }
}

/** Completes sizes that are no power of four: one factor of two is left. */
function lastPass(from: Float64Array, to: Float64Array, stride: number): void {
  for (let q = 0; q < stride; q++) {
    const a = from[q]!
    const b = from[q + stride]!
    to[q] = a + b
    to[q + stride] = a - b
  }
}

/** Fades both ends of a stretch of sound before it is transformed. */
export function hannWindow(size: number): Float64Array {
  const weight = (at: number): number => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / (size - 1))
  return Float64Array.from({ length: size }, (_, at) => weight(at))
}
