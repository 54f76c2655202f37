/** Webhooks: signed, at least once, in order for one object, and never in a job's way. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { WebhookDelivery } from '../../contract/account/webhooks.ts'
import { webhookEvents } from '../../domain/money/catalogue.ts'
import type { WebhookEvent } from '../../domain/money/catalogue.ts'
import { endJob } from '../../server/jobs/end.ts'
import { startWorking } from '../../server/runs/work.ts'
import { runAutoReload } from '../../server/payments/auto-reload.ts'
import { emitEvent } from '../../server/webhooks/emit.ts'
import { sendWebhooks, sweepWebhooks } from '../../server/webhooks/deliver.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { uploadClip } from '../support/fixtures.ts'
import { deliveredTo } from '../support/mail.ts'
import { enableAutoReload, leaveWithUsd, payOnPage, startCheckout } from '../support/payments.ts'
import { until } from '../support/until.ts'
import { startReceiver } from '../support/webhook-receiver.ts'
import { use } from '../support/use.ts'
import { startHttp } from '../support/http.ts'
import { uploadFile } from '../support/upload.ts'
import { jobEnd } from '../support/job-app.ts'

const dayMs = 24 * 3_600_000
const server = use(() => startTestServer({ sandbox: true }))
const receiver = use(startReceiver)
/** Kinds that the product itself sent and the package's verifier took. */
const seenTypes = new Set<string>()

beforeEach(() => {
  receiver.received = []
  receiver.secrets = []
  receiver.answer = () => 200
  server.clock.offsetMs = 0
})

async function addWebhook(user: TestUser, events: WebhookEvent[], url = receiver.url) {
  const { webhook } = await user.client.createWebhook({ body: { url, events } })
  receiver.secrets.push(webhook.secret)
  return webhook
}

function noteSeen(): void {
  for (const { type } of receiver.received) seenTypes.add(type)
}

async function deliveriesOf(user: TestUser, id: string): Promise<WebhookDelivery[]> {
  const answer = await user.client.listWebhookDeliveries({ params: { id }, query: {} })
  return answer.deliveries
}

/** Emits an event as a verb would: in a transaction. */
function emit(user: TestUser, objectId: string, data: Record<string, unknown>): Promise<void> {
  const event = { accountId: user.accountId, type: 'job.completed' as const, objectId, data }
  return server.ctx.db.transaction().execute((trx) => emitEvent(server.ctx, trx, event))
}

