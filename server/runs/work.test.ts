import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { uploadClip } from '../../test/support/fixtures.ts'
import { startTestServer } from '../../test/support/app.ts'
import type { TestServer } from '../../test/support/app.ts'
import { limits } from '../work/claim.ts'
import { standardLeaseMs, standardPollMs, startWorking } from './work.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.stop())

test('a dead worker’s job is taken up again within 30 s', () => {
  assert.ok(standardLeaseMs + limits.deathDelaySeconds * 1000 + standardPollMs <= 30_000)
})

test('a worker that claims its own lost job again knows of both attempts', async () => {
  const user = await server.user()
  const content = await uploadClip(server.url, user.token)
  const second = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const firstCleaned = Promise.withResolvers<void>()
  const events: string[] = []
  // A lost lease is the machine's death, not another attempt; the fence tells them apart.
  const fences: number[] = []
  const worker = await startWorking(server.ctx, {
    slots: 2,
    async onStep(step, { job }) {
      if (step === 'claimed') fences.push(job.fence)
      const isFirst = job.fence === fences[0]
      if (step === 'claimed' && isFirst) {
        // As if this process had been away for longer than its lease.
        const lost = { leased_until: new Date(0) }
        await server.ctx.db.updateTable('work').set(lost).where('id', '=', job.id).execute()
        await second.promise
      }
      if (step === 'claimed' && !isFirst) {
        second.resolve()
        await held.promise
      }
      if (step === 'cleaned' && isFirst) firstCleaned.resolve()
    },
  })
  await user.client.createJob({ body: { content_id: content.id, workflow: 'ffprobe' } })
  await firstCleaned.promise
  const stopped = worker.stop().then(() => events.push('stopped'))
  // Time for a stop that does not wait: it needs no more than a few turns of the database.
  for (let turn = 0; turn < 50; turn += 1) await server.ctx.pool.query('select 1')
  events.push('second attempt let go')
  held.resolve()
  await stopped
  assert.deepEqual(events, ['second attempt let go', 'stopped'])
})
