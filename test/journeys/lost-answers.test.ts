/** A request that carries an Idempotency-Key takes effect once, however its answer gets lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../contract/footage/jobs.ts'
import { uploadClip } from '../support/fixtures.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { use } from '../support/use.ts'

const server = use(startTestServer)

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

test('requests that meet others in the database are tried again, then asked to come back', async () => {
  const user = await server.user()
  const { pool } = server.ctx
  await pool.query('create sequence meetings')
  const meet = async (times: number): Promise<void> => {
    await pool.query('select setval($1, 1, false)', ['meetings'])
    await pool.query(`create or replace function meet() returns trigger language plpgsql as
      $$ begin if nextval('meetings') <= ${times} then
        raise exception 'deadlock detected' using errcode = '40P01';
      end if; return new; end $$`)
  }
  await meet(2)
  for (const table of ['projects', 'accounts']) {
    await pool.query(`create trigger meet before insert or update on ${table}
      for each row execute function meet()`)
  }
  const project = { body: { name: 'Series' } }
  try {
    assert.equal((await user.client.createProject(project)).project.name, 'Series')
    await meet(1000)
    const preferences = { method: 'PUT', body: '{}', token: user.token }
    const headers = { 'content-type': 'application/json' }
    const answer = await server.fetch('/v1/user/preferences', { ...preferences, headers })
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('retry-after'), '1')
    assert.equal(((await answer.json()) as { code: string }).code, 'unavailable')
    // Nobody knows whether such a request may be sent again.
    await assert.rejects(user.client.createProject(project), { status: 500 })
    const once = { idempotencyKey: 'met' }
    await assert.rejects(user.client.createProject(project, once), { status: 503 })
    await meet(0)
    await user.client.createProject(project, once)
    const { projects } = await user.client.listProjects()
    assert.equal(projects.length, 2)
  } finally {
    await pool.query('drop function meet cascade')
  }
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

/** State left by a process that died between its work and its answer, a minute later. */
async function loseAnswers({ accountId }: TestUser): Promise<void> {
  await server.ctx.db
    .updateTable('idempotent_requests')
    .set({ answer: null, created_at: new Date(Date.now() - 61_000) })
    .where('account_id', '=', accountId)
    .execute()
}