test('jobs, batches and payments reach the receiver, signed by the secret that was shown once', async () => {
  const user = await server.user()
  const webhook = await addWebhook(user, ['job.canceled', 'batch.completed', 'payment.succeeded'])
  assert.match(webhook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const { webhooks } = await user.client.listWebhooks()
  assert.ok(!JSON.stringify(webhooks).includes(webhook.secret))
  const content = await uploadClip(server.url, user.token)
  const body = { content_id: content.id, workflow: 'ffprobe' }
  const { job } = await user.client.createJob({ body })
  await user.client.cancelJob({ params: { id: job.id } })
  const { batch } = await user.client.createBatch({
    body: { content_ids: [content.id], workflow: 'shots' },
  })
  await user.client.cancelBatch({ params: { id: batch.id } })
  const { checkout_url: page, session_id: id } = await startCheckout(server, user)
  await payOnPage(page)
  await until(
    () => user.client.getPaymentSession({ params: { id } }),
    ({ status }) => status === 'credited',
  )
  await sendWebhooks(server.ctx, webhook.id)
  assert.equal(receiver.unverified, 0)
  noteSeen()
  assert.deepEqual(receiver.received.map(({ type }) => type).sort(), [
    'batch.completed',
    'job.canceled',
    'job.canceled',
    'payment.succeeded',
  ])
  const canceled = receiver.received.find(({ data }) => data.id === job.id)
  assert.equal(canceled?.data.content_name, 'clip.mp4')
  const ended = receiver.received.find(({ type }) => type === 'batch.completed')
  assert.deepEqual(
    [ended?.data.id, ended?.data.status, ended?.data.jobs],
    [batch.id, 'canceled', 1],
  )
  const paid = receiver.received.find(({ type }) => type === 'payment.succeeded')
  assert.deepEqual([paid?.data.price_usd, paid?.data.credits_usd], [50, 52.5])
  const deliveries = await deliveriesOf(user, webhook.id)
  assert.deepEqual(
    deliveries.map(({ state, attempts }) => [state, attempts[0]?.status, attempts[0]?.answer]),
    Array.from({ length: 4 }, () => ['delivered', 200, 'answered 200']),
  )
})

test('a job that is done, one that fails and a declined reload are reported', async () => {
  const user = await server.user()
  const { ctx } = server
  const webhook = await addWebhook(user, ['job.completed', 'job.failed', 'auto_reload.failed'])
  const content = await uploadFile(server, user.token, 'Notes.', 'notes.txt')
  const body = { content_id: content.id, workflow: 'ffprobe' }
  const { job: failed } = await user.client.createJob({ body })
  const cause = { code: 'timeout', message: 'It took too long.' } as const
  await ctx.db
    .transaction()
    .execute((trx) => endJob(ctx, trx, { jobId: failed.id, reason: 'failed', cause }))
  const worker = await startWorking(ctx, { slots: 1 })
  const { job: done } = await user.client.createJob({ body })
  await jobEnd(user, done.id)
  await worker.stop()
  // This card is saved, and declined when it is charged.
  await enableAutoReload(server, user, '4000000000000341')
  await leaveWithUsd(server, user, '1')
  assert.equal(await runAutoReload(ctx, user.accountId), 'declined')
  await sendWebhooks(ctx, webhook.id)
  assert.equal(receiver.unverified, 0)
  noteSeen()
  const dataOf = (type: string) => receiver.received.find((item) => item.type === type)?.data
  assert.deepEqual(dataOf('job.failed')?.error, cause)
  assert.deepEqual([dataOf('job.failed')?.id, dataOf('job.failed')?.cost_usd], [failed.id, 0])
  assert.deepEqual(
    [dataOf('job.completed')?.id, dataOf('job.completed')?.status],
    [done.id, 'completed'],
  )
  const declined = dataOf('auto_reload.failed')
  assert.deepEqual([declined?.price_usd, declined?.switched_off], [50, false])
  assert.ok(Date.parse(String(declined?.next_try_at)) > Date.now())
  const subjects = (await deliveredTo(server, user.email)).map(({ subject }) => subject)
  assert.deepEqual(subjects, ['Auto-reload could not charge your card'])
})

test('a job that ends badly leaves no event, and a rolled-back transaction none either', async () => {
  const user = await server.user()
  const webhook = await addWebhook(user, ['job.completed'])
  const event = {
    accountId: user.accountId,
    type: 'job.completed' as const,
    objectId: randomUUID(),
    data: {},
  }
  const failing = server.ctx.db.transaction().execute(async (trx) => {
    await emitEvent(server.ctx, trx, event)
    throw new Error('The end of the job was undone.')
  })
  await assert.rejects(failing)
  assert.equal(await sendWebhooks(server.ctx, webhook.id), 0)
})

test('a hold that takes the balance below the threshold is reported once', async () => {
  const user = await server.user()
  const webhook = await addWebhook(user, ['balance.low'])
  const content = await uploadClip(server.url, user.token, { seconds: 100, size: '16x16' })
  const place = (workflow: string) =>
    user.client.createJob({ body: { content_id: content.id, workflow } })
  // $5 of free credit; a hundred seconds cost 150, 100 and 30 cents.
  await place('ffprobe,thumbnail,shots,talking,cutpoints')
  await place('ffprobe,thumbnail,shots,talking,cutpoints')
  await sendWebhooks(server.ctx, webhook.id)
  assert.equal(receiver.received.length, 0)
  await place('ffprobe,thumbnail,shots,talking,cutpoints')
  await place('shots')
  await sendWebhooks(server.ctx, webhook.id)
  noteSeen()
  assert.deepEqual(
    receiver.received.map(({ data }) => data),
    [{ available_usd: 0.5, threshold_usd: 1 }],
  )
})

test('each of the seven kinds was sent by what causes it, and verified', () => {
  assert.deepEqual([...seenTypes].sort(), [...webhookEvents].sort())
})

test('failures are tried again for three days, in order for one object, the rest meanwhile', async () => {
  const user = await server.user()
  const webhook = await addWebhook(user, ['job.completed'])
  const [stuck, free] = [randomUUID(), randomUUID()]
  receiver.answer = ({ data }) => (data.object === stuck ? 500 : 200)
  await emit(user, stuck, { object: stuck, n: 1 })
  await emit(user, stuck, { object: stuck, n: 2 })
  await emit(user, free, { object: free, n: 1 })
  await sendWebhooks(server.ctx, webhook.id)
  assert.deepEqual(seen().toSorted(), ['free 1', 'stuck 1'])
  for (let passed = 0; passed < 3.5 * dayMs; passed += dayMs / 24) {
    server.clock.offsetMs = passed
    await sendWebhooks(server.ctx, webhook.id)
  }
  // Nine more attempts, and only then the next event of that object.
  const [newest, older] = (await deliveriesOf(user, webhook.id)).slice(1)
  assert.equal(older?.state, 'failed')
  assert.equal(older?.attempts.length, 10)
  assert.equal(
    new Set(receiver.received.filter(({ data }) => data.n === 1).map(({ id }) => id)).size,
    2,
  )
  receiver.answer = () => 200
  server.clock.offsetMs += dayMs
  await sendWebhooks(server.ctx, webhook.id)
  assert.ok(newest)
  assert.equal((await deliveriesOf(user, webhook.id))[1]?.state, 'delivered')
  const ofStuck = receiver.received.filter(({ data }) => data.object === stuck)
  const order = ofStuck.map(({ data }) => Number(data.n))
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  )

  function seen(): string[] {
    return receiver.received.map(
      ({ data }) => `${data.object === stuck ? 'stuck' : 'free'} ${String(data.n)}`,
    )
  }
})

