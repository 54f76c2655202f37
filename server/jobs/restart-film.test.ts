import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measuresVersion } from '../../engine/parts/measures-version.ts'
import { startTestServer } from '../../test/support/app.ts'
import { uploadClip } from '../../test/support/fixtures.ts'
import { claimNext } from '../work/claim.ts'
import { use } from '../../test/support/use.ts'

const server = use(startTestServer)

const hourMs = 60 * 60_000

test('a worker leaves what a newer version of the engine works on to it, for an hour', async () => {
  const { db } = server.ctx
  const user = await server.user()
  const content = await uploadClip(server.url, user.token)
  const body = { content_id: content.id, workflow: 'ffprobe' }
  const { id } = (await user.client.createJob({ body })).job
  const set = async (values: object): Promise<void> => {
    await db.updateTable('jobs').set(values).where('id', '=', id).execute()
  }
  const claim = async (): Promise<string> =>
    (await claimNext(server.ctx, { leaseMs: 60_000 }))?.kind ?? 'nothing'
  const newer = { measures_version: measuresVersion + 1, claimed_at: new Date() }
  await set(newer)
  assert.equal(await claim(), 'nothing', 'it is to be taken apart, or joined')
  await set({ status: 'running' })
  await db.updateTable('work').set({ state: 'done' }).where('id', '=', id).execute()
  const account = await db
    .selectFrom('jobs')
    .select('account_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const part = { job_id: id, ...account, kind: 'frames', seconds: 1 } as const
  const parts = [0, 1].map((position) => ({ ...part, position, turn: position }))
  await db.insertInto('work').values(parts).execute()
  assert.equal(await claim(), 'nothing', 'it is in parts')
  await set({ measures_version: measuresVersion })
  assert.equal(await claim(), 'frames')
  // The release was taken back.
  await set({ ...newer, claimed_at: new Date(Date.now() - 1.1 * hourMs) })
  assert.equal(await claim(), 'frames')
})
