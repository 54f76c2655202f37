/**
 * An account is found by (provider, subject). A new identity joins an existing account only when
 * both carry the same verified e-mail address; otherwise it opens an account of its own.
 */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { Context } from '../ground/context.ts'
import type { Tables } from '../ground/generated-tables.ts'
import type { Identity } from './providers.ts'

export interface AccountFound {
  id: string
  email: string
}

export async function findOrCreateAccount(ctx: Context, identity: Identity): Promise<AccountFound> {
  return ctx.db.transaction().execute(async (trx) => {
    // Two first sign-ins of one identity, or of one address, wait for each other here.
    await lockName(trx, `${identity.provider}:${identity.subject}`)
    if (identity.email && identity.emailVerified) await lockName(trx, identity.email.toLowerCase())
    const known = await trx
      .selectFrom('identities')
      .select('account_id')
      .where('provider', '=', identity.provider)
      .where('subject', '=', identity.subject)
      .executeTakeFirst()
    const accountId =
      known?.account_id ?? (await linkable(trx, identity)) ?? (await createAccount(trx, identity))
    await rememberIdentity(trx, accountId, identity)
    return refreshAccount(trx, accountId, identity)
  })
}

/** The operator's way to an account by its address alone. */
export async function findAccountByEmail(
  ctx: Context,
  email: string,
): Promise<AccountFound | undefined> {
  return ctx.db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .orderBy('email_verified', 'desc')
    .orderBy('created_at')
    .executeTakeFirst()
}

async function lockName(trx: Transaction<Tables>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 1))`.execute(trx)
}

async function linkable(trx: Transaction<Tables>, identity: Identity): Promise<string | undefined> {
  if (!identity.email || !identity.emailVerified) return undefined
  const row = await trx
    .selectFrom('accounts')
    .select('id')
    .where(sql`lower(email)`, '=', identity.email.toLowerCase())
    .where('email_verified', '=', true)
    .executeTakeFirst()
  return row?.id
}

async function createAccount(trx: Transaction<Tables>, identity: Identity): Promise<string> {
  const row = await trx
    .insertInto('accounts')
    .values({
      email: identity.email ?? `${identity.username}@users.noreply.${identity.provider}.invalid`,
      email_verified: identity.emailVerified,
      username: identity.username,
      name: identity.name,
      picture: identity.picture,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

async function rememberIdentity(
  trx: Transaction<Tables>,
  accountId: string,
  identity: Identity,
): Promise<void> {
  await trx
    .insertInto('identities')
    .values({
      provider: identity.provider,
      subject: identity.subject,
      account_id: accountId,
      email: identity.email,
      email_verified: identity.emailVerified,
    })
    .onConflict((conflict) =>
      conflict.columns(['provider', 'subject']).doUpdateSet({
        email: identity.email,
        email_verified: identity.emailVerified,
      }),
    )
    .execute()
}

/** Name and picture follow the provider; an address that became verified counts from now on. */
async function refreshAccount(
  trx: Transaction<Tables>,
  accountId: string,
  identity: Identity,
): Promise<AccountFound> {
  const account = await trx
    .updateTable('accounts')
    .set({ name: identity.name, picture: identity.picture })
    .where('id', '=', accountId)
    .returning(['id', 'email', 'email_verified'])
    .executeTakeFirstOrThrow()
  const becameVerified =
    !account.email_verified &&
    identity.emailVerified &&
    identity.email?.toLowerCase() === account.email.toLowerCase() &&
    (await linkable(trx, identity)) === undefined
  if (becameVerified) {
    await trx
      .updateTable('accounts')
      .set({ email_verified: true })
      .where('id', '=', accountId)
      .execute()
  }
  return { id: account.id, email: account.email }
}
