/** The provider's balance as the real client reads it. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Stripe } from 'stripe'
import type { Sandbox } from './sandbox.ts'
import { connect, control, startTestSandbox } from './start-for-test.ts'

let sandbox: Sandbox
let stripe: Stripe

before(async () => {
  sandbox = await startTestSandbox()
  stripe = connect(sandbox)
})
after(() => sandbox.stop())

it('every movement of the balance is listed, with its source and the fee', async () => {
  const { id: intent } = await stripe.paymentIntents.create({
    ...{ amount: 5000, currency: 'usd', payment_method: 'pm_card_visa', confirm: true },
  })
  const refund = await stripe.refunds.create({ payment_intent: intent, amount: 1000 })
  const disputed = (await control(sandbox, 'disputes', {
    ...{ payment_intent: intent, amount: 2000 },
  })) as Stripe.Dispute
  await control(sandbox, `disputes/${disputed.id}/close`, { won: true })
  await control(sandbox, `refunds/${refund.id}/fail`, {})
  const listed = await stripe.balanceTransactions.list({ limit: 5, expand: ['data.source'] })
  const rows = listed.data.map(({ amount, fee, net, type, reporting_category, source }) => {
    const cause = source as Stripe.Charge | Stripe.Refund | Stripe.Dispute
    assert.equal(cause.payment_intent, intent)
    assert.equal(net, amount - fee)
    return [cause.object, type, reporting_category, amount, fee]
  })
  assert.deepEqual(rows, [
    ['refund', 'refund_failure', 'refund_failure', 1000, 0],
    ['dispute', 'adjustment', 'dispute_reversal', 2000, -1500],
    ['dispute', 'adjustment', 'dispute', -2000, 1500],
    ['refund', 'refund', 'refund', -1000, 0],
    ['charge', 'charge', 'charge', 5000, 175],
  ])
  const { data: disputes } = await stripe.disputes.list({ payment_intent: intent })
  assert.deepEqual(
    disputes.map(({ id, balance_transactions: movements }) => [id, movements.length]),
    [[disputed.id, 2]],
  )
  assert.equal(listed.data[0]?.status, 'pending')
  const ofRefund = await stripe.balanceTransactions.list({ source: refund.id })
  assert.equal(ofRefund.data.length, 2)
})
