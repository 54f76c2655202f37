/**
 * Runs a transaction again that PostgreSQL ended for the sake of others: a deadlock, or changes of
 * another transaction that it cannot be put after. The database has kept nothing of it by then. Its
 * function therefore runs more than once, and does nothing outside of the database that may not
 * happen twice.
 */
import type { TransactionBuilder } from 'kysely'
import { setTimeout as pause } from 'node:timers/promises'

const maxTries = 5
const firstPauseMs = 10

const conflictCodes = new Set(['40P01', '40001'])

export function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && conflictCodes.has(String(error.code))
}

/** Wraps a builder so that its transactions are retried after conflicts. */
export function retryConflicts<T>(builder: TransactionBuilder<T>): TransactionBuilder<T> {
  const execute = builder.execute.bind(builder)
  const setAccessMode = builder.setAccessMode.bind(builder)
  const setIsolationLevel = builder.setIsolationLevel.bind(builder)
  return Object.assign(builder, {
    execute: ((work) => untilDone(() => execute(work))) satisfies typeof execute,
    setAccessMode: ((mode) => retryConflicts(setAccessMode(mode))) satisfies typeof setAccessMode,
    setIsolationLevel: ((level) =>
      retryConflicts(setIsolationLevel(level))) satisfies typeof setIsolationLevel,
  })
}

async function untilDone<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run()
    } catch (error) {
      if (tries >= maxTries || !isConflict(error)) throw error
    }
    // A random pause: transactions that collided must not collide again.
    await pause(Math.random() * firstPauseMs * 2 ** tries)
  }
}
