import type { Context } from '../ground/context.ts'

/**
 * Nobody can act for the account from here on: sessions and the ways to sign in are gone, and a
 * request that is under way adds nothing (`lockAccount`, `refuseClosed`). Waits for those that are
 * adding now.
 */
export async function closeAccount(ctx: Context, accountId: string): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute()
    await trx
      .updateTable('accounts')
      .set({ closed_at: ctx.now() })
      .where('id', '=', accountId)
      .execute()
    await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute()
    await trx.deleteFrom('sign_in_places').where('account_id', '=', accountId).execute()
    await trx.deleteFrom('identities').where('account_id', '=', accountId).execute()
  })
}

/** The row stays, since seven years of transactions refer to it; what names a person goes. */
export async function anonymiseAccount(ctx: Context, accountId: string): Promise<void> {
  await ctx.db
    .updateTable('accounts')
    .set({
      email: `${accountId}@erased.invalid`,
      email_verified: false,
      username: 'erased',
      name: null,
      picture: null,
      preferences: '{}',
    })
    .where('id', '=', accountId)
    .execute()
}
