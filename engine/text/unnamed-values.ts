/**
 * Values of a slate whose labels a hand covers: they stand in one column with a value that still
 * has its label, row by row, and nothing stands before them. Their meaning is not guessed; they
 * show that a lone label belongs to a form.
 */
import { slateFields } from '../../domain/findings/slates.ts'
import type { Place } from './place.ts'
import { tidy } from './slate-values.ts'

/** How far the first letters of a column may stand apart, in heights: the hand is no ruler. */
const maxIndent = 1.2
/** From one row to the next, in heights. */
const maxPitch = 2.6
const maxHeightRatio = 1.6

/** Their places in the list. */
export function unnamedValues(
  lines: readonly { text: string }[],
  places: readonly Place[],
  known: { used: ReadonlySet<number>; labels: ReadonlySet<number>; named: readonly number[] },
): number[] {
  const looksLikeValue = (index: number): boolean =>
    slateFields.some((field) => tidy(field, lines[index]!.text) !== null)
  const free = lines
    .keys()
    .filter((index) => !known.used.has(index) && !known.labels.has(index) && looksLikeValue(index))
    .filter((index) => !places.some((place) => isBefore(place, places[index]!)))
    .toArray()
  const columns = known.named.map((index) => columnOf(places[index]!, free, places))
  return columns.toSorted((a, b) => b.length - a.length)[0] ?? []
}

/** The values that hang together with a named one, row by row, up and down. */
function columnOf(named: Place, free: readonly number[], places: readonly Place[]): number[] {
  const beside = free.filter((index) => isInColumn(named, places[index]!))
  const column: number[] = []
  for (const isAbove of [true, false]) {
    let last = named
    const way = beside
      .filter((index) => places[index]!.top < named.top === isAbove)
      .toSorted(
        (a, b) => Math.abs(places[a]!.top - named.top) - Math.abs(places[b]!.top - named.top),
      )
    for (const index of way) {
      const place = places[index]!
      const step = Math.abs(middleOf(place) - middleOf(last))
      if (step > maxPitch * named.height || step < 0.6 * named.height) break
      column.push(index)
      last = place
    }
  }
  return column
}

function isInColumn(named: Place, place: Place): boolean {
  const ratio = place.height / named.height
  const isAlike = ratio < maxHeightRatio && ratio > 1 / maxHeightRatio
  const reach = maxIndent * named.height
  return isAlike && place.left > named.left - reach && place.left < named.right
}

/** Whether a line stands to the left of another in the same row. */
function isBefore(place: Place, other: Place): boolean {
  const overlap = Math.min(place.bottom, other.bottom) - Math.max(place.top, other.top)
  return place !== other && overlap > 0.5 * other.height && place.right < other.left + other.height
}

function middleOf({ top, bottom }: Place): number {
  return (top + bottom) / 2
}
