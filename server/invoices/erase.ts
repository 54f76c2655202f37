import { sql } from 'kysely'
import type { Context } from '../ground/context.ts'

/**
 * Invoices outlive the person: the law keeps them. The name and the e-mail address go; a company's
 * name, address and VAT id stay, since an invoice must hold them, and a private address does not.
 */
export async function eraseInvoices(ctx: Context, accountId: string): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    await trx.deleteFrom('billing_details').where('account_id', '=', accountId).execute()
    await trx
      .updateTable('invoices')
      .set({
        buyer: sql`buyer || '{"name": null, "email": ""}' ||
          case when buyer ->> 'company' = '' then '{"address": ""}'::jsonb else '{}'::jsonb end`,
      })
      .where('account_id', '=', accountId)
      .execute()
  })
}
