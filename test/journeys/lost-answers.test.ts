/** A request that carries an Idempotency-Key takes effect once, however its answer gets lost. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Job } from '../../contract/jobs.ts'
import { uploadClip } from '../support/fixtures.ts'
import { startTestServer } from '../support/app.ts'
import type { TestServer, TestUser } from '../support/app.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.stop())

test('a job whose answer was lost with the process is found again, not made again', async () => {
  const user = await server.user()
  const content = await uploadClip(server.url, user.token)
  const body = { content_id: content.id, workflow: 'ffprobe' }
  const first = await post(user, '/v1/jobs', 'lost', body)
  await loseAnswers(user)
  const again = await post(user, '/v1/jobs', 'lost', body)
  assert.equal(again.id, first.id)
  await user.client.cancelJob({ params: { id: first.id } })
  const retried = await post(user, `/v1/jobs/${first.id}/retry`, 'lost-too')
  await loseAnswers(user)
  assert.equal((await post(user, `/v1/jobs/${first.id}/retry`, 'lost-too')).id, retried.id)
  const { jobs } = await user.client.listJobs({ query: {} })
  assert.equal(jobs.length, 2)
  assert.equal((await user.client.getMe()).balance.held_usd, retried.held_usd)
})

test('a reference whose answer was lost is answered, not told to be a duplicate', async () => {
  const user = await server.user()
  const request = { body: { url: `${server.url}/openapi.yaml` } }
  const options = { idempotencyKey: 'lost-reference' }
  const { content } = await user.client.addReference(request, options)
  await loseAnswers(user)
  const again = await user.client.addReference(request, options)
  assert.equal(again.content.id, content.id)
  await assert.rejects(user.client.addReference(request), { status: 409 })
})

test('a job that was placed is found again when telling of it failed', async () => {
  const user = await server.user()
  const content = await uploadClip(server.url, user.token)
  const { pool } = server.ctx
  // The last statement of the request, after the job's own transaction.
  await pool.query(`create function break_answers() returns trigger language plpgsql as
    $$ begin if new.answer is not null then raise exception 'away'; end if; return new; end $$`)
  await pool.query(`create trigger break_answers before update on idempotent_requests
    for each row execute function break_answers()`)
  const request = { body: { content_id: content.id, workflow: 'ffprobe' } }
  const options = { idempotencyKey: 'not-told' }
  await assert.rejects(user.client.createJob(request, options), { status: 500 })
  await pool.query('drop function break_answers cascade')
  const { job } = await user.client.createJob(request, options)
  const { jobs } = await user.client.listJobs({ query: {} })
  assert.deepEqual(
    jobs.map(({ id }) => id),
    [job.id],
  )
})

async function post(user: TestUser, path: string, key: string, body?: object): Promise<Job> {
  const answer = await server.fetch(path, {
    method: 'POST',
    token: user.token,
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  assert.equal(answer.status, 201)
  return ((await answer.json()) as { job: Job }).job
}

/** What a process leaves that died between its work and its answer, a minute later. */
async function loseAnswers({ accountId }: TestUser): Promise<void> {
  await server.ctx.db
    .updateTable('idempotent_requests')
    .set({ answer: null, created_at: new Date(Date.now() - 61_000) })
    .where('account_id', '=', accountId)
    .execute()
}
