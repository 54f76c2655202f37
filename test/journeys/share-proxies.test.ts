/**
 * Proxies of links: made from the played ranges alone, so that nothing else of a clip is served.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import { newRange } from '../../domain/cuts/cut-edit.ts'
import {
  codedSeconds,
  drawnSeconds,
  framesIn,
  makeCodedClip,
  secondsIn,
} from '../support/coded-clip.ts'
import { openWorks } from '../support/job-app.ts'
import type { TestUser } from '../support/app.ts'
import { claimProxy, reportProxy, sweepProxies } from '../../server/shares/proxies.ts'
import { renderDueProxies } from '../../server/shares/render.ts'
import { renderProxies } from '../support/share-proxies.ts'
import { use } from '../support/use.ts'

const works = use(openWorks)
const user = use(() => works.server.user('edda.lind@example.com'))
const visitor = use(async () => works.server.client(null))
let contentId: string
let jobId: string
let projectId: string

before(async () => {
  const bytes = await readFile(await makeCodedClip(works.folder, 'coded.mp4'))
  contentId = (await works.upload(user.token, bytes, 'coded.mp4')).id
  jobId = (await works.runJob(user, contentId, 'thumbnail')).id
  projectId = (await user.client.createProject({ body: { name: 'River' } })).project.id
})

type Ranges = NonNullable<Parameters<TestUser['client']['createCut']>[0]['body']['ranges']>

async function makeCut(ranges: Ranges) {
  const body = { project_id: projectId, name: 'Coded', ranges }
  return (await user.client.createCut({ body })).cut
}

const range = (first: number, end: number) =>
  newRange({ content_id: contentId, in: first, out: end })
const framesOf = (...spans: [number, number][]) =>
  spans.flatMap(([first, end]) => Array.from({ length: end - first }, (_, at) => first + at))

interface Served {
  address: string
  name: string
  bytes: Uint8Array
}

/** Whatever the link answers: addresses that it names, and all that can be guessed. */
async function everythingServed(token: string): Promise<Served[]> {
  const { shared } = await visitor.getShared({ params: { token }, query: {} })
  const named = JSON.stringify(shared).match(/http[^"]+\/media\/[^"]+/g) ?? []
  const folders = [
    ...new Set(named.map((address) => address.slice(0, address.lastIndexOf('/')))),
    ...['s1', 's2', 'v1', 'r1', jobId, contentId].map(
      (folder) => `${works.server.url}/v1/shares/${token}/media/${folder}`,
    ),
  ]
  const own = await works.server.ctx.db.selectFrom('job_result_files').select('name').execute()
  const names = new Set([
    ...own.map(({ name }) => name),
    ...['proxy-sound.mp4', 'coded.mp4', 'sprite-002.jpg', 'audio.s16', 'sound.s16', 'tiles.yuv'],
    ...['piece-000000.mp4', 'pieces.txt', 'black.yuv'],
  ])
  const guessed = folders.flatMap((folder) => [...names].map((name) => `${folder}/${name}`))
  const served: Served[] = []
  for (const address of new Set([...named, ...guessed])) {
    const answer = await fetch(address)
    const bytes = await answer.bytes()
    if (answer.status === 404) continue
    assert.equal(answer.status, 200, address)
    const last = await fetch(address, { headers: { range: 'bytes=0-9999999999' } })
    assert.deepEqual(await last.bytes(), bytes, 'a range of bytes is of the same file')
    served.push({ address, name: address.split('/').at(-1)!, bytes })
  }
  return served
}

/** Decodes all of it, and returns the frames and the seconds of the clip that it shows. */
async function decodeAll(served: readonly Served[]) {
  const frames = new Set<number>()
  const seconds = new Set<number>()
  for (const { name, bytes } of served) {
    const grid = name.startsWith('sprite') ? { columns: 10, rows: 10 } : { columns: 1, rows: 1 }
    if (/\.(jpg|mp4)$/.test(name)) {
      for (const frame of await framesIn(works.folder, name, bytes, grid)) frames.add(frame)
    }
    if (name.endsWith('.mp4')) {
      for (const second of await secondsIn(works.folder, name, bytes)) seconds.add(second)
    }
    if (name === 'waveform.bin') for (const second of drawnSeconds(bytes)) seconds.add(second)
  }
  const rising = (set: Set<number>) => [...set].sort((a, b) => a - b)
  return { frames: rising(frames), seconds: rising(seconds) }
}

