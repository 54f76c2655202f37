/** State of the uploads that this process receives. */
import { keepForContext } from '../ground/context.ts'
import { createFairQueue } from '../ground/fair-queue.ts'
import { createRunningHashes } from './running-hashes.ts'

export const uploadsOf = keepForContext(() => ({
  /** Turns of an account's uploads of the same bytes. */
  turns: createFairQueue({ atOnce: 1 }),
  /** Turns of an account's uploads: each round of the event loop takes one chunk of one of them. */
  chunks: createFairQueue({ atOnce: 1 }),
  /** Turns of an account's uploads to reserve room, so that only one waits inside the database. */
  rooms: createFairQueue({ atOnce: 1 }),
  /** Writes to resumable uploads under way; whoever asks for an offset waits for them. */
  writes: new Map<string, Promise<unknown>>(),
  hashes: createRunningHashes(),
  /** Resumable uploads that become items in this process, or became or were refused lately. */
  finishing: new Map<string, Promise<string>>(),
  /** How long the request with the last byte waits for the item. */
  maxFinishWaitMs: 20_000,
}))
