/** Test keys: the same calls, no charge, no compute, and objects of their own. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { extractorIds, testFailures } from '../../domain/money/catalogue.ts'
import { findingsByExtractor } from '../../domain/findings/findings.ts'
import type { CallError } from '../../contract/endpoint.ts'
import { eraseAccount } from '../../server/privacy/erase.ts'
import { sweepTestObjects } from '../../server/privacy/retention.ts'
import { sendWebhooks } from '../../server/webhooks/deliver.ts'
import { startTestServer } from '../support/app.ts'
import type { TestServer } from '../support/app.ts'
import { uploadClip } from '../support/fixtures.ts'
import { startReceiver } from '../support/webhook-receiver.ts'
import type { Receiver } from '../support/webhook-receiver.ts'

let server: TestServer
let receiver: Receiver

before(async () => {
  // No worker runs: what ends here was not analysed.
  server = await startTestServer()
  receiver = await startReceiver()
})
after(async () => {
  await receiver.stop()
  await server.stop()
})

async function withTestKey() {
  const user = await server.user()
  const { apiKey } = await user.client.createApiKey({ body: { name: 'CI', mode: 'test' } })
  assert.match(apiKey.key, /^ci_test_[0-9A-Za-z]{36}$/)
  return { user, apiKey, client: server.client(apiKey.key) }
}

test('a job of a test key ends at once with findings over the file’s length, costs nothing and is reported', async () => {
  const { user, apiKey, client } = await withTestKey()
  const { webhook } = await client.createWebhook({
    body: { url: receiver.url, events: ['job.completed'] },
  })
  receiver.secrets.push(webhook.secret)
  const content = await uploadClip(server.url, apiKey.key, { seconds: 10, size: '64x36' })
  const workflow = extractorIds.join(',')
  const { quote } = await client.quoteJob({ body: { content_id: content.id, workflow } })
  assert.equal(quote.total_usd, 0)
  const { job } = await client.createJob({ body: { content_id: content.id, workflow } })
  assert.equal(job.status, 'completed')
  assert.equal(job.cost_usd, 0)
  const { results } = await client.getJobResults({ params: { id: job.id }, query: {} })
  for (const id of ['shots', 'cutpoints', 'thumbnail', 'ffprobe'] as const) {
    findingsByExtractor[id].parse(results[id])
  }
  const frames = content.media?.frames ?? 0
  assert.equal(frames, 120)
  assert.equal(results.shots?.shots.at(-1)?.end_frame, frames)
  assert.equal(results.shots?.shots.at(-1)?.end, 10)
  assert.equal(results.cutpoints?.curve.frames, frames)
  assert.ok(results.shots.shots.every((shot) => shot.end_frame > shot.start_frame))
  await sendWebhooks(server.ctx, webhook.id)
  assert.equal(receiver.received.at(-1)?.data.id, job.id)
  assert.equal((await user.client.getMe()).account_balance_usd, 5)
  const edl = await server.fetch(`/v1/jobs/${job.id}/export?format=edl`, { token: apiKey.key })
  assert.equal(edl.status, 200)
})

test('test and live objects never meet', async () => {
  const { user, apiKey, client } = await withTestKey()
  const { apiKey: liveKey } = await user.client.createApiKey({ body: { name: 'Live' } })
  const tested = await uploadClip(server.url, apiKey.key)
  const body = { content_id: tested.id, workflow: 'ffprobe,shots' }
  const { job } = await client.createJob({ body })
  const { project } = await client.createProject({ body: { name: 'Rehearsal' } })
  const real = await uploadClip(server.url, user.token)
  for (const live of [user.client, server.client(liveKey.key)]) {
    assert.deepEqual(
      (await live.listContent({ query: {} })).content.map(({ id }) => id),
      [real.id],
    )
    assert.deepEqual((await live.listJobs({ query: {} })).jobs, [])
    assert.deepEqual((await live.search({ query: { q: 'shot' } })).hits, [])
    await assert.rejects(live.getJob({ params: { id: job.id } }), { status: 404 })
    await assert.rejects(live.getContent({ params: { id: tested.id } }), { status: 404 })
    await assert.rejects(live.getProject({ params: { id: project.id } }), { status: 404 })
  }
  await assert.rejects(client.getContent({ params: { id: real.id } }), { status: 404 })
  await assert.rejects(client.createJob({ body: { ...body, content_id: real.id } }), {
    status: 404,
  })
  assert.equal((await client.listContent({ query: {} })).content.length, 1)
  const second = await user.client.createApiKey({ body: { name: 'CI 2', mode: 'test' } })
  const other = server.client(second.apiKey.key)
  assert.equal((await other.getJob({ params: { id: job.id } })).job.id, job.id)
})

test('the name of a file asks for an error', async () => {
  const { apiKey, client } = await withTestKey()
  const content = await uploadClip(server.url, apiKey.key)
  for (const [name, code] of Object.entries(testFailures)) {
    const params = { id: content.id }
    await client.updateContent({ params, body: { file_name: `fail-${name}.mp4` } })
    const body = { content_id: content.id, workflow: 'ffprobe,shots' }
    if (name === 'credit' || name === 'limit') {
      const refused = (error: CallError): boolean => error.status === 402 && error.code === code
      await assert.rejects(client.createJob({ body }), refused)
      continue
    }
    const { job } = await client.createJob({ body })
    assert.equal(job.status, name === 'partial' ? 'completed' : 'failed', name)
    assert.equal(job.partial, name === 'partial')
    const failed = job.extractors.find(({ status }) => status === 'failed')
    assert.equal((name === 'partial' ? failed?.error : job.error)?.code, code)
  }
})

test('test objects are gone after a day, and with the account at once', async () => {
  const { user, apiKey, client } = await withTestKey()
  const content = await uploadClip(server.url, apiKey.key)
  const real = await uploadClip(server.url, user.token)
  const hook = { url: receiver.url, events: ['job.completed' as const] }
  await client.createWebhook({ body: hook })
  await user.client.createWebhook({ body: hook })
  await client.createJob({ body: { content_id: content.id, workflow: 'ffprobe' } })
  await sweepTestObjects(server.ctx)
  assert.equal((await client.listJobs({ query: {} })).jobs.length, 1)
  assert.equal((await client.listWebhooks()).webhooks.length, 1)
  server.clock.offsetMs = 25 * 3_600_000
  await sweepTestObjects(server.ctx)
  assert.equal((await client.listJobs({ query: {} })).jobs.length, 0)
  assert.equal((await client.listContent({ query: {} })).content.length, 0)
  assert.equal((await client.listWebhooks()).webhooks.length, 0)
  assert.equal((await user.client.listWebhooks()).webhooks.length, 1)
  assert.equal((await user.client.getContent({ params: { id: real.id } })).content.id, real.id)
  server.clock.offsetMs = 0
  await uploadClip(server.url, apiKey.key)
  await eraseAccount(server.ctx, user.accountId)
  const { rows } = await server.ctx.pool.query<{ count: number }>(
    `select count(*)::int as count from content c join accounts a on a.id = c.account_id
     where a.id = $1 or a.test_of = $1`,
    [user.accountId],
  )
  assert.equal(rows[0]?.count, 0)
  await assert.rejects(client.getCurrentApiKey(), { status: 401 })
})
