/**
 * Every object in storage is owned by a row or listed in `content_garbage`. A write lists its
 * object before the first byte (`listObjects`) and takes it off in the transaction that makes the
 * owning row (`ownObjects`); a row that goes lists its objects by a trigger. So whatever is
 * interrupted, the sweep knows what to delete.
 */
import type { Transaction } from 'kysely'
import type { Context } from '../process/context.ts'
import type { Tables } from '../db/tables.ts'

/** Longer than any write takes. */
const writeMs = 24 * 3_600_000
const sweepLimit = 10_000
const retryMs = 30 * 60_000

export async function listObjects(ctx: Context, keys: readonly string[]): Promise<void> {
  const due_at = new Date(ctx.now().getTime() + writeMs)
  await ctx.db
    .insertInto('content_garbage')
    .values(keys.map((storage_key) => ({ storage_key, due_at })))
    .execute()
}

/** Throws when the sweep was faster, which takes a write of more than a day. */
export async function ownObjects(trx: Transaction<Tables>, keys: readonly string[]): Promise<void> {
  const taken = await trx
    .deleteFrom('content_garbage')
    .where('storage_key', 'in', keys)
    .returning('storage_key')
    .execute()
  if (taken.length !== keys.length) throw new Error('The written objects were swept meanwhile.')
}

/** Deletes these objects now. What cannot be deleted stays listed for the sweep. */
export async function dropObjects(ctx: Context, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await dropObject(ctx, key).catch((error: unknown) => {
      ctx.log.warn({ err: error, storageKey: key }, 'object left for the sweep')
    })
  }
}

/**
 * Deletes what is due. Idempotent; any number of processes may sweep. What cannot be deleted is tried
 * again later, so that it does not keep the sweep from what comes after it.
 */
export async function sweepGarbage(ctx: Context): Promise<number> {
  const due = await ctx.db
    .selectFrom('content_garbage')
    .select('storage_key')
    .where('due_at', '<=', ctx.now())
    .orderBy('due_at')
    .limit(sweepLimit)
    .execute()
  const keys = due.map((row) => row.storage_key)
  await dropObjects(ctx, keys)
  if (keys.length > 0) {
    await ctx.db
      .updateTable('content_garbage')
      .set({ due_at: new Date(ctx.now().getTime() + retryMs) })
      .where('storage_key', 'in', keys)
      .where('due_at', '<=', ctx.now())
      .execute()
  }
  return keys.length
}

async function dropObject(ctx: Context, key: string): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    // The row's lock keeps a late `ownObjects` waiting, which then finds the row gone.
    const listed = await trx
      .deleteFrom('content_garbage')
      .where('storage_key', '=', key)
      .returning('storage_key')
      .executeTakeFirst()
    if (listed) await ctx.storage.delete(key)
  })
}
