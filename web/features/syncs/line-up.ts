/** How two sounds lie on each other, and where a hard sound is that shows it. */

/** Samples are thinned for the comparison; 12 kHz still tell a hundredth of a frame. */
const thinning = 4

export interface LinedUp {
  /** How much later the track sounds than the reference, in seconds. */
  lag: number
  /** From 0 to 1. */
  likeness: number
}

/** Compares the middles of two windows of the same length, shifted by `maxLag` at most. */
export function compareSounds(
  track: Float32Array,
  reference: Float32Array,
  { rate, maxLag }: { rate: number; maxLag: number },
): LinedUp {
  const own = thin(track)
  const other = thin(reference)
  const reach = Math.floor((maxLag * rate) / thinning)
  const from = reach
  const to = Math.min(own.length, other.length) - reach
  let best = { shift: 0, likeness: 0 }
  for (let shift = -reach; shift <= reach; shift++) {
    const likeness = likenessAt(own, other, { from, to, shift })
    if (likeness > best.likeness) best = { shift, likeness }
  }
  return { lag: (best.shift * thinning) / rate, likeness: best.likeness }
}

function likenessAt(
  own: Float32Array,
  other: Float32Array,
  { from, to, shift }: { from: number; to: number; shift: number },
): number {
  let [both, ours, theirs] = [0, 1e-9, 1e-9]
  for (let at = from; at < to; at++) {
    const a = own[at + shift]!
    const b = other[at]!
    both += a * b
    ours += a * a
    theirs += b * b
  }
  return both / Math.sqrt(ours * theirs)
}

function thin(samples: Float32Array): Float32Array {
  return Float32Array.from({ length: Math.floor(samples.length / thinning) }, (_, at) => {
    let sum = 0
    for (let part = 0; part < thinning; part++) sum += samples[at * thinning + part]!
    return sum / thinning
  })
}

/**
 * The second at which the levels of a sound rise most steeply within a range: a clap, or a hard
 * consonant. Null where there is nothing to be heard.
 */
export function hardSound(
  levels: Uint8Array,
  duration: number,
  { start, end }: { start: number; end: number },
): number | null {
  const each = duration / Math.max(1, levels.length)
  const first = Math.max(1, Math.ceil(start / each))
  const last = Math.min(levels.length - 1, Math.floor(end / each))
  let best = { rise: 0, at: -1 }
  for (let at = first; at <= last; at++) {
    const rise = levels[at]! - Math.max(levels[at - 1]!, levels[at - 2] ?? 0)
    if (rise > best.rise) best = { rise, at }
  }
  return best.at < 0 ? null : best.at * each
}

/** Where in a window the sound sets in, in samples: the steepest rise over a millisecond. */
export function onsetOf(samples: Float32Array, rate: number): number {
  const step = Math.max(1, Math.round(rate / 1000))
  let before = 0
  let best = { rise: 0, at: Math.floor(samples.length / 2) }
  for (let at = 0; at + step <= samples.length; at += step) {
    let peak = 0
    for (let sample = at; sample < at + step; sample++) {
      peak = Math.max(peak, Math.abs(samples[sample]!))
    }
    if (peak - before > best.rise) best = { rise: peak - before, at }
    before = Math.max(peak, before * 0.9)
  }
  return best.at
}
