import { sampleRate } from './vad.ts'

export interface MelBand {
  first: number
  shares: number[]
}

/** Triangles that overlap by half, even in mel, over the bins of a transform of `size` samples. */
export function makeMelBands(range: {
  count: number
  lowest: number
  highest: number
  size: number
}): MelBand[] {
  const { count, lowest, highest, size } = range
  const mel = (hertz: number) => 2595 * Math.log10(1 + hertz / 700)
  const step = (mel(highest) - mel(lowest)) / (count + 1)
  const corner = (index: number) => 700 * (10 ** ((mel(lowest) + index * step) / 2595) - 1)
  return Array.from({ length: count }, (_, band) => {
    const [left, top, right] = [corner(band), corner(band + 1), corner(band + 2)]
    const first = Math.ceil((left * size) / sampleRate)
    const last = Math.floor((right * size) / sampleRate)
    const shares = Array.from({ length: last - first + 1 }, (_, at) => {
      const hertz = ((first + at) * sampleRate) / size
      return Math.max(0, Math.min((hertz - left) / (top - left), (right - hertz) / (right - top)))
    })
    return { first, shares }
  })
}