test('redirects are not followed, silence ends after a limit, answers are kept to 1 KB', async () => {
  const user = await server.user()
  let isReached = false
  const elsewhere = await startHttp((_request, response) => {
    isReached = true
    response.end()
  })
  const webhook = await addWebhook(user, ['job.completed'])
  receiver.answer = ({ data }, response) => {
    if (data.how === 'redirect') {
      response.writeHead(307, { location: elsewhere.url }).end()
      return 307
    }
    if (data.how === 'drop') {
      response.destroy()
      return 0
    }
    if (data.how === 'silence') return 0
    response.writeHead(500).end('x\0'.repeat(5000))
    return 500
  }
  for (const how of ['redirect', 'drop', 'silence', 'long']) {
    await emit(user, randomUUID(), { how })
    await sendWebhooks(server.ctx, webhook.id)
  }
  await elsewhere.stop()
  assert.equal(isReached, false)
  const deliveries = await deliveriesOf(user, webhook.id)
  assert.deepEqual(
    deliveries.map(({ state, attempts }) => [state, attempts[0]?.status]),
    [
      ['waiting', 500],
      ['waiting', null],
      ['waiting', null],
      ['waiting', 307],
    ],
  )
  assert.equal(deliveries[0]?.attempts[0]?.answer.length, 1024)
})

test('after five days of failures a webhook is switched off, and what it missed can be sent later', async () => {
  const user = await server.user()
  const webhook = await addWebhook(user, ['job.completed'])
  receiver.answer = () => 503
  const missed = [randomUUID(), randomUUID()]
  await emit(user, missed[0] ?? '', { n: 0 })
  await sendWebhooks(server.ctx, webhook.id)
  server.clock.offsetMs = 5 * dayMs + 1000
  await sendWebhooks(server.ctx, webhook.id)
  const { token } = await server.user(user.email)
  const client = server.client(token)
  const [off] = (await client.listWebhooks()).webhooks
  assert.equal(off?.enabled, false)
  assert.match(off?.off_reason ?? '', /^Nothing was received since .* 503\.$/)
  // One letter, however often somebody looks at it again.
  await sendWebhooks(server.ctx, webhook.id)
  const [letter, ...more] = await deliveredTo(server, user.email)
  assert.equal(more.length, 0)
  assert.equal(letter?.subject, 'A webhook was switched off')
  assert.ok(letter.text.includes(`Address: ${receiver.url}`))
  assert.match(letter.text, /^Last answer: 503$/m)
  assert.ok(letter.text.includes(`${server.url}/profile#webhooks`))
  await emit(user, missed[1] ?? '', { n: 1 })
  const params = { id: webhook.id }
  const since = new Date(Date.now() - dayMs).toISOString()
  await assert.rejects(client.redeliverWebhook({ params, body: { since } }), { status: 409 })
  receiver.answer = () => 200
  receiver.received = []
  await client.updateWebhook({ params, body: { enabled: true } })
  assert.equal((await client.redeliverWebhook({ params, body: { since } })).redelivered, 2)
  await sendWebhooks(server.ctx, webhook.id)
  assert.deepEqual(new Set(receiver.received.map(({ data }) => data.n)), new Set([0, 1]))
  // One alone, under the id that it had.
  const [last] = (await client.listWebhookDeliveries({ params, query: {} })).deliveries
  await client.redeliverWebhook({ params, body: { delivery_id: last?.id ?? '' } })
  await sendWebhooks(server.ctx, webhook.id)
  assert.equal(receiver.received.at(-1)?.id, last?.event_id)
})