test('no byte that a link serves decodes to a frame or a sample outside of its ranges', async () => {
  const cut = await makeCut([range(50, 75), { ...range(0, 25), disabled: true }, range(125, 150)])
  const { token } = await user.client.createShare({ body: { cut_id: cut.id } })
  const whileMade = await decodeAll(await everythingServed(token))
  assert.deepEqual(whileMade, { frames: [], seconds: [] }, 'nothing while it is made')
  await renderProxies(works.server)
  const served = await everythingServed(token)
  const decoded = await decodeAll(served)
  assert.deepEqual(decoded, { frames: framesOf([50, 75], [125, 150]), seconds: [2, 5] })
  assert.deepEqual([...new Set(served.map(({ name }) => name))].sort(), [
    'poster.jpg',
    'proxy.mp4',
    'sprite-001.jpg',
    'waveform.bin',
  ])
})

async function proxyOf(token: string) {
  const { shared } = await visitor.getShared({ params: { token }, query: {} })
  return { ...shared.proxy, version: shared.version }
}

const minuteMs = 60_000

test('a link of before gets its proxy when it is opened, and plays nothing until then', async () => {
  const cut = await makeCut([range(25, 50)])
  const { token, share } = await user.client.createShare({ body: { cut_id: cut.id } })
  // Links of earlier versions have none.
  await works.server.ctx.db.deleteFrom('share_proxies').where('share_id', '=', share.id).execute()
  assert.deepEqual(await decodeAll(await everythingServed(token)), { frames: [], seconds: [] })
  assert.equal((await proxyOf(token)).state, 'waiting')
  await renderProxies(works.server)
  assert.deepEqual(await decodeAll(await everythingServed(token)), {
    frames: framesOf([25, 50]),
    seconds: [1],
  })
})

type Cut = Awaited<ReturnType<typeof makeCut>>

async function saveRanges(cut: Cut, ranges: Ranges): Promise<Cut> {
  const { id, project_id: _, created_at: __, updated_at: ___, ...body } = cut
  return (await user.client.saveCut({ params: { id }, body: { ...body, ranges } })).cut
}

test('footage that a new version cuts out answers no more from the moment that it is saved', async () => {
  const cut = await makeCut([range(0, 25), range(100, 125)])
  const { token } = await user.client.createShare({ body: { cut_id: cut.id } })
  await renderProxies(works.server)
  const first = await proxyOf(token)
  assert.deepEqual([first.state, first.version], ['ready', 1])
  await saveRanges(cut, [range(1, 25), range(100, 125)])
  assert.equal((await fetch(first.proxy!.url)).status, 404, 'one frame was cut out')
  assert.deepEqual(await decodeAll(await everythingServed(token)), { frames: [], seconds: [] })
  const fresh = await proxyOf(token)
  assert.deepEqual([fresh.state, fresh.version, fresh.proxy], ['waiting', 2, null])
  works.server.clock.offsetMs = 2 * minuteMs
  await proxyOf(token)
  await renderProxies(works.server)
  works.server.clock.offsetMs = 0
  assert.equal((await proxyOf(token)).version, 2)
  assert.deepEqual(await decodeAll(await everythingServed(token)), {
    frames: framesOf([1, 25], [100, 125]),
    seconds: [0, 4],
  })
})

