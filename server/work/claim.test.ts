import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestServer } from '../../test/support/app.ts'
import type { TestServer } from '../../test/support/app.ts'
import { uploadClip } from '../../test/support/fixtures.ts'
import type { NewWork } from '../jobs/work-rows.ts'
import { claimNext } from './claim.ts'
import type { Claim } from './claim.ts'
import { endWork } from './end-work.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.stop())

const measured = ['sound', 'frames'] as const
const film: NewWork[] = [
  { kind: 'sound', seconds: [2] },
  { kind: 'frames', seconds: [1, 1] },
  { kind: 'analyse-frames', seconds: [0], after: measured },
  { kind: 'join', seconds: [0], after: [...measured, 'voices', 'speech', 'analyse-frames'] },
]
const speech: NewWork[] = [
  { kind: 'voices', seconds: [1] },
  { kind: 'speech', seconds: [1, 1] },
]

/** Claims everything that can be claimed. */
async function claimAll(): Promise<Claim[]> {
  const claim = await claimNext(server.ctx, { leaseMs: 60_000 })
  return claim ? [claim, ...(await claimAll())] : []
}

const namesOf = (claims: Claim[]): string[] =>
  claims.map(({ kind, position }) => `${kind} ${position}`)

async function end(claim: Claim | undefined, next: NewWork[] = []): Promise<void> {
  assert.ok(claim)
  await endWork(server.ctx, claim, { files: [], next, onWritten: async () => undefined })
}

async function prepareFilm(): Promise<Claim[]> {
  const user = await server.user()
  const content = await uploadClip(server.url, user.token)
  await user.client.createJob({ body: { content_id: content.id, workflow: 'ffprobe' } })
  const [whole] = await claimAll()
  await end(whole, film)
  return await claimAll()
}

test('a film is claimed along its graph, its first words and its frames early', async () => {
  const [sound, ...frames] = await prepareFilm()
  assert.deepEqual(namesOf([sound!, ...frames]), ['sound 0', 'frames 0', 'frames 1'])
  await end(sound, speech)
  const heard = await claimAll()
  assert.deepEqual(namesOf(heard), ['speech 0', 'voices 0', 'speech 1'])
  for (const claim of frames) await end(claim)
  const [analysed, ...others] = await claimAll()
  assert.deepEqual(namesOf([analysed!, ...others]), ['analyse-frames 0'])
  for (const claim of heard) await end(claim)
  assert.deepEqual(await claimAll(), [], 'the join waits for the frames')
  await end(analysed)
  assert.deepEqual(namesOf(await claimAll()), ['join 0'])
})

test('the join analyses the frames itself where nothing else is left', async () => {
  const [sound, ...frames] = await prepareFilm()
  await end(sound, speech)
  for (const claim of await claimAll()) await end(claim)
  for (const claim of frames) await end(claim)
  assert.deepEqual(namesOf(await claimAll()), ['join 0'])
})
