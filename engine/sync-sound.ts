/**
 * A door: which of these files were recorded together, and when each begins on the clock of the
 * others. Each file's sound is decoded once; `sync/match.ts` compares two, `sync/group.ts` all.
 */
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Media } from '../domain/findings/findings.ts'
import { formatRational, rational, toNumber } from '../domain/time/rational.ts'
import { recordedAt, sourceFormat } from '../domain/time/source-timecode.ts'
import { frameTime } from '../domain/time/timecode.ts'
import { probe } from './probe.ts'
import { groupItems } from './sync/group.ts'
import type { Placed } from './sync/group.ts'
import { readKnownSound, readSound } from './sync/read-sound.ts'
import type { OpenSound } from './sync/read-sound.ts'

interface SyncInput {
  /** `media` is what an earlier probe reported; without it the file is probed here. */
  files: readonly { file: string; maxSeconds: number; media?: Media | null }[]
  workDir: string
  signal?: AbortSignal
  /** From 0 to 1. */
  onProgress?: (part: number) => void
  /** Once the sound of a file was read: its highest levels, none where it has no sound. */
  onSound?: (index: number, levels: Uint8Array) => void
}

export interface SyncedItem {
  /** Counted from 0; null: it belongs to no group. */
  group: number | null
  isReference: boolean
  method: 'sound' | 'timecode' | null
  /** Exact seconds of the reference at which it begins; without a group, the best guess. */
  offset: string | null
  driftPpm: number | null
  /** From 0 to 1. */
  confidence: number | null
  /** The next best place, as a part of the best. */
  next: number | null
  curve: number[]
  timecodeOffset: string | null
  reason: 'no_sound' | 'unreadable' | 'no_match' | null
  /** Highest levels, 50 a second. */
  levels: Uint8Array
}

/** Offsets are rounded to a sample of professional sound. */
const offsetRate = 48_000
/** Decoding is the smaller part of the work on long files, the larger one on short ones. */
const decodePart = 0.5

export async function syncSound(input: SyncInput): Promise<SyncedItem[]> {
  const { files, workDir, signal, onProgress, onSound } = input
  const opened: OpenedItem[] = []
  try {
    for (const [index, item] of files.entries()) {
      const to = path.join(workDir, `sound-${index}.s16`)
      const read = await openItem({ ...item, to }, signal)
      opened.push(read)
      onSound?.(index, read.sound?.levels ?? new Uint8Array())
      onProgress?.((decodePart * (index + 1)) / files.length)
    }
    const placed = await groupItems(
      opened.map(({ sound, media }) => ({
        sound,
        isRecorder: media?.kind === 'audio',
        timecode: media ? secondOfDay(media) : null,
      })),
      {
        signal,
        onPair: (done, all) => onProgress?.(decodePart + ((1 - decodePart) * done) / all),
      },
    )
    return placed.map((place, index) => describe(place, opened[index]!))
  } finally {
    for (const [index, { sound }] of opened.entries()) {
      sound?.close()
      await rm(path.join(workDir, `sound-${index}.s16`), { force: true })
    }
  }
}

interface OpenedItem {
  media: Media | null
  sound: OpenSound | null
}

async function openItem(
  item: SyncInput['files'][number] & { to: string },
  signal?: AbortSignal,
): Promise<OpenedItem> {
  const { file, maxSeconds, to } = item
  if (item.media) {
    const sound = await readKnownSound({ file, media: item.media, to, maxSeconds }, signal)
    if (sound) return { media: item.media, sound }
  }
  const probed = await probe(file, { signal })
  signal?.throwIfAborted()
  if (probed.status !== 'media') return { media: null, sound: null }
  const { media, details } = probed
  return { media, sound: await readSound({ file, details, to, maxSeconds }, signal) }
}

/** By its own timecode; a clip that starts at zero was never set. */
function secondOfDay(media: Media): number | null {
  const clock = recordedAt(media)
  if (clock) return toNumber(clock)
  if (!media.start_timecode) return null
  const { format, startFrame } = sourceFormat(media)
  return startFrame === 0 ? null : toNumber(frameTime(startFrame, format.rate))
}

function describe(place: Placed, { media, sound }: OpenedItem): SyncedItem {
  const { match } = place
  const reason = !media
    ? ('unreadable' as const)
    : place.group !== null
      ? null
      : sound
        ? ('no_match' as const)
        : ('no_sound' as const)
  return {
    group: place.group,
    isReference: place.isReference,
    method: place.method,
    offset: place.offset === null ? null : exactSeconds(place.offset),
    driftPpm: place.driftPpm === null ? null : Math.round(place.driftPpm * 100) / 100,
    confidence: match ? confidenceOf(match.height) : null,
    next: match ? Math.round(match.next * 1000) / 1000 : null,
    curve: match?.curve ?? [],
    timecodeOffset: place.timecodeOffset === null ? null : exactSeconds(place.timecodeOffset),
    reason,
    levels: sound?.levels ?? new Uint8Array(),
  }
}

/** Chance reaches five times the noise, where the confidence is zero. */
function confidenceOf(height: number): number {
  return Math.round((1 - (5 / Math.max(5, height)) ** 2.5) * 1000) / 1000
}

function exactSeconds(seconds: number): string {
  return formatRational(rational(BigInt(Math.round(seconds * offsetRate)), BigInt(offsetRate)))
}
