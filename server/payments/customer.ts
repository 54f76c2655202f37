import { createHash } from 'node:crypto'
import type { Context } from '../ground/context.ts'
import { askProvider, isMissing, isProviderErrorOf } from './provider.ts'

/** The provider's customer of an account, made at the first need. */
export async function ensureCustomer(ctx: Context, accountId: string): Promise<string> {
  return (await findCustomer(ctx, accountId)) ?? (await createCustomer(ctx, accountId))
}

/**
 * Runs a call for the account's customer. One that the provider does not know any more (deleted
 * there, or keys of another provider account were set) is replaced once.
 */
export async function withCustomer<T>(
  ctx: Context,
  accountId: string,
  run: (customerId: string) => Promise<T>,
): Promise<T> {
  const customerId = await ensureCustomer(ctx, accountId)
  try {
    return await run(customerId)
  } catch (error) {
    if (!isMissing(error)) throw error
    ctx.log.warn({ accountId }, 'the payment provider does not know this customer any more')
    await ctx.db
      .deleteFrom('payment_customers')
      .where('account_id', '=', accountId)
      .where('customer_id', '=', customerId)
      .execute()
    return run(await createCustomer(ctx, accountId, customerId))
  }
}

export async function findCustomer(ctx: Context, accountId: string): Promise<string | undefined> {
  const row = await ctx.db
    .selectFrom('payment_customers')
    .select('customer_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.customer_id
}

async function createCustomer(ctx: Context, accountId: string, replaced = ''): Promise<string> {
  const { email } = await ctx.db
    .selectFrom('accounts')
    .select('email')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  // Two first needs at once get the same customer. The address is part of the key, because the
  // provider refuses a key that comes back with other values.
  const print = createHash('sha256').update(`${email} ${replaced}`).digest('hex').slice(0, 16)
  const key = `customer:${accountId}:${print}`
  const customer = await askProvider(ctx, (provider) => {
    const create = (idempotencyKey: string) =>
      provider.customers.create({ email, metadata: { account_id: accountId } }, { idempotencyKey })
    return create(key).catch((error: unknown) => {
      if (!isProviderErrorOf(error, 'StripeAPIError')) throw error
      // The provider repeats its own failure to a key for a day. A customer that it has made all
      // the same is never charged.
      return create(`${key}:${Math.floor(ctx.now().getTime() / 60_000)}`)
    })
  })
  await ctx.db
    .insertInto('payment_customers')
    .values({ account_id: accountId, customer_id: customer.id, created_at: ctx.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const kept = await findCustomer(ctx, accountId)
  if (!kept) throw new Error('A customer was not kept.')
  return kept
}