test('a version that only takes more in leaves the one before to whoever watches it', async () => {
  const cut = await makeCut([range(0, 25)])
  const { token } = await user.client.createShare({ body: { cut_id: cut.id } })
  await renderProxies(works.server)
  const first = await proxyOf(token)
  const saved = await saveRanges(cut, [range(10, 35), range(0, 10)])
  works.server.clock.offsetMs = 2 * minuteMs
  const meanwhile = await proxyOf(token)
  assert.deepEqual([meanwhile.version, meanwhile.proxy?.url], [1, first.proxy!.url])
  assert.equal((await fetch(first.proxy!.url)).status, 200)
  await renderProxies(works.server)
  works.server.clock.offsetMs = 0
  const next = await proxyOf(token)
  assert.deepEqual([next.version, next.proxy?.frames], [2, 35])
  assert.equal((await fetch(first.proxy!.url)).status, 200, 'somebody may still watch it')
  await saveRanges(saved, [range(0, 24)])
  for (const { proxy } of [first, next]) assert.equal((await fetch(proxy!.url)).status, 404)
})

test('the link of a job about a part of a clip shows that part, at the frames of the clip', async () => {
  const { job } = await user.client.createJob({
    body: { content_id: contentId, workflow: 'ffprobe', in: 2, out: 4 },
  })
  await works.untilEnded(user, job.id)
  const { token } = await user.client.createShare({ body: { job_id: job.id } })
  await renderProxies(works.server)
  assert.equal((await proxyOf(token)).proxy?.frames, 25 * codedSeconds)
  assert.deepEqual(await decodeAll(await everythingServed(token)), {
    frames: framesOf([50, 100]),
    seconds: [2, 3],
  })
})

test('a worker that dies while it renders is made up for, and writes nothing afterwards', async () => {
  const { ctx } = works.server
  const cut = await makeCut([range(150, 175)])
  const { token, share } = await user.client.createShare({ body: { cut_id: cut.id } })
  const dead = (await claimProxy(ctx))!
  assert.equal((await proxyOf(token)).state, 'making')
  assert.equal((await sweepProxies(ctx)).isDue, true)
  assert.equal(await renderDueProxies(ctx), 1)
  assert.equal(await reportProxy(ctx, dead, { progress: 0.5, bytes: 1 }), false)
  assert.equal((await proxyOf(token)).state, 'ready')
  const { shares } = await user.client.listShares({ query: { cut_id: cut.id } })
  assert.deepEqual([shares[0]?.proxy?.state, shares[0]?.proxy?.progress], ['ready', 1])
  await user.client.revokeShare({ params: { id: share.id } })
  const left = await ctx.db
    .selectFrom('share_proxies')
    .select('id')
    .where('id', '=', dead.id)
    .execute()
  assert.deepEqual(left, [], 'a withdrawn link keeps no copy')
})

test('a link that cannot be rendered says what to do', async () => {
  const { ctx } = works.server
  const cut = await makeCut([range(0, 5)])
  const { share, token } = await user.client.createShare({ body: { cut_id: cut.id } })
  const proxies = ctx.db.updateTable('share_proxies').where('share_id', '=', share.id)
  await proxies
    .set({ plan: JSON.stringify({ files: ['jobs/gone'], rate: '25/1', events: [] }) })
    .execute()
  await renderProxies(works.server)
  assert.equal(await renderDueProxies(ctx), 0)
  const { state, message } = await proxyOf(token)
  assert.equal(state, 'failed')
  assert.match(message ?? '', /Revoke this link and make a new one/)
})

test('the links of a day play so long at most, also those that were withdrawn', async () => {
  const { limits } = works.server.ctx.config
  const before = limits.shareSecondsPerDay
  works.server.clock.offsetMs = 24 * 60 * minuteMs
  limits.shareSecondsPerDay = 3
  const cut = await makeCut([range(0, 50)])
  const make = () => user.client.createShare({ body: { cut_id: cut.id } })
  const { share } = await make()
  await user.client.revokeShare({ params: { id: share.id } })
  await assert.rejects(make(), { code: 'limit_reached' })
  works.server.clock.offsetMs += 24 * 60 * minuteMs
  await make()
  works.server.clock.offsetMs = 0
  limits.shareSecondsPerDay = before
})
