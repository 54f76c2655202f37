import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestServer } from '../../test/support/app.ts'
import { uploadClip } from '../../test/support/fixtures.ts'
import { until } from '../../test/support/until.ts'
import { startLeading } from '../work/leader.ts'
import { startWorking } from '../runs/work.ts'
import { stopWorker } from './stop-worker.ts'
import { use } from '../../test/support/use.ts'

const server = use(startTestServer)

test('a worker hands its job back before a long task ends, and closes what the leader needs after it', async () => {
  const user = await server.user()
  const content = await uploadClip(server.url, user.token)
  const claimed = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const taskEnded = Promise.withResolvers<void>()
  const jobs = await startWorking(server.ctx, {
    pollMs: null,
    async onStep(step) {
      if (step !== 'claimed') return
      claimed.resolve()
      await goOn.promise
    },
  })
  const leader = await startLeading(server.ctx, {
    ask: (text, values) => jobs.ask(text, values),
    wake: () => jobs.fill(),
    begin: async () => ({ stop: () => taskEnded.promise }),
  })
  assert.ok(leader.isLeading)
  const { job } = await user.client.createJob({
    body: { content_id: content.id, workflow: 'ffprobe' },
  })
  await claimed.promise
  const events: string[] = []
  const stopped = stopWorker({
    leader,
    jobs,
    async close() {
      await assert.rejects(jobs.ask('select 1', []), 'the connection of the jobs is open')
      events.push('closed')
    },
  })
  goOn.resolve()
  const { db } = server.ctx
  const row = () =>
    db
      .selectFrom('jobs')
      .innerJoin('work', 'work.id', 'jobs.id')
      .select(['jobs.status', 'work.leased_until', 'work.attempt'])
      .where('jobs.id', '=', job.id)
      .executeTakeFirstOrThrow()
  const back = await until(row, ({ leased_until }) => leased_until === null)
  assert.deepEqual([back.status, back.attempt], ['queued', 0])
  events.push('task ended')
  taskEnded.resolve()
  await stopped
  assert.deepEqual(events, ['task ended', 'closed'])
  const { rows } = await server.ctx.pool.query<{ free: boolean }>(
    `select leased_until = '-infinity' as free from leader`,
  )
  assert.deepEqual(rows, [{ free: true }], 'the leader gave up its lease')
})
