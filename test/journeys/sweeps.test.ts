/** One thing that cannot be deleted keeps no sweep from the rest. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openOperatorSession } from '../../server/accounts/session.ts'
import { sweepContent } from '../../server/content/retention.ts'
import { sweepJobs } from '../../server/jobs/sweep.ts'
import { keepRetention } from '../../server/privacy/retention.ts'
import type { Context } from '../../server/process/context.ts'
import { startTestServer } from '../support/app.ts'
import type { TestServer } from '../support/app.ts'

let server: TestServer
let folder = ''
before(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'cutindex-sweeps-'))
})
after(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const stuck = 'results/a-stuck'
const keys = [stuck, 'results/b', 'results/c']

/** The store keeps one object, as one does whose disk or rights are broken. */
function stuckContext(): Context {
  const { storage } = server.ctx
  return {
    ...server.ctx,
    storage: {
      ...storage,
      delete: async (key) => {
        if (key === stuck) throw new Error('EACCES')
        await storage.delete(key)
      },
    },
  }
}

async function storeObjects(): Promise<void> {
  for (const key of keys) {
    const file = join(folder, 'object')
    await writeFile(file, 'bytes')
    await server.ctx.storage.putFile(key, file)
  }
}

async function storedKeys(): Promise<string[]> {
  const stored: string[] = []
  for await (const object of server.ctx.storage.list('results/')) stored.push(object.key)
  return stored.sort()
}

test('the sweep of jobs removes the other objects and tries again next time', async () => {
  await storeObjects()
  const rows = keys.map((storage_key) => ({ storage_key, created_at: server.ctx.now() }))
  await server.ctx.db.insertInto('job_loose_files').values(rows).execute()
  assert.equal((await sweepJobs(stuckContext())).objects, 2)
  assert.deepEqual(await storedKeys(), [stuck])
  assert.equal((await sweepJobs(server.ctx)).objects, 1)
  assert.deepEqual(await storedKeys(), [])
})

test('the sweep of content removes the other objects and tries again later', async () => {
  await storeObjects()
  const due_at = new Date(server.ctx.now().getTime() - 1000)
  const rows = keys.map((storage_key) => ({ storage_key, due_at }))
  await server.ctx.db.insertInto('content_garbage').values(rows).execute()
  await sweepContent(stuckContext())
  assert.deepEqual(await storedKeys(), [stuck])
  assert.equal((await sweepContent(server.ctx)).objects, 0, 'it waits for its turn')
  server.clock.offsetMs += 3_600_000
  await sweepContent(server.ctx)
  assert.deepEqual(await storedKeys(), [])
})

test('one rule of retention that fails does not stop the others', async () => {
  const { accountId } = await server.user()
  await openOperatorSession(server.ctx, accountId)
  const before = server.clock.offsetMs
  server.clock.offsetMs += 31 * 24 * 3_600_000
  await server.ctx.pool.query('alter table jobs rename to jobs_away')
  try {
    await assert.rejects(keepRetention(server.ctx), /Some rules of retention failed/)
  } finally {
    await server.ctx.pool.query('alter table jobs_away rename to jobs')
  }
  const sessions = await server.ctx.db.selectFrom('sessions').select('id').execute()
  assert.deepEqual(sessions, [], 'sessions past their end are gone')
  const { sessions: none } = await keepRetention(server.ctx)
  assert.equal(none, 0)
  server.clock.offsetMs = before
})
