import type { Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/** Until this transaction ends, others that count what an account has wait: the counts are exact. */
export async function lockAccount(trx: Transaction<Tables>, accountId: string): Promise<void> {
  await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}
