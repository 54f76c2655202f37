/** A job's money: reserved when it is created, charged or given back once when it ends. */
import type { Micros } from '../../contract/money.ts'
import type { Db } from '../db/open.ts'
import { callLedger, notNegative } from './ledger.ts'

export type Held =
  | { ok: true; transactionId: string; heldMicros: Micros; availableMicros: Micros }
  | { ok: false; reason: 'insufficient'; requiredMicros: Micros; availableMicros: Micros }

/** Reserves credit for a job. With a caller's transaction the hold commits with the job's row. */
export function placeHold(
  db: Db,
  input: { accountId: string; jobId: string; amountMicros: Micros; now: Date },
): Promise<Held> {
  return callLedger(db, 'ledger_place_hold($1, $2, $3, $4)', [
    input.accountId,
    input.jobId,
    notNegative(input.amountMicros),
    input.now,
  ])
}

export interface HoldClosed {
  ok: true
  transactionId: string
  capturedMicros: Micros
  /** Back in the lots that it came from. */
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
export function captureHold(
  db: Db,
  input: {
    jobId: string
    amountMicros: Micros
    /** What the usage history says, e.g. the names of the extractors. */
    description: string
    /** Seconds of media analysed, for the month's usage. */
    seconds: number
    metadata?: Record<string, unknown>
    now: Date
  },
): Promise<Captured> {
  const metadata = JSON.stringify({ ...input.metadata, seconds: input.seconds })
  return callLedger(db, 'ledger_close_hold($1, $2, $3, $4, $5)', [
    input.jobId,
    notNegative(input.amountMicros),
    input.description,
    metadata,
    input.now,
  ])
}

export type Released = HoldClosed | { ok: false; reason: 'no_hold' | 'captured' }

/** Gives back all that a job holds. */
export function releaseHold(db: Db, input: { jobId: string; now: Date }): Promise<Released> {
  return callLedger(db, 'ledger_close_hold($1, null, null, null, $2)', [input.jobId, input.now])
}
