/** Looks at files beside the event loop: everything that reads a stranger's bytes runs here. */
import type { Media } from '../../domain/findings/findings.ts'
import { findSoundOrigin, readSoundPart } from '../../engine/media/sound-part.ts'
import type { SoundOrigin } from '../../engine/media/sound-part.ts'
import { makeStill } from '../../engine/media/still.ts'
import { probe } from '../../engine/probe.ts'
import type { ProbeRefusal } from '../../engine/probe.ts'
import { serveOrders } from '../ground/process-pool-server.ts'

export interface LookOrder {
  path: string
  /** How long packets are read for exact times before the header's word is taken. */
  scanMs?: number | undefined
  /** Longer media is not looked at further. */
  maxMediaSeconds: number
  /** Whether a still is wanted. */
  still: boolean
}

/** A moment of the sound of a file; `origin` where an earlier order found it. */
export interface HearOrder {
  path: string
  part: { start: number; seconds: number }
  origin: SoundOrigin | undefined
}

export type LookOutcome =
  | { status: 'seen'; media: Media; still: Uint8Array | null }
  | { status: 'refused'; code: ProbeRefusal; message: string }
  | { status: 'too_long' }
  | { status: 'heard'; samples: Uint8Array; origin: SoundOrigin }
  | { status: 'silent' }

serveOrders((order: LookOrder | HearOrder): Promise<LookOutcome> =>
  'part' in order ? hear(order) : look(order),
)

async function hear({ path, part, origin: known }: HearOrder): Promise<LookOutcome> {
  const origin = known ?? (await findSoundOrigin(path))
  if (!origin) return { status: 'silent' }
  return { status: 'heard', samples: await readSoundPart(path, origin, part), origin }
}

async function look({ path, scanMs, maxMediaSeconds, still }: LookOrder): Promise<LookOutcome> {
  const outcome = await probe(path, scanMs === undefined ? {} : { scanMs })
  if (outcome.status === 'refused') return outcome
  const { media } = outcome
  if (media.duration > maxMediaSeconds) return { status: 'too_long' }
  return { status: 'seen', media, still: still ? await makeStill(path, outcome) : null }
}
