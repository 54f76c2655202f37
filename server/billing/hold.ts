/** A job's money: reserved when it is created, charged or given back once when it ends. */
import type { Micros } from '../../domain/money/money.ts'
import type { Db } from '../ground/database.ts'
import { callLedger, notNegative } from './ledger.ts'
import { countSpend, findReachedLimit, settleSpend } from './spend-limits.ts'
import type { LimitReached } from './spend-limits.ts'

export type Held =
  | { ok: true; transactionId: string; heldMicros: Micros; availableMicros: Micros }
  | NotHeld
export type NotHeld =
  | { ok: false; reason: 'insufficient'; requiredMicros: Micros; availableMicros: Micros }
  | LimitReached

/**
 * Reserves credit for a job within the limits of its account and key. With a caller's transaction
 * the hold commits with the job's row.
 */
export async function placeHold(
  db: Db,
  input: {
    accountId: string
    jobId: string
    amountMicros: Micros
    /** The API key that spends; null and absent: a person. */
    keyId?: string | null
    now: Date
  },
): Promise<Held> {
  const spending = { ...input, keyId: input.keyId ?? null }
  const reached = await findReachedLimit(db, spending)
  if (reached) return reached
  const held = await callLedger<Held>(db, 'ledger_place_hold($1, $2, $3, $4)', [
    input.accountId,
    input.jobId,
    notNegative(input.amountMicros),
    input.now,
  ])
  if (held.ok && input.amountMicros > 0) await countSpend(db, spending)
  return held
}

export interface HoldClosed {
  ok: true
  transactionId: string
  capturedMicros: Micros
  /** Micro-dollars returned to the lots that they came from. */
  releasedMicros: Micros
  /** Held parts of free credit that expired in the meantime. */
  lapsedMicros: Micros
  availableMicros: Micros
}

export type Captured =
  | HoldClosed
  | { ok: false; reason: 'no_hold' | 'released' }
  | { ok: false; reason: 'exceeds_hold'; heldMicros: Micros }

/** Charges a job, at most what it holds, and releases the rest. */
export async function captureHold(
  db: Db,
  input: {
    jobId: string
    amountMicros: Micros
    /** Text of the usage history, e.g. the names of the extractors. */
    description: string
    /** Seconds of media analysed, for the month's usage. */
    seconds: number
    metadata?: Record<string, unknown>
    now: Date
  },
): Promise<Captured> {
  const metadata = JSON.stringify({ ...input.metadata, seconds: input.seconds })
  const captured = await callLedger<Captured>(db, 'ledger_close_hold($1, $2, $3, $4, $5)', [
    input.jobId,
    notNegative(input.amountMicros),
    input.description,
    metadata,
    input.now,
  ])
  if (captured.ok) {
    await settleSpend(db, { jobId: input.jobId, costMicros: captured.capturedMicros })
  }
  return captured
}

export type Released = HoldClosed | { ok: false; reason: 'no_hold' | 'captured' }

/** Releases the whole hold of a job. */
export async function releaseHold(db: Db, input: { jobId: string; now: Date }): Promise<Released> {
  const call = 'ledger_close_hold($1, null, null, null, $2)'
  const released = await callLedger<Released>(db, call, [input.jobId, input.now])
  if (released.ok) await settleSpend(db, { jobId: input.jobId, costMicros: 0 })
  return released
}