test('events of one object that are sent again keep their order, also those that were missed', async () => {
  const user = await server.user()
  const { client } = user
  const webhook = await addWebhook(user, ['job.completed'])
  const params = { id: webhook.id }
  const object = randomUUID()
  await client.updateWebhook({ params, body: { enabled: false } })
  await emit(user, object, { n: 0 })
  await client.updateWebhook({ params, body: { enabled: true } })
  server.clock.offsetMs += 1000
  await emit(user, object, { n: 1 })
  await sendWebhooks(server.ctx, webhook.id)
  receiver.received = []
  const since = new Date(Date.now() - dayMs).toISOString()
  assert.equal((await client.redeliverWebhook({ params, body: { since } })).redelivered, 2)
  await sendWebhooks(server.ctx, webhook.id)
  assert.deepEqual(
    receiver.received.map(({ data }) => data.n),
    [0, 1],
  )
})

test('for a day after a rotation the old and the new secret verify, then only the new one', async () => {
  const user = await server.user()
  const webhook = await addWebhook(user, ['job.completed'])
  const params = { id: webhook.id }
  const { webhook: rotated } = await user.client.rotateWebhookSecret({ params })
  assert.notEqual(rotated.secret, webhook.secret)
  const verifies = (secret: string): boolean => {
    const { text, headers } = receiver.received.at(-1) ?? { text: '', headers: {} }
    try {
      new Webhook(secret).verify(text, headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  }
  await user.client.testWebhook({ params })
  await sendWebhooks(server.ctx, webhook.id)
  assert.equal(receiver.received.at(-1)?.type, 'webhook.test')
  assert.ok(verifies(webhook.secret) && verifies(rotated.secret))
  receiver.secrets.push(rotated.secret)
  server.clock.offsetMs = dayMs + 1000
  await emit(user, randomUUID(), {})
  await sendWebhooks(server.ctx, webhook.id)
  assert.ok(!verifies(webhook.secret) && verifies(rotated.secret))
})

test('a secret that was sealed with another key is reported, and a rotation mends it', async () => {
  const user = await server.user()
  const webhook = await addWebhook(user, ['job.completed'])
  const params = { id: webhook.id }
  await server.ctx.db
    .updateTable('webhook_endpoints')
    .set({ secret: Buffer.alloc(80, 1) })
    .where('id', '=', webhook.id)
    .execute()
  await emit(user, randomUUID(), {})
  await sendWebhooks(server.ctx, webhook.id)
  assert.equal(receiver.received.length, 0)
  const [missed] = await deliveriesOf(user, webhook.id)
  assert.equal(missed?.state, 'waiting')
  assert.match(missed.attempts.at(-1)?.answer ?? '', /Rotate the secret/)
  const { webhook: rotated } = await user.client.rotateWebhookSecret({ params })
  receiver.secrets = [rotated.secret]
  server.clock.offsetMs = 6000
  await sendWebhooks(server.ctx, webhook.id)
  assert.equal(receiver.received.length, 1)
})

test('a delivery whose task was lost is found by the sweep', async () => {
  const user = await server.user()
  const webhook = await addWebhook(user, ['job.completed'])
  await emit(user, randomUUID(), {})
  await server.ctx.pool.query(`delete from pgboss.job where name = 'send-webhooks'`)
  await sweepWebhooks(server.ctx)
  const { rows } = await server.ctx.pool.query<{ data: { endpointId: string } }>(
    `select data from pgboss.job where name = 'send-webhooks'`,
  )
  assert.ok(rows.some(({ data }) => data.endpointId === webhook.id))
})

test('addresses that are not public, other schemes and too many webhooks are refused', async () => {
  const user = await server.user()
  const wrong = ['ftp://example.com/', 'http://10.0.0.1/', 'https://example.com:8443/', 'hello', '']
  for (const url of ['http://169.254.169.254/', 'http://a:b@example.com/', ...wrong]) {
    await assert.rejects(addWebhook(user, ['job.completed'], url), { status: 422 }, url)
  }
  for (let count = 0; count < 20; count += 1) await addWebhook(user, ['job.completed'])
  await assert.rejects(addWebhook(user, ['job.completed']), { code: 'limit_reached' })
})
