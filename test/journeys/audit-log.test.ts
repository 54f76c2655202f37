/** The audit log: every change, who made it and from where, even when its process dies. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { recordChange } from '../../server/audit/record.ts'
import { startApiProcess } from '../support/api-process.ts'
import { startTestServer } from '../support/app.ts'
import { uploadClip } from '../support/fixtures.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

const server = use(startTestServer)

test('the audit log shows who changed what from where, a page at a time', async () => {
  const user = await server.user()
  const { apiKey } = await user.client.createApiKey({ body: { name: 'Script' } })
  const keyed = server.client(apiKey.key)
  const { project } = await keyed.createProject({ body: { name: 'Harbour' } })
  await keyed.listProjects()
  const created = await user.client.createApiKey({ body: { name: 'CI', mode: 'test' } })
  const { project: rehearsal } = await server
    .client(created.apiKey.key)
    .createProject({ body: { name: 'Rehearsal' } })
  await assert.rejects(keyed.deleteProject({ params: { id: randomUUID() } }))
  await user.client.deleteProject({ params: { id: project.id } })
  const first = await user.client.listAudit({ query: { limit: 3 } })
  const cursor = first.next_cursor ?? ''
  const second = await user.client.listAudit({ query: { limit: 3, cursor } })
  assert.equal(second.next_cursor, null)
  const entries = [...first.entries, ...second.entries]
  assert.deepEqual(
    entries.map(({ action, object_id: id, actor, mode }) => [action, id, actor.name, mode]),
    [
      ['deleteProject', project.id, null, 'live'],
      ['createProject', rehearsal.id, 'CI', 'test'],
      ['createApiKey', created.apiKey.id, null, 'live'],
      ['createProject', project.id, 'Script', 'live'],
      ['createApiKey', apiKey.id, null, 'live'],
    ],
  )
  assert.ok(entries.every(({ is_done: isDone }) => isDone))
  assert.match(entries[0]?.address ?? '', /^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/)
  await assert.rejects(user.client.listAudit({ query: { cursor: 'x' } }), { status: 422 })
})

test('a change is in the audit log even if its process dies before it answers', async (t) => {
  const user = await server.user()
  const content = await uploadClip(server.url, user.token)
  const house = await startApiProcess(server)
  // Deleting waits for this lock, after the entry was written.
  const blocker = await server.ctx.pool.connect()
  t.after(() => blocker.release(true))
  await blocker.query('begin; set local idle_in_transaction_session_timeout = 0')
  await blocker.query('select 1 from content where id = $1 for update', [content.id])
  const dying = fetch(`${house.url}/v1/content/${content.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${user.token}` },
  }).catch(() => null)
  const newest = async () => (await user.client.listAudit({ query: { limit: 1 } })).entries[0]
  await until(newest, (entry) => entry?.action === 'deleteContent')
  const countWaiting = async (): Promise<number> => {
    const { rows } = await server.ctx.pool.query(
      `select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length
  }
  await until(countWaiting, (count) => count > 0)
  await house.stop('SIGKILL')
  await blocker.query('rollback')
  await dying
  // The statement was sent; the database carries it out although nobody waits for it.
  const read = async (): Promise<number> => {
    const { rows } = await server.ctx.pool.query('select 1 from content where id = $1', [
      content.id,
    ])
    return rows.length
  }
  await until(read, (rows) => rows === 0)
  const entry = await newest()
  assert.deepEqual(
    [entry?.action, entry?.object_id, entry?.is_done],
    ['deleteContent', content.id, false],
  )
  const params = { id: randomUUID() }
  await assert.rejects(user.client.deleteContent({ params }), { status: 404 })
  assert.equal((await newest())?.id, entry?.id, 'what was refused changed nothing')
})

test('a change that fails halfway stays in the audit log, as not done', async () => {
  const user = await server.user()
  const actor = {
    kind: 'session',
    accountId: user.accountId,
    sessionId: randomUUID(),
    tokenKind: 'session',
  } as const
  const change = { name: 'deleteProject', actor, address: '127.0.0.1', input: {} } as const
  const failing = recordChange(server.ctx, change, async () => {
    throw new Error('half of it was written')
  })
  await assert.rejects(failing, /half of it/)
  const { entries } = await user.client.listAudit({ query: { limit: 10 } })
  assert.deepEqual(
    entries.map(({ action, is_done: isDone }) => [action, isDone]),
    [['deleteProject', false]],
  )
})
