/**
 * Joins corrections that two tabs or people made from the same version. Items that only one side
 * changed are taken from there; items that both changed are left for a person to decide.
 */
import { noCorrections } from '../../../../domain/findings/no-corrections.ts'
import type { Corrections } from '../../../../domain/findings/corrections.ts'
import type { Merged, Sides } from '../../../saved/saved-document.ts'

export interface Item {
  kind: 'word' | 'paragraph' | 'speaker' | 'passage' | 'removed' | 'added'
  /** Names the thing corrected: two items with one key cannot both be. */
  key: string
  /** Items of one kind that overlap cannot both be either. */
  start: number
  end: number
  value: unknown
}

/** Both sides changed the same thing: null means that a side has no correction there. */
export interface Conflict {
  key: string
  mine: Item | null
  theirs: Item | null
}

export function mergeCorrections(input: Sides<Corrections>): Merged<Corrections, Conflict> {
  const [base, mine, theirs] = [itemsOf(input.base), itemsOf(input.mine), itemsOf(input.theirs)]
  const result = new Map(theirs)
  const conflicts: Conflict[] = []
  for (const key of new Set([...base.keys(), ...mine.keys()])) {
    const mineNow = mine.get(key) ?? null
    if (isSame(mineNow, base.get(key) ?? null)) continue
    const theirsNow = theirs.get(key) ?? null
    if (isSame(mineNow, theirsNow)) continue
    const isTheirsChanged = !isSame(theirsNow, base.get(key) ?? null)
    const rival = isTheirsChanged ? theirsNow : overlapping(mineNow, theirs, base)
    if (isTheirsChanged || rival) conflicts.push({ key, mine: mineNow, theirs: rival })
    else if (mineNow) result.set(key, mineNow)
    else result.delete(key)
  }
  return { value: correctionsOf(result.values()), conflicts }
}

/** Takes my side of a conflict. */
export function takeMine(corrections: Corrections, { key, mine, theirs }: Conflict): Corrections {
  const items = itemsOf(corrections)
  if (theirs) items.delete(theirs.key)
  if (mine) items.set(key, mine)
  else items.delete(key)
  return correctionsOf(items.values())
}

export function itemsOf({ words, paragraphs, speakers, shots }: Corrections): Map<string, Item> {
  const items: Item[] = [
    ...words.map((value) => item('word', value.start, value.end, value)),
    ...paragraphs.map((value) => item('paragraph', value.at, value.at, value)),
    ...speakers.passages.map((value) => item('passage', value.start, value.end, value)),
    ...shots.removed.map((value) => item('removed', value, value, value)),
    ...shots.added.map((value) => item('added', value.start_frame, value.end_frame, value)),
    ...Object.entries(speakers.names).map(([id, name]): Item => ({
      kind: 'speaker',
      key: `speaker ${id}`,
      start: 0,
      end: 0,
      value: [id, name],
    })),
  ]
  return new Map(items.map((each) => [each.key, each]))
}

export function correctionsOf(items: Iterable<Item>): Corrections {
  const valuesOf = <Value>(kind: Item['kind']): Value[] =>
    all
      .filter((each) => each.kind === kind)
      .toSorted((a, b) => a.start - b.start)
      .map(({ value }) => value as Value)
  const all = [...items]
  return {
    ...noCorrections,
    words: valuesOf('word'),
    paragraphs: valuesOf('paragraph'),
    speakers: {
      names: Object.fromEntries(valuesOf<[string, string]>('speaker')),
      passages: valuesOf('passage'),
    },
    shots: { removed: valuesOf('removed'), added: valuesOf('added') },
  }
}

function item(kind: Item['kind'], start: number, end: number, value: unknown): Item {
  return { kind, key: `${kind} ${start}`, start, end, value }
}

/** One of theirs that is new and lies over mine. */
function overlapping(
  mine: Item | null,
  theirs: ReadonlyMap<string, Item>,
  base: ReadonlyMap<string, Item>,
): Item | null {
  if (!mine) return null
  for (const other of theirs.values()) {
    const isNew = !isSame(other, base.get(other.key) ?? null)
    const meets = other.start < mine.end && mine.start < other.end
    if (other.kind === mine.kind && isNew && meets) return other
  }
  return null
}

function isSame(a: Item | null, b: Item | null): boolean {
  return spelled(a?.value) === spelled(b?.value)
}

/** In one spelling: the service may give the fields in another order. */
function spelled(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value)
  }
  return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
