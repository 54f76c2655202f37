/** Looks at files beside the event loop: everything that reads a stranger's bytes runs here. */
import type { Media } from '../../contract/findings.ts'
import { makeStill } from '../../engine/media/still.ts'
import { probe } from '../../engine/probe.ts'
import type { ProbeRefusal } from '../../engine/probe.ts'
import { serveOrders } from '../process/serve-orders.ts'

export interface LookOrder {
  path: string
  /** How long packets are read for exact times before the header's word is taken. */
  scanMs?: number | undefined
  /** Longer media is not looked at further. */
  maxMediaSeconds: number
  /** Whether a still is wanted. */
  still: boolean
}

export type LookOutcome =
  | { status: 'seen'; media: Media; still: Uint8Array | null }
  | { status: 'refused'; code: ProbeRefusal; message: string }
  | { status: 'too_long' }

serveOrders(async ({ path, scanMs, maxMediaSeconds, still }: LookOrder): Promise<LookOutcome> => {
  const outcome = await probe(path, scanMs === undefined ? {} : { scanMs })
  if (outcome.status === 'refused') return outcome
  const { media } = outcome
  if (media.duration > maxMediaSeconds) return { status: 'too_long' }
  return { status: 'seen', media, still: still ? await makeStill(path, outcome) : null }
})
