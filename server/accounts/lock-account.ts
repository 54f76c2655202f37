import type { Transaction } from 'kysely'
import { Refusal } from '../ground/refusal.ts'
import type { Tables } from '../ground/generated-tables.ts'

/** Until this transaction ends, others that count what an account has wait: the counts are exact. */
export async function lockAccount(trx: Transaction<Tables>, accountId: string): Promise<void> {
  const account = await trx
    .selectFrom('accounts')
    .select('closed_at')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (account.closed_at) throw closed()
}

/** A request that began before the account was erased adds nothing to it afterwards. */
export async function refuseClosed(trx: Transaction<Tables>, accountId: string): Promise<void> {
  const account = await trx
    .selectFrom('accounts')
    .select('closed_at')
    .where('id', '=', accountId)
    .forKeyShare()
    .executeTakeFirstOrThrow()
  if (account.closed_at) throw closed()
}

function closed(): Refusal {
  return new Refusal('gone', 'This account was closed.')
}
