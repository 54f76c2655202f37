/** What every verb receives first: the outside world, and the clock. Opened by open-context.ts. */
import type { Configuration } from 'openid-client'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Stripe } from 'stripe'
import type { Provider } from '../../contract/account/accounts.ts'
import type { Media } from '../../domain/findings/findings.ts'
import type { HearOrder, LookOrder, LookOutcome } from '../content/look-process.ts'
import type { RunningHashes } from '../uploads/running-hashes.ts'
import type { Config } from './config.ts'
import type { Isolation } from './isolation.ts'
import type { Storage } from './storage.ts'
import type { Db } from './database.ts'
import type { Queue } from './database.ts'
import type { EventStreams } from './event-streams.ts'
import type { ExportOrder, ExportOutcome } from '../findings/export-process.ts'
import type { SigningKeys } from './signing-key.ts'
import type { ProcessPool } from './process-pool.ts'
import type { Turns } from './fair-queue.ts'

export interface Context {
  config: Config
  db: Db
  pool: Pool
  queue: Queue
  storage: Storage
  /** Of the media tools that this process starts. */
  isolation: Isolation
  payments: () => Promise<Stripe>
  signIn: Record<Provider, () => Promise<Configuration>>
  signingKeys: SigningKeys
  events: EventStreams
  exports: ProcessPool<ExportOrder, ExportOutcome>
  probes: {
    files: ProcessPool<LookOrder | HearOrder, LookOutcome>
    /** Of an account's looks at addresses. */
    turns: Turns
    /** Quoted lately, by account and address. */
    addresses: Map<string, { look: Promise<MeasuredAddress>; atMs: number }>
  }
  uploads: {
    /** Of an account's uploads of the same bytes. */
    turns: Turns
    /** Of an account's uploads: each round of the event loop takes one chunk of one of them. */
    chunks: Turns
    /** Of an account's uploads: each takes its room alone, so only one waits inside the database. */
    rooms: Turns
    /** Writes to resumable uploads under way; whoever asks for an offset waits for them. */
    writes: Map<string, Promise<unknown>>
    hashes: RunningHashes
    /** Resumable uploads that become items in this process, or became or were refused lately. */
    finishing: Map<string, Promise<string>>
    /** How long the request with the last byte waits for the item. */
    maxFinishWaitMs: number
  }
  log: Logger
  now: () => Date
}

export interface MeasuredAddress {
  media: Media
  sha256: string | null
}
