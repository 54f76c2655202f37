/**
 * The twin account that holds the objects of test keys. It has no identity, so nobody signs in to
 * it; no credit, so nothing is charged; and everything in it is gone after a day.
 */
import type { Transaction } from 'kysely'
import type { Db } from '../ground/database.ts'
import type { Tables } from '../ground/generated-tables.ts'

/**
 * Returns the account's test account, created if missing. The caller holds the account's lock, so
 * there is only one.
 */
export async function ensureTestAccount(
  trx: Transaction<Tables>,
  accountId: string,
): Promise<string> {
  const known = await findTestAccount(trx, accountId)
  if (known) return known
  const { id } = await trx
    .insertInto('accounts')
    .values({ email: `${accountId}@test.invalid`, username: 'test', test_of: accountId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findTestAccount(db: Db, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('test_of', '=', accountId)
    .executeTakeFirst()
  return row?.id ?? null
}

/** True if an account holds test objects. */
export async function isTestAccount(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('test_of')
    .where('id', '=', accountId)
    .executeTakeFirst()
  return row?.test_of != null
}
