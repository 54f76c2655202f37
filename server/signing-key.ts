/** Keys that sign what we hand out: made once for each database, so that every process honours them. */
import { randomBytes } from 'node:crypto'
import type { Context } from './process/context.ts'

export type SigningKeyName = 'ticket' | 'mail' | 'data-export' | 'quote'

const keys = new WeakMap<object, Map<string, Promise<Buffer>>>()

export function signingKey(ctx: Context, name: SigningKeyName): Promise<Buffer> {
  const known = keys.get(ctx.pool) ?? new Map<string, Promise<Buffer>>()
  keys.set(ctx.pool, known)
  const key = known.get(name) ?? readOrMakeKey(ctx, name)
  known.set(name, key)
  key.catch(() => known.delete(name))
  return key
}

async function readOrMakeKey(ctx: Context, name: SigningKeyName): Promise<Buffer> {
  await ctx.db
    .insertInto('signing_keys')
    .values({ name, key: randomBytes(32) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const row = await ctx.db
    .selectFrom('signing_keys')
    .select('key')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return row.key
}
