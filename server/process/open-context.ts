/** Opens log, database (migrated), storage, queue and services; closes them in reverse order. */
import type { Config } from '../ground/config.ts'
import { openStorage } from '../storage/open.ts'
import { removeDeadWorkFiles } from '../storage/scratch.ts'
import type { Context } from '../ground/context.ts'
import { openDataDirectory } from './data-directory.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { openQueue } from '../db/queue.ts'
import { findIsolation, logIsolation } from '../ground/isolation.ts'
import { logMissingModels } from './log-missing-models.ts'
import { openLog } from '../ground/log.ts'
import { openSignIn } from '../sign-in/providers.ts'
import { openEvents } from '../jobs/events.ts'
import { openPayments } from '../payments/provider.ts'
import { openSigningKeys } from '../ground/signing-key.ts'
import { queues } from '../tasks.ts'

/** Nobody waits longer for an answer; sweeps and the operator's checks walk whole tables. */
const maxStatementMs = { api: 30_000, worker: 10 * 60_000, operator: 60 * 60_000 }

export interface OpenContext extends Context {
  close(): Promise<void>
}

export async function openContext(
  config: Config,
  role: 'api' | 'worker' | 'operator',
  now: () => Date = () => new Date(),
): Promise<OpenContext> {
  const log = openLog(role, config.logLevel)
  openDataDirectory(config.dataDir)
  const [isolation, storage] = await Promise.all([
    findIsolation(config),
    openStorage(config),
    removeDeadWorkFiles(config),
    migrate(config.databaseUrl),
  ])
  if (role !== 'operator') {
    logIsolation(log, isolation)
    logMissingModels(log, config)
  }
  const database = openDatabase(config.databaseUrl, {
    maxConnections: config.databaseConnections,
    // The first queries of a new connection are slow, and in a burst everybody waits for them.
    minConnections: role === 'api' ? Math.ceil(config.databaseConnections / 2) : 0,
    maxStatementMs: maxStatementMs[role],
    log,
  })
  const { databaseUrl } = config
  const queue = await openQueue({ databaseUrl, log, role: 'sender', queues })
  const { db, pool } = database
  const events = openEvents({ config, db, log, now })
  const closers: (() => void)[] = []
  return {
    config,
    db,
    pool,
    queue,
    storage,
    isolation,
    payments: openPayments(config),
    signIn: openSignIn(config),
    signingKeys: openSigningKeys(db),
    events,
    log,
    now,
    onClose: (close) => void closers.push(close),
    async close() {
      for (const close of closers.toReversed()) close()
      await events.close()
      await queue.stop()
      await database.close()
    },
  }
}
