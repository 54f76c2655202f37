/** Signing keys, made once for each database so that every process accepts their signatures. */
import { randomBytes } from 'node:crypto'
import type { Db } from './database.ts'
import { openOnce } from './open-once.ts'

const names = ['ticket', 'mail', 'data-export', 'quote'] as const

export type SigningKeyName = (typeof names)[number]
export type SigningKeys = Record<SigningKeyName, () => Promise<Buffer>>

export function signingKey(
  { signingKeys }: { signingKeys: SigningKeys },
  name: SigningKeyName,
): Promise<Buffer> {
  return signingKeys[name]()
}

export function openSigningKeys(db: Db): SigningKeys {
  const keys = names.map((name) => [name, openOnce(() => readOrMakeKey(db, name))])
  return Object.fromEntries(keys) as SigningKeys
}

async function readOrMakeKey(db: Db, name: SigningKeyName): Promise<Buffer> {
  await db
    .insertInto('signing_keys')
    .values({ name, key: randomBytes(32) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const row = await db
    .selectFrom('signing_keys')
    .select('key')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return row.key
}
