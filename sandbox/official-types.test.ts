/** Compiles the sandbox's answers as values of the official client's types. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { Stripe } from 'stripe'
import { connect, control, secret, startReceiver, startTestSandbox } from './start-for-test.ts'

const root = resolve(import.meta.dirname, '..')

test('every object has the fields that the official types require, and no other', async () => {
  const receiver = await startReceiver()
  const sandbox = await startTestSandbox({ webhook: { url: receiver.url, secret } })
  const folder = await mkdtemp(join(root, 'node_modules/.cache/official-types-'))
  try {
    const stripe = connect(sandbox)
    await runPayments(stripe, (path, body) => control(sandbox, path, body))
    const values: [type: string, value: unknown][] = await readAll(stripe)
    for (const { data, ...event } of receiver.events) {
      values.push(['Omit<Stripe.Event, "data" | "type">', { ...event, type: undefined }])
      const type = typeOf[(data.object as { object: string }).object]
      assert.ok(type, JSON.stringify(data.object))
      values.push([type, data.object])
    }
    const lines = values.map(
      ([type, value], index) =>
        `export const v${index}: ${type} = ${JSON.stringify(value, asSent, 1)}`,
    )
    const text = `import type { Stripe } from 'stripe'\n${lines.join('\n')}\n`
    await writeFile(join(folder, 'sent.ts'), text)
    const words = ['--noEmit', '--strict', '--skipLibCheck', '--types', 'node']
    const modules = ['--module', 'nodenext', '--ignoreConfig', join(folder, 'sent.ts')]
    const tsc = join(root, 'node_modules/.bin/tsc')
    const { stdout } = await promisify(execFile)(tsc, [...words, ...modules], { cwd: root }).catch(
      (error: { stdout: string }) => error,
    )
    assert.equal(stdout, '')
  } finally {
    await sandbox.stop()
    await receiver.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

/** The client makes an object of its own from this text. */
function asSent(key: string, value: unknown): unknown {
  return key === 'unit_amount_decimal' ? null : value
}

const typeOf: Record<string, string> = {
  customer: 'Stripe.Customer',
  payment_method: 'Stripe.PaymentMethod',
  payment_intent: 'Stripe.PaymentIntent',
  charge: 'Stripe.Charge',
  setup_intent: 'Stripe.SetupIntent',
  'checkout.session': 'Stripe.Checkout.Session',
  refund: 'Stripe.Refund',
  dispute: 'Stripe.Dispute',
  balance_transaction: 'Stripe.BalanceTransaction',
  event: 'Stripe.Event',
}

/** A charge that is refunded and disputed, a decline, a question of the bank, and saved cards. */
async function runPayments(
  stripe: Stripe,
  pull: (path: string, body: object) => Promise<unknown>,
): Promise<void> {
  const customer = (await stripe.customers.create({ email: 'edda@example.com' })).id
  const pay = (payment_method: string): Promise<Stripe.PaymentIntent> =>
    stripe.paymentIntents.create({
      amount: 2000,
      currency: 'usd',
      customer,
      payment_method,
      confirm: true,
      return_url: 'http://localhost:3000/return',
      automatic_payment_methods: { enabled: true },
    })
  const save = async (token: string): Promise<string> =>
    (await stripe.paymentMethods.attach(token, { customer })).id
  const paid = await pay(await save('pm_card_visa'))
  await stripe.refunds.create({ payment_intent: paid.id, amount: 500 })
  const disputed = await pay(await save('pm_card_mastercard'))
  await pull('disputes', { payment_intent: disputed.id })
  await assert.rejects(pay(await save('pm_card_chargeCustomerFail')))
  await pay(await save('pm_card_authenticationRequired'))
  await stripe.setupIntents.create({ customer, payment_method: 'pm_card_visa', confirm: true })
  await stripe.checkout.sessions.create({
    mode: 'payment',
    customer,
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: 5000, product_data: { name: 'POWER' } },
      },
    ],
    success_url: 'http://localhost:3000/payment/success',
  })
}

async function readAll(stripe: Stripe): Promise<[string, unknown][]> {
  const lists: [string, Promise<{ data: unknown[] }>][] = [
    ['Stripe.PaymentIntent', stripe.paymentIntents.list()],
    ['Stripe.Charge', stripe.charges.list()],
    ['Stripe.Refund', stripe.refunds.list()],
    ['Stripe.Dispute', stripe.disputes.list()],
    ['Stripe.Checkout.Session', stripe.checkout.sessions.list()],
    ['Stripe.BalanceTransaction', stripe.balanceTransactions.list()],
  ]
  const values: [string, unknown][] = []
  for (const [type, list] of lists) {
    const { data } = await list
    assert.ok(data.length > 0, type)
    for (const value of data) values.push([type, value])
  }
  const sessions = await stripe.checkout.sessions.list()
  const id = sessions.data[0]?.id ?? ''
  const items = await stripe.checkout.sessions.retrieve(id, { expand: ['line_items'] })
  for (const item of items.line_items?.data ?? []) values.push(['Stripe.LineItem', item])
  return values
}
