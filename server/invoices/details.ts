import type { BillingDetails } from '../../contract/account/invoices.ts'
import { cleanVatId, isEuCountry, isVatId } from '../../domain/money/vat.ts'
import type { Db } from '../ground/database.ts'
import { Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'

const noDetails: BillingDetails = { company: '', address: '', country: '', vat_id: '' }

export const getBillingDetails: Verb<'getBillingDetails'> = async (ctx, actor) => ({
  details: await readBillingDetails(ctx.db, actor.accountId),
})

export const saveBillingDetails: Verb<'saveBillingDetails'> = async (ctx, actor, { body }) => {
  const details = { ...body, vat_id: cleanVatId(body.vat_id) }
  refuseBadVatId(details)
  const row = { ...details, updated_at: ctx.now() }
  await ctx.db
    .insertInto('billing_details')
    .values({ account_id: actor.accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute()
  return { details }
}

export async function readBillingDetails(db: Db, accountId: string): Promise<BillingDetails> {
  const row = await db
    .selectFrom('billing_details')
    .select(['company', 'address', 'country', 'vat_id'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row ?? noDetails
}

function refuseBadVatId({ country, vat_id: id }: BillingDetails): void {
  if (id === '') return
  if (country === '') {
    throw new Refusal('invalid', 'Please choose the country of the VAT id.', { field: 'country' })
  }
  if (isVatId(country, id)) return
  const example = isEuCountry(country) ? ' Please write it with its country letters.' : ''
  throw new Refusal('invalid', `Please check the VAT id: ${id} is none of ${country}.${example}`, {
    field: 'vat_id',
  })
}
