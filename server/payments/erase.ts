import type { Context } from '../ground/context.ts'
import { isMissing, providerOf } from './provider.ts'

/** Forgets an account's cards here and its customer at the provider. Purchases stay: 7 years. */
export async function erasePayments(ctx: Context, accountId: string): Promise<void> {
  const customer = await ctx.db
    .selectFrom('payment_customers')
    .select('customer_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (customer) {
    try {
      const provider = await providerOf(ctx)
      await provider.customers.del(customer.customer_id)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  await ctx.db.transaction().execute(async (trx) => {
    await trx.deleteFrom('cards').where('account_id', '=', accountId).execute()
    await trx.deleteFrom('auto_reload_states').where('account_id', '=', accountId).execute()
    await trx.deleteFrom('payment_customers').where('account_id', '=', accountId).execute()
    await trx
      .updateTable('accounts')
      .set({ auto_reload_enabled: false, auto_reload_off_reason: null })
      .where('id', '=', accountId)
      .execute()
  })
}

/** Events older than the provider keeps them serve nobody. */
export async function forgetPaymentEvents(ctx: Context, before: Date): Promise<number> {
  const deleted = await ctx.db
    .deleteFrom('payment_events')
    .where('received_at', '<', before)
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}
