import type { Transaction } from 'kysely'
import { Refusal } from '../ground/refusal.ts'
import type { Tables } from '../ground/generated-tables.ts'

type Counted = 'api_keys' | 'bins' | 'cuts' | 'projects' | 'webhook_endpoints'

/** Makes others that count what an account has wait until this transaction ends. */
export async function lockAccount(trx: Transaction<Tables>, accountId: string): Promise<void> {
  const account = await trx
    .selectFrom('accounts')
    .select('closed_at')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (account.closed_at) throw closed()
}

/**
 * Locks the account and refuses if adding one more object (or `more` of them) exceeds the limit.
 */
export async function refuseAtLimit(
  trx: Transaction<Tables>,
  accountId: string,
  { table, limit, name, more = 1 }: { table: Counted; limit: number; name: string; more?: number },
): Promise<void> {
  await lockAccount(trx, accountId)
  const { count } = await trx
    .selectFrom(table)
    .select((build) => build.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (count + more <= limit) return
  throw new Refusal(
    'limit_reached',
    more === 1
      ? `You have ${limit} ${name}. Please delete one you no longer use.`
      : `You have ${count} of ${limit} ${name}. Please delete some you no longer use.`,
  )
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
