/** What every verb receives first: the outside world, and the clock. */
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Isolation } from './isolation.ts'
import type { Storage } from '../storage/storage.ts'
import type { Db } from '../db/open.ts'
import type { Queue } from '../db/queue.ts'

export interface Context {
  config: Config
  db: Db
  pool: Pool
  queue: Queue
  storage: Storage
  /** Of the media tools that this process starts. */
  isolation: Isolation
  log: Logger
  now: () => Date
}
