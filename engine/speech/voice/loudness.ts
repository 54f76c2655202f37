/**
 * How much louder a recording has to be for the voice detector, which was made for the usual
 * levels: of speech that peaks at -50 dB it finds half, at -65 dB nothing. Whatever is not very
 * quiet stays as it is, since levelling ordinary recordings made the detector worse (decision 62).
 */

/** Samples that one peak is taken of. */
const hop = 512
/** The loudest half second does not count: a clap or a bump is no voice. */
const ignoredHops = 16
/** The largest share of a short sound that may be ignored. */
const ignoredShare = 0.05
/** -36 dB; ordinary speech lies 10 dB and more above it. */
const quietBelow = 519
/** One or two steps of the scale are noise of the conversion. */
const audibleFrom = 3
/** -12 dB. */
const target = 8231
/** 40 dB. */
const maxGain = 100

export function createLoudness() {
  const counts = new Uint32Array(32_769)
  let hops = 0
  let filled = 0
  let peak = 0
  const close = (): void => {
    counts[peak]!++
    hops++
    filled = peak = 0
  }
  return {
    push(samples: Int16Array): void {
      for (const sample of samples) {
        const size = Math.abs(sample)
        if (size > peak) peak = size
        if (++filled === hop) close()
      }
    },
    /** 1 where the sound is loud enough, or so quiet that there is none. */
    missingGain(): number {
      const level = Math.max(loudPeak(counts, hops), 1)
      return level < audibleFrom || level >= quietBelow ? 1 : Math.min(maxGain, target / level)
    },
  }
}

/** The peak of the loudest hop behind those that do not count. */
function loudPeak(counts: Uint32Array, hops: number): number {
  let left = Math.min(ignoredHops, Math.floor(hops * ignoredShare))
  for (let level = counts.length - 1; level > 0; level--) {
    left -= counts[level]!
    if (left < 0) return level
  }
  return 0
}

export function amplify(samples: Int16Array, gain: number): void {
  for (let at = 0; at < samples.length; at++) {
    samples[at] = Math.max(-32_768, Math.min(32_767, Math.round(samples[at]! * gain)))
  }
}
