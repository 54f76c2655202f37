/**
 * Every answer signs the addresses of media again; a player goes on with the one it has as long as
 * that is valid. An address lives four hours (server/cuts/read.ts).
 */
import type { SourcePictures } from '../../contract/footage/cuts.ts'

/** From here on the newer one is taken. */
const freshMs = 3 * 3600_000
/** From here on a newer one is taken even where it interrupts what plays. */
const lastMs = 3.75 * 3600_000
/** How often it is asked whether they grow old. */
export const renewEveryMs = 10 * 60_000

interface Pictured {
  content_id: string
  pictures: SourcePictures
}

const receivedMs = new WeakMap<SourcePictures, number>()

/** Where nothing but signatures changed, the very same list. */
export function keepAddresses<Source extends Pictured>(
  known: readonly Source[],
  next: readonly Source[],
  nowMs: number,
): readonly Source[] {
  noteAddresses(known, nowMs)
  noteAddresses(next, nowMs)
  const before = new Map(known.map((source) => [source.content_id, source]))
  const kept = next.map((source) => {
    const old = before.get(source.content_id)
    if (!old || ageOf(old, nowMs) >= freshMs) return source
    if (unsigned(old.pictures) !== unsigned(source.pictures)) return source
    const same = { ...source, pictures: old.pictures }
    return JSON.stringify(same) === JSON.stringify(old) ? old : same
  })
  const isWhole = kept.length === known.length && kept.every((source, at) => source === known[at])
  return isWhole ? known : kept
}

/** Remembers when these came, where that is not known yet. */
export function noteAddresses(sources: readonly Pictured[], nowMs: number): void {
  for (const { pictures } of sources) {
    if (!receivedMs.has(pictures)) receivedMs.set(pictures, nowMs)
  }
}

/** Whether it is time to ask for new ones: later while something plays. */
export function isRenewalDue(
  sources: readonly Pictured[],
  { nowMs, isPlaying }: { nowMs: number; isPlaying: boolean },
): boolean {
  const oldest = Math.max(0, ...sources.map((source) => ageOf(source, nowMs)))
  return oldest >= (isPlaying ? lastMs : freshMs)
}

function ageOf({ pictures }: Pictured, nowMs: number): number {
  return nowMs - (receivedMs.get(pictures) ?? nowMs)
}

function unsigned(pictures: SourcePictures): string {
  return JSON.stringify(pictures, (_, value: unknown) =>
    typeof value === 'string' ? value.split('?')[0] : value,
  )
}
