/** The sample clip: free for everyone, and there at once because its findings are prepared. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extractorIds } from '../../domain/money/catalogue.ts'
import { findOrCreateAccount } from '../../server/sign-in/find-or-create.ts'
import { openOperatorSession } from '../../server/sign-in/session.ts'
import { readPrepared } from '../../server/jobs/sample-results.ts'
import { startTestServer } from '../support/app.ts'
import { use } from '../support/use.ts'

const server = use(startTestServer)

// Without a worker: nothing here can be analysed.

test('an account without credit gets every finding of the sample at once, for nothing', async () => {
  const client = await unverifiedClient('nobody@example.com')
  const me = await client.getMe()
  assert.equal(me.account_balance_usd, 0)
  assert.equal(me.free_credit_withheld, 'unverified')
  const { content } = await client.addSample()
  const body = { content_url: content.canonical_url, workflow: extractorIds.join(',') }
  const { quote } = await client.quoteJob({ body })
  assert.deepEqual([quote.total_usd, quote.sufficient], [0, true])
  const { job } = await client.createJob({ body })
  assert.deepEqual([job.status, job.cost_usd, job.held_usd], ['completed', 0, 0])
  const { month_jobs: jobs, month_usage_usd: usage } = await client.getBillingStats()
  assert.deepEqual([jobs, usage], [1, 0], 'a job at $0 is one of the month')
  const { results } = await client.getJobResults({ params: { id: job.id }, query: {} })
  const prepared = await readPrepared()
  assert.deepEqual(results.shots, prepared.findings.shots)
  const poster = results.thumbnail?.poster ?? ''
  const { ticket } = await client.createFileTicket({ params: { id: job.id } })
  const answer = await server.fetch(`/v1/jobs/${job.id}/files/${poster}?ticket=${ticket}`)
  assert.equal(answer.status, 200)
  assert.ok((await answer.arrayBuffer()).byteLength > 1000)
})

test('the results of one account are not those of another, and a second job shares them', async () => {
  const [user, other] = [await server.user(), await server.user()]
  const ids: string[] = []
  for (const { client } of [user, other, user]) {
    const { content } = await client.addSample()
    const { job } = await client.createJob({
      body: { content_id: content.id, workflow: 'ffprobe,thumbnail' },
    })
    assert.equal(job.status, 'completed')
    ids.push(job.id)
  }
  const [first = ''] = ids
  await assert.rejects(other.client.getJobResults({ params: { id: first }, query: {} }))
  const stored = await server.ctx.db
    .selectFrom('job_results')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('account_id', '=', user.accountId)
    .executeTakeFirstOrThrow()
  assert.equal(stored.count, 2)
  // The last job takes its files along.
  await other.client.deleteJob({ params: { id: ids[1] ?? '' } })
  const left = await server.ctx.db
    .selectFrom('job_results')
    .select('id')
    .where('account_id', '=', other.accountId)
    .execute()
  assert.deepEqual(left, [])
})

test('a part of the sample is free too, and waits for a worker as any other job does', async () => {
  const { client } = await server.user()
  const { content } = await client.addSample()
  const { job } = await client.createJob({
    body: { content_id: content.id, workflow: 'shots', out: 5 },
  })
  assert.deepEqual([job.status, job.held_usd], ['queued', 0])
})

async function unverifiedClient(email: string) {
  const account = await findOrCreateAccount(server.ctx, {
    provider: 'github',
    subject: `test:${email}`,
    email,
    emailVerified: false,
    username: 'nobody',
    name: null,
    picture: null,
  })
  return server.client(await openOperatorSession(server.ctx, account.id))
}
