/** An account with its balance, read alone or in the query that finds out who calls. */
import type { Selectable } from 'kysely'
import type { Actor } from '../ground/actor.ts'
import { balanceSql } from '../billing/balance.ts'
import type { AccountBalance } from '../billing/balance.ts'
import { grantMonth, isGrantedSql } from '../billing/grant.ts'
import type { Context } from '../ground/context.ts'
import type { Db } from '../ground/database.ts'
import { prepare } from '../db/prepared.ts'
import type { Tables } from '../ground/generated-tables.ts'
import type { Prefetch } from '../db/prefetch.ts'

const columns = [
  'id',
  'email',
  'username',
  'name',
  'picture',
  'created_at',
  'auto_reload_enabled',
  'auto_reload_threshold_micros',
  'auto_reload_package_id',
  'auto_reload_consent_accepted_at',
  'auto_reload_off_reason',
] as const

export type AccountRow = Pick<Selectable<Tables['accounts']>, (typeof columns)[number]> &
  Omit<AccountBalance, 'availableMicros'> & {
    /** The month's free credit is there. */
    isGranted: boolean
  }

/** One row with these columns; what stands for the account, the moment and its month is SQL. */
function accountSql(at: { account: string; now: string; month: string }): string {
  return `
    select ${columns.map((column) => `accounts.${column}`).join(', ')}, balance.*,
      ${isGrantedSql({ account: 'accounts.id', month: at.month })} as "isGranted"
    from accounts
    cross join lateral (${balanceSql({ account: 'accounts.id', now: at.now })}) balance
    where accounts.id = ${at.account}`
}

const selectAccount = prepare<AccountRow>(
  'account',
  accountSql({ account: '$1', now: '$2', month: '$3' }),
)

/** Rows that came with the credential of the caller. */
const known = new WeakMap<Actor, AccountRow>()

/** For a call whose verb shows the account. */
export function prefetchAccount(ctx: Context): Prefetch {
  const now = ctx.now()
  const month = grantMonth(now)
  return {
    name: 'with_account',
    group: month,
    columns: 'account.*',
    join: (account) =>
      `cross join lateral (${accountSql({ account, now: '$1', month: '$2' })}) account`,
    values: [now, month],
    keep: (actor, rows) => known.set(actor, rows[0] as AccountRow),
  }
}

/** The account of the caller, as it was when the call came in. */
export async function accountOf(
  db: Db,
  actor: Actor,
  at: { accountId: string; now: Date },
): Promise<AccountRow> {
  return known.get(actor) ?? (await readAccount(db, at))
}

export async function readAccount(
  db: Db,
  { accountId, now }: { accountId: string; now: Date },
): Promise<AccountRow> {
  const [account] = await selectAccount(db, [accountId, now, grantMonth(now)])
  if (!account) throw new Error('An account that is signed in has no row.')
  return account
}
