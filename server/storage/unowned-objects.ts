/**
 * Every object in the store is owned by a row or listed in `unowned_objects`. A write lists its
 * object before the first byte (`listObjects`) and takes it off in the transaction that makes the
 * owning row (`ownObjects`); a row that goes lists its objects by a trigger. So whatever is
 * interrupted, the sweep knows what to delete.
 */
import type { Transaction } from 'kysely'
import type { Context } from '../ground/context.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { StoreAway } from '../ground/storage.ts'

/** Longer than any write takes. */
const writeMs = 24 * 3_600_000
const sweepLimit = 10_000
const retryMs = 30 * 60_000
const longDue = new Date(0)

/** With `writer`, the objects are due as soon as that writer is reported dead (`abandonWrites`). */
export async function listObjects(
  { db, now }: Pick<Context, 'db' | 'now'>,
  keys: readonly string[],
  writer: string | null = null,
): Promise<void> {
  if (keys.length === 0) return
  const due_at = new Date(now().getTime() + writeMs)
  await db
    .insertInto('unowned_objects')
    .values(keys.map((storage_key) => ({ storage_key, due_at, writer })))
    .execute()
}

/** Throws when the sweep was faster: the writer was reported dead, or took more than a day. */
export async function ownObjects(trx: Transaction<Tables>, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  const taken = await trx
    .deleteFrom('unowned_objects')
    .where('storage_key', 'in', keys)
    .returning('storage_key')
    .execute()
  if (taken.length !== keys.length) throw new Error('The written objects were swept meanwhile.')
}

/** Makes due whatever these writers have listed and not owned. */
export async function abandonWrites(
  trx: Transaction<Tables>,
  writers: readonly string[],
): Promise<void> {
  if (writers.length === 0) return
  await trx
    .updateTable('unowned_objects')
    .set({ due_at: longDue })
    .where('writer', 'in', writers)
    .execute()
}

/** Deletes these objects now, if they are listed; what remains is left for the sweep. */
export async function dropObjects(ctx: Context, keys: readonly string[]): Promise<number> {
  let dropped = 0
  for (const key of keys) {
    try {
      await dropObject(ctx, key)
      dropped += 1
    } catch (error) {
      ctx.log.warn({ err: error, storageKey: key }, 'object left for the sweep')
      // It would be the same for each of the others, and take its time.
      if (error instanceof StoreAway) break
    }
  }
  return dropped
}

/**
 * Deletes objects that a writer may have written after the sweep had gone over them: they are
 * listed again first, so that a crash leaves them to the next sweep. Those of a transaction that
 * was committed while its answer was lost have an owner and stay: listing waits for such a
 * transaction to end.
 */
export async function dropWritten(ctx: Context, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await ctx.db.transaction().execute(async (trx) => {
    await trx
      .insertInto('unowned_objects')
      .values(keys.map((storage_key) => ({ storage_key, due_at: longDue })))
      .onConflict((conflict) => conflict.column('storage_key').doUpdateSet({ due_at: longDue }))
      .execute()
    const owners = ['job_result_files', 'work_files', 'share_proxy_files'] as const
    for (const owner of [...owners, 'quick_proxy_segments'] as const) {
      await trx
        .deleteFrom('unowned_objects')
        .where('storage_key', 'in', keys)
        .where('storage_key', 'in', trx.selectFrom(owner).select('storage_key'))
        .execute()
    }
  })
  await dropObjects(ctx, keys)
}

/**
 * Deletes what is due and returns how many objects went. Idempotent; any number of processes may
 * sweep. Objects that cannot be deleted are tried again later, so that they do not keep the sweep
 * from what comes after it.
 */
export async function sweepObjects(ctx: Context): Promise<number> {
  const due = await ctx.db
    .selectFrom('unowned_objects')
    .select('storage_key')
    .where('due_at', '<=', ctx.now())
    .orderBy('due_at')
    .limit(sweepLimit)
    .execute()
  const keys = due.map((row) => row.storage_key)
  const dropped = await dropObjects(ctx, keys)
  if (dropped < keys.length) {
    await ctx.db
      .updateTable('unowned_objects')
      .set({ due_at: new Date(ctx.now().getTime() + retryMs) })
      .where('storage_key', 'in', keys)
      .where('due_at', '<=', ctx.now())
      .execute()
  }
  return dropped
}

async function dropObject(ctx: Context, key: string): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    // The row's lock keeps a late `ownObjects` waiting, which then finds the row gone.
    const listed = await trx
      .deleteFrom('unowned_objects')
      .where('storage_key', '=', key)
      .returning('storage_key')
      .executeTakeFirst()
    if (listed) await ctx.storage.delete(key)
  })
}
