/** One thing that cannot be deleted keeps no sweep from the rest. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openOperatorSession } from '../../server/sign-in/session.ts'
import { openQueue } from '../../server/db/queue.ts'
import { keepRetention } from '../../server/privacy/retention.ts'
import type { Context } from '../../server/ground/context.ts'
import { openLog } from '../../server/ground/log.ts'
import {
  abandonWrites,
  dropWritten,
  listObjects,
  ownObjects,
} from '../../server/storage/unowned-objects.ts'
import { newWorkFile } from '../../server/storage/scratch.ts'
import { sweepStore } from '../../server/storage/sweep.ts'
import { queues } from '../../server/tasks.ts'
import { startTestServer } from '../support/app.ts'
import { use, useFolder } from '../support/use.ts'

const server = use(startTestServer)
const folder = useFolder()

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

test('the sweep removes the other objects and tries again later', async () => {
  await storeObjects()
  const due_at = new Date(server.ctx.now().getTime() - 1000)
  const rows = keys.map((storage_key) => ({ storage_key, due_at }))
  await server.ctx.db.insertInto('unowned_objects').values(rows).execute()
  assert.equal((await sweepStore(stuckContext())).objects, 2)
  assert.deepEqual(await storedKeys(), [stuck])
  assert.equal((await sweepStore(server.ctx)).objects, 0, 'it waits for its turn')
  server.clock.offsetMs += 3_600_000
  assert.equal((await sweepStore(server.ctx)).objects, 1)
  assert.deepEqual(await storedKeys(), [])
})

test('objects of a writer stay while it may finish, and go at once when it is dead', async () => {
  await storeObjects()
  const { db } = server.ctx
  await listObjects(server.ctx, keys.slice(0, 2), 'dead')
  await listObjects(server.ctx, keys.slice(2), 'alive')
  assert.equal((await sweepStore(server.ctx)).objects, 0)
  await db.transaction().execute((trx) => abandonWrites(trx, ['dead']))
  assert.equal((await sweepStore(server.ctx)).objects, 2)
  assert.deepEqual(await storedKeys(), keys.slice(2))
  const late = db.transaction().execute((trx) => ownObjects(trx, keys))
  await assert.rejects(late, /swept meanwhile/)
  await db.transaction().execute((trx) => ownObjects(trx, keys.slice(2)))
  server.clock.offsetMs += 25 * 3_600_000
  assert.equal((await sweepStore(server.ctx)).objects, 0, 'it is owned')
})

test('files of a result that was kept while its answer was lost stay', async () => {
  const { ctx } = server
  const { accountId } = await server.user()
  const [kept = '', loose = ''] = keys.slice(1)
  await storeObjects()
  await listObjects(ctx, [kept, loose])
  await ctx.db.transaction().execute(async (trx) => {
    const result = {
      account_id: accountId,
      content_sha256: 'a',
      extractor: 'thumbnail' as const,
      version: '1',
      params: '{}',
      findings: '{}',
      media: '{}',
      seconds: 1,
      created_at: ctx.now(),
    }
    const { id } = await trx
      .insertInto('job_results')
      .values(result)
      .returning('id')
      .executeTakeFirstOrThrow()
    const file = { result_id: id, name: 'a.jpg', storage_key: kept, bytes: 5 }
    await trx.insertInto('job_result_files').values(file).execute()
    await ownObjects(trx, [kept])
  })
  await dropWritten(ctx, [kept, loose])
  assert.deepEqual(
    (await storedKeys()).filter((key) => key === kept || key === loose),
    [kept],
  )
})

test('the sweep removes the work files of dead processes only', async () => {
  const { config } = server.ctx
  const dead = join(config.dataDir, 'work', `999999999~${randomUUID()}`)
  await mkdir(dead, { recursive: true })
  const own = await newWorkFile(config)
  await writeFile(own, 'bytes')
  assert.equal((await sweepStore(server.ctx)).folders, 1)
  await assert.rejects(stat(dead))
  await stat(own)
  await rm(own)
})

test('a task that a new version no longer has is not queued any more', async () => {
  const { boss } = server.ctx.queue
  await boss.createQueue('sweep-attic')
  await boss.schedule('sweep-attic', '* * * * *')
  const { databaseUrl } = server.ctx.config
  const log = openLog('worker', 'silent')
  const queue = await openQueue({ databaseUrl, log, role: 'worker', queues })
  try {
    const names = (await boss.getSchedules()).map(({ name }) => name)
    assert.ok(names.includes('sweep-store'))
    assert.ok(!names.includes('sweep-attic'))
  } finally {
    await queue.stop()
  }
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
