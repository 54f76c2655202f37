/**
 * An export is read back before it is handed out. Each reader knows its format only; what it read
 * is compared here with what was meant, value by value.
 */
import type { Item, Marker } from '../timeline/timeline.ts'

/** A difference is a fault of the writer, never of the person who asked. */
export function fail(what: string): never {
  throw new Error(`The export did not read back as it was meant: ${what}`)
}

export function expectEqual(what: string, read: unknown, meant: unknown): void {
  if (read !== meant) fail(`${what} is ${String(read)}, meant ${String(meant)}`)
}

/** All that is meant was read, in lists of the same length. */
export function expectSame(what: string, read: unknown, meant: unknown): void {
  if (typeof meant !== 'object' || meant === null) return expectEqual(what, read, meant)
  if (typeof read !== 'object' || read === null) fail(`there is no ${what}`)
  if (Array.isArray(meant)) expectEqual(`${what}: count`, (read as unknown[]).length, meant.length)
  for (const [key, value] of Object.entries(meant)) {
    expectSame(`${what} ${key}`, (read as Record<string, unknown>)[key], value)
  }
}

/** A marker as it is read: where it starts, for how long, and its name. */
export interface ReadMarker {
  start: number
  frames: number
  name: string
}

export function markerMeant({ start, end, name }: Marker): ReadMarker {
  return { start, frames: end - start, name }
}

/** Returns where an item is meant to be, and the range of its transition. */
export function placeMeant({ recordIn, recordOut, transition }: Item) {
  return {
    recordIn,
    recordOut,
    transition: transition && { start: transition.start, end: transition.end },
  }
}
