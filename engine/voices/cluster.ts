/**
 * Puts voices that sound alike together: average linkage. A voice is a vector of length 1, so the
 * mean cosine between two groups is the product of their sums over the product of their weights.
 */

export interface Group {
  sum: Float64Array
  weight: number
  members: number[]
  /** The mean cosine of the least alike pair that was merged into it; null for a single voice. */
  loosest: number | null
}

export type Until =
  | { count: number }
  /** `apart`: how much less alike the last two must be to stay two. */
  | { likeness: number; apart: number }

/** Merges the two most alike until `count` are left, or until no two are alike enough. */
export function groupVoices(
  voices: readonly Float32Array[],
  weights: readonly number[],
  until: Until,
): Group[] {
  const groups: (Group | null)[] = voices.map((voice, index) => ({
    sum: Float64Array.from(voice, (value) => value * weights[index]!),
    weight: weights[index]!,
    members: [index],
    loosest: null,
  }))
  // The most alike of those after it, for each group.
  const best = groups.map((_, index) => nearest(groups, index))
  for (let left = groups.length; left > 1; left--) {
    let from = 0
    best.forEach((candidate, index) => {
      if (candidate && candidate.likeness > (best[from]?.likeness ?? -Infinity)) from = index
    })
    const pair = best[from]
    if (!pair || isDone(until, left, pair.likeness)) break
    const keep = merged(groups[from]!, groups[pair.other]!, pair.likeness)
    groups[from] = keep
    groups[pair.other] = null
    best[pair.other] = null
    best.forEach((candidate, index) => {
      const group = groups[index]
      if (!group) return
      const isStale = index === from || candidate?.other === from || candidate?.other === pair.other
      if (isStale) best[index] = nearest(groups, index)
      else if (index < from) {
        const likeness = likenessOf(group, keep)
        if (candidate && likeness > candidate.likeness) best[index] = { other: from, likeness }
      }
    })
  }
  return groups.filter((group) => group !== null)
}

/** The mean cosine between the members of two groups. */
export function likenessOf(a: Group, b: Group): number {
  return product(a.sum, b.sum) / (a.weight * b.weight)
}

export function product(a: Float64Array | Float32Array, b: Float64Array | Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!
  return sum
}

function isDone(until: Until, left: number, likeness: number): boolean {
  if ('count' in until) return left <= until.count
  return likeness < until.likeness - (left === 2 ? until.apart : 0)
}

function merged(a: Group, b: Group, likeness: number): Group {
  return {
    sum: a.sum.map((value, at) => value + b.sum[at]!),
    weight: a.weight + b.weight,
    members: [...a.members, ...b.members],
    loosest: Math.min(likeness, a.loosest ?? Infinity, b.loosest ?? Infinity),
  }
}

function nearest(
  groups: readonly (Group | null)[],
  index: number,
): { other: number; likeness: number } | null {
  const own = groups[index]
  if (!own) return null
  let result: { other: number; likeness: number } | null = null
  for (let other = index + 1; other < groups.length; other++) {
    const group = groups[other]
    if (!group) continue
    const likeness = likenessOf(own, group)
    if (!result || likeness > result.likeness) result = { other, likeness }
  }
  return result
}
