import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import { askProvider } from './provider.ts'

/** The provider's customer of an account, made at the first need. */
export async function ensureCustomer(ctx: Context, accountId: string): Promise<string> {
  const known = await findCustomer(ctx, accountId)
  if (known) return known
  const account = await ctx.db
    .selectFrom('accounts')
    .select('email')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  // Two first needs at once get the same customer. The address is part of the key, because the
  // provider refuses a key that comes back with other values.
  const print = createHash('sha256').update(account.email).digest('hex').slice(0, 16)
  const customer = await askProvider(ctx, (provider) =>
    provider.customers.create(
      { email: account.email, metadata: { account_id: accountId } },
      { idempotencyKey: `customer:${accountId}:${print}` },
    ),
  )
  await ctx.db
    .insertInto('payment_customers')
    .values({ account_id: accountId, customer_id: customer.id, created_at: ctx.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const kept = await findCustomer(ctx, accountId)
  if (!kept) throw new Error('A customer was not kept.')
  return kept
}

export async function findCustomer(ctx: Context, accountId: string): Promise<string | undefined> {
  const row = await ctx.db
    .selectFrom('payment_customers')
    .select('customer_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.customer_id
}
