/** Saved cards: added through the provider's form, one of them the default, each of its account. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CallError } from '../../contract/endpoint.ts'
import { confirmInBrowser, providerOf, saveCard } from '../support/payments.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

const server = use(() => startTestServer({ sandbox: true }))

it('are added, made default and removed; the newest follows a removed default', async () => {
  const user = await server.user()
  const visa = await saveCard(server, user)
  server.clock.offsetMs += 1000
  const master = await saveCard(server, user, '5555555555554444')
  server.clock.offsetMs += 1000
  const amex = await saveCard(server, user, '378282246310005')
  const { paymentMethods } = await user.client.listPaymentMethods()
  assert.deepEqual(
    paymentMethods.map((card) => [card.id, card.card_brand, card.card_last4, card.is_default]),
    [
      [visa, 'visa', '4242', true],
      [amex, 'amex', '0005', false],
      [master, 'mastercard', '4444', false],
    ],
  )
  await user.client.setDefaultPaymentMethod({ params: { id: master } })
  assert.equal(await defaultOf(user), master)
  await user.client.deletePaymentMethod({ params: { id: master } })
  assert.equal(await defaultOf(user), amex)
  await user.client.deletePaymentMethod({ params: { id: visa } })
  await user.client.deletePaymentMethod({ params: { id: amex } })
  assert.deepEqual((await user.client.listPaymentMethods()).paymentMethods, [])
})

it('the same card added again is one card', async () => {
  const user = await server.user()
  const first = await saveCard(server, user)
  const second = await saveCard(server, user)
  assert.equal(second, first)
  assert.equal((await user.client.listPaymentMethods()).paymentMethods.length, 1)
})

it("another customer's setup is refused like a missing one", async () => {
  const [owner, other] = [await server.user(), await server.user()]
  await other.client.createSetupIntent()
  const { client_secret: secret } = await owner.client.createSetupIntent()
  const id = await confirmInBrowser(server, secret, '4242424242424242')
  const messages = await Promise.all(
    [id, 'seti_none', 'seti_../customers', 'nonsense'].map((item) =>
      other.client.confirmSetupIntent({ body: { setup_intent_id: item } }).then(
        () => 'saved',
        (error: CallError) => `${error.status} ${error.message}`,
      ),
    ),
  )
  assert.equal(new Set(messages).size, 1)
  assert.match(messages[0] ?? '', /^404 /)
  assert.deepEqual((await other.client.listPaymentMethods()).paymentMethods, [])
})

it('an unconfirmed or declined setup is not saved', async () => {
  const user = await server.user()
  const { client_secret: secret } = await user.client.createSetupIntent()
  const [id = ''] = secret.split('_secret_')
  const confirm = () => user.client.confirmSetupIntent({ body: { setup_intent_id: id } })
  await assert.rejects(confirm(), refused(422))
  await confirmInBrowser(server, secret, '4000000000000002')
  await assert.rejects(confirm(), refused(422))
})

it('a card that was removed or replaced does not come back by its old confirmation', async () => {
  await using working = await startTestServer({ sandbox: true, worker: true })
  const user = await working.user()
  const { client_secret: secret } = await user.client.createSetupIntent()
  const id = await confirmInBrowser(working, secret, '4242424242424242')
  const confirm = () => user.client.confirmSetupIntent({ body: { setup_intent_id: id } })
  const { paymentMethod } = await confirm()
  assert.equal((await confirm()).paymentMethod.id, paymentMethod.id)
  await user.client.deletePaymentMethod({ params: { id: paymentMethod.id } })
  const provider = providerOf(working)
  await until(
    async () => (await provider.setupIntents.retrieve(id, { expand: ['payment_method'] })) as never,
    (intent: { payment_method: { customer: string | null } }) =>
      intent.payment_method.customer === null,
  )
  await assert.rejects(confirm(), refused(422))
  assert.deepEqual((await user.client.listPaymentMethods()).paymentMethods, [])
})

it("another account's card cannot be made default or removed", async () => {
  const [owner, other] = [await server.user(), await server.user()]
  const card = await saveCard(server, owner)
  const own = await saveCard(server, other)
  const params = { id: card }
  await assert.rejects(other.client.setDefaultPaymentMethod({ params }), refused(404))
  await assert.rejects(other.client.deletePaymentMethod({ params }), refused(404))
  assert.equal(await defaultOf(other), own)
  assert.equal(await defaultOf(owner), card)
})

it('first cards added in parallel leave one default', async () => {
  const user = await server.user()
  const numbers = ['4242424242424242', '5555555555554444', '378282246310005', '6011111111111117']
  await Promise.all(numbers.map((number) => saveCard(server, user, number)))
  const { paymentMethods } = await user.client.listPaymentMethods()
  assert.equal(paymentMethods.length, 4)
  assert.equal(paymentMethods.filter((card) => card.is_default).length, 1)
})

it('a card beyond the limit is not kept, although its setup was begun before', async () => {
  const user = await server.user()
  const { client_secret: secret } = await user.client.createSetupIntent()
  const id = await confirmInBrowser(server, secret, '4242424242424242')
  await server.ctx.pool.query(
    `insert into cards (account_id, payment_method_id, fingerprint, brand, last4, exp_month, exp_year,
       is_default, created_at)
     select $1, 'pm_full_' || n, 'print ' || n, 'visa', '0000', 1, 2040, n = 1, now()
     from generate_series(1, 20) n`,
    [user.accountId],
  )
  const confirm = user.client.confirmSetupIntent({ body: { setup_intent_id: id } })
  await assert.rejects(confirm, refused(422))
  assert.equal((await user.client.listPaymentMethods()).paymentMethods.length, 20)
})

it('the browser learns key and script of the provider', async () => {
  const user = await server.user()
  assert.deepEqual(await user.client.getPaymentConfig(), {
    publishable_key: server.ctx.config.stripe.publishableKey,
    script_url: `${server.sandboxUrl}/stripe.js`,
  })
})

async function defaultOf(user: TestUser): Promise<string | undefined> {
  const { paymentMethods } = await user.client.listPaymentMethods()
  return paymentMethods.find((card) => card.is_default)?.id
}

function refused(status: number) {
  return (error: unknown) => error instanceof CallError && error.status === status
}
