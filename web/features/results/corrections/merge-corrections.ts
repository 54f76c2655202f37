/**
 * Joins corrections that two tabs or people made from the same version. Items that only one side
 * changed are taken from there; items that both changed are left for a person to decide.
 */
import { noCorrections } from '../../../../domain/findings/no-corrections.ts'
import type { Corrections } from '../../../../domain/findings/corrections.ts'

export interface Item {
  kind: 'word' | 'paragraph' | 'speaker' | 'passage' | 'removed' | 'added'
  /** What it is about: two items with one key cannot both be. */
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

export interface Merged {
  /** With their side of each conflict. */
  corrections: Corrections
  conflicts: Conflict[]
}

export function mergeCorrections(input: {
  base: Corrections
  mine: Corrections
  theirs: Corrections
}): Merged {
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
  return { corrections: correctionsOf(result.values()), conflicts }
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
  return new Map(items.map((one) => [one.key, one]))
}

export function correctionsOf(items: Iterable<Item>): Corrections {
  const of = <Value>(kind: Item['kind']): Value[] =>
    all
      .filter((one) => one.kind === kind)
      .toSorted((a, b) => a.start - b.start)
      .map((one) => one.value as Value)
  const all = [...items]
  return {
    ...noCorrections,
    words: of('word'),
    paragraphs: of('paragraph'),
    speakers: {
      names: Object.fromEntries(of<[string, string]>('speaker')),
      passages: of('passage'),
    },
    shots: { removed: of('removed'), added: of('added') },
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
