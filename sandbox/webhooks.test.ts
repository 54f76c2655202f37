import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { it } from 'node:test'
import { Stripe } from 'stripe'
import {
  connect,
  control,
  secret,
  secretKey,
  startReceiver,
  startTestSandbox,
} from './start-for-test.ts'
import { signPayload } from './stripe/events.ts'
import { until } from '../test/support/until.ts'

it('the real client accepts the signature and refuses a changed body, key or time', () => {
  const stripe = new Stripe(secretKey)
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'customer.created' })
  const now = Math.floor(Date.now() / 1000)
  const header = signPayload(payload, secret, now)
  assert.equal(stripe.webhooks.constructEvent(payload, header, secret).id, 'evt_1')
  const refused = Stripe.errors.StripeSignatureVerificationError
  assert.throws(() => stripe.webhooks.constructEvent(`${payload} `, header, secret), refused)
  assert.throws(() => stripe.webhooks.constructEvent(payload, header, 'whsec_other'), refused)
  const old = signPayload(payload, secret, now - 301)
  assert.throws(() => stripe.webhooks.constructEvent(payload, old, secret), refused)
})

it('a delivery is tried again until the receiver says yes', async () => {
  const receiver = await startReceiver()
  const sandbox = await startTestSandbox({ webhook: { url: receiver.url, secret } })
  receiver.answers.push(500, 503)
  await connect(sandbox).customers.create({})
  await receiver.until('customer.created')
  const [delivery] = await listDeliveries(sandbox.url, 'delivered')
  assert.equal(delivery?.attempts, 3)
  await sandbox.stop()
  await receiver.stop()
})

it('a test can lose a webhook and send it again', async () => {
  const receiver = await startReceiver()
  const sandbox = await startTestSandbox({ webhook: { url: receiver.url, secret } })
  const stripe = connect(sandbox)
  await control(sandbox, 'webhooks', { drop: ['customer.created'] })
  await stripe.customers.create({})
  await control(sandbox, 'webhooks', { drop: false })
  await stripe.setupIntents.create({})
  await receiver.until('setup_intent.created')
  assert.deepEqual(
    receiver.events.map((event) => event.type),
    ['setup_intent.created'],
  )
  const lost = await stripe.events.list({ type: 'customer.created' })
  await control(sandbox, `events/${lost.data[0]?.id}/resend`, {})
  await receiver.until('customer.created')
  await sandbox.stop()
  await receiver.stop()
})

it('a killed sandbox keeps its state and sends what was pending', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  // A port nobody listens on yet.
  const placeholder = await startReceiver()
  await placeholder.stop()
  const first = await startProcess(dataDir, placeholder.url)
  const stripe = connect(first)
  const customer = await stripe.customers.create({ email: 'x@example.com' })
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const params = {
    amount: 2000,
    currency: 'usd',
    customer: customer.id,
    payment_method: method.id,
    off_session: true,
    confirm: true,
  }
  const intent = await stripe.paymentIntents.create(params, { idempotencyKey: 'reload-1' })
  first.process.kill('SIGKILL')
  await once(first.process, 'exit')

  const receiver = await startReceiver(placeholder.port)
  const second = await startProcess(dataDir, receiver.url)
  const again = connect(second)
  const replay = await again.paymentIntents.create(params, { idempotencyKey: 'reload-1' })
  assert.equal(replay.id, intent.id)
  assert.equal((await again.paymentMethods.list({ customer: customer.id })).data.length, 1)
  const event = await receiver.until('payment_intent.succeeded')
  assert.equal((event.data.object as Stripe.PaymentIntent).id, intent.id)
  second.process.kill('SIGTERM')
  const [code] = (await once(second.process, 'exit')) as [number]
  assert.equal(code, 0)
  await receiver.stop()
  rmSync(dataDir, { recursive: true })
})

async function startProcess(
  dataDir: string,
  webhookUrl: string,
): Promise<{ url: string; process: ChildProcess; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      SANDBOX_DATA_DIR: dataDir,
      SANDBOX_WEBHOOK_URL: webhookUrl,
      SANDBOX_WEBHOOK_SECRET: secret,
      SANDBOX_STRIPE_SECRET_KEY: secretKey,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  return { url, process: child, stop: () => Promise.resolve() }
}

async function listDeliveries(url: string, status: string): Promise<{ attempts: number }[]> {
  return until(
    async () => {
      const response = await fetch(`${url}/test/deliveries`)
      const { deliveries } = (await response.json()) as {
        deliveries: { status: string; attempts: number }[]
      }
      return deliveries.filter((delivery) => delivery.status === status)
    },
    (deliveries) => deliveries.length > 0,
  )
}
