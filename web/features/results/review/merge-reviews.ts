/**
 * Merges reviews that two windows made from the same one: each side's additions, changes and
 * removals are applied to the other. Where both changed the same thing, mine is taken.
 */
import type { Review, Select } from '../../../../contract/footage/review.ts'
import type { Sides } from '../../../saved/saved-document.ts'

export function mergeReviews(sides: Sides<Review>): Review {
  const { base, mine, theirs } = sides
  const verdicts = mergeLists(pick(sides, verdictsOf), ({ frame }) => String(frame))
  const framesOf = (isAccepted: boolean): number[] =>
    verdicts.filter((item) => item.isAccepted === isAccepted).map(({ frame }) => frame)
  const { tighten } = isSame(mine.tighten, base.tighten) ? theirs : mine
  const { shot_threshold } = mine.shot_threshold === base.shot_threshold ? theirs : mine
  return {
    selects: mergeLists(
      pick(sides, ({ selects }) => selects),
      ({ id }: Select) => id,
    ),
    accepted_cut_frames: framesOf(true),
    rejected_cut_frames: framesOf(false),
    shot_threshold,
    ...(tighten ? { tighten } : {}),
  }
}

function verdictsOf(review: Review): { frame: number; isAccepted: boolean }[] {
  return [
    ...review.accepted_cut_frames.map((frame) => ({ frame, isAccepted: true })),
    ...review.rejected_cut_frames.map((frame) => ({ frame, isAccepted: false })),
  ]
}

function pick<Thing, Part>(
  { base, mine, theirs }: Sides<Thing>,
  part: (thing: Thing) => Part,
): Sides<Part> {
  return { base: part(base), mine: part(mine), theirs: part(theirs) }
}

function mergeLists<Item>(lists: Sides<readonly Item[]>, keyOf: (item: Item) => string): Item[] {
  const { base, mine, theirs } = pick(
    lists,
    (items) => new Map(items.map((item) => [keyOf(item), item])),
  )
  const merged = new Map(theirs)
  for (const key of base.keys()) if (!mine.has(key)) merged.delete(key)
  for (const [key, item] of mine) if (!isSame(base.get(key), item)) merged.set(key, item)
  return [...merged.values()]
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
