/** Plays clips before an analysis, with a free copy of what no browser plays. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { Playback } from '../../contract/footage/playback.ts'
import { makeClip } from '../../engine/clips.testing.ts'
import { keepRetention } from '../../server/privacy/retention.ts'
import { startWorkerProcess } from '../support/api-process.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { jobActions, openWorks } from '../support/job-app.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

const works = use(openWorks)
const sound = '-f lavfi -i sine=1000:duration=20'
const long = `-f lavfi -i testsrc2=size=640x360:rate=25:duration=20 ${sound}
  -c:v prores_ks -profile:v 0 -c:a pcm_s16le -timecode 10:00:00:00 long.mov`
const mxf = `-f lavfi -i testsrc2=size=320x180:rate=30000/1001:duration=5
  -f lavfi -i sine=1000:duration=5:sample_rate=48000
  -c:v mpeg2video -b:v 4M -c:a pcm_s16le -timecode 01:00:00;02 card.mxf`

async function uploadMade(user: TestUser, words: string) {
  const name = words.trim().split(/\s+/).at(-1) ?? ''
  const bytes = await readFile(await makeClip(works.folder, words))
  return (await works.upload(user.token, bytes, name)).id
}

const ask = async (user: TestUser, id: string, original_failed = false): Promise<Playback> => {
  const call = { params: { id }, body: { original_failed } }
  return (await user.client.createPlayback(call)).playback
}

const untilKind = (user: TestUser, id: string, kind: Playback['kind']) =>
  until(
    () => ask(user, id),
    (playback) => playback.kind === kind,
  )

/** Reads the fragments that are listed now, and whether the list is complete. */
async function readList(playback: Playback) {
  const answer = await fetch(playback.url ?? '')
  assert.equal(answer.status, 200)
  const lines = (await answer.text()).split('\n')
  const at = (address: string): string => new URL(address, playback.url ?? '').href
  const [start] = lines.flatMap((line) => /^#EXT-X-MAP:URI="(.+)"$/.exec(line)?.[1] ?? [])
  const media = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const addresses = start === undefined ? [] : [start, ...media].map(at)
  return { addresses, isWhole: lines.includes('#EXT-X-ENDLIST') }
}

async function fetchAll(addresses: readonly string[]): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for (const address of addresses) {
    const answer = await fetch(address)
    assert.equal(answer.status, 200)
    parts.push(await answer.bytes())
  }
  return Buffer.concat(parts)
}

/** As a decoder sees it: frames, and where the first one and the sound begin. */
async function measure(bytes: Buffer) {
  const file = join(works.folder, 'fetched.mp4')
  await writeFile(file, bytes)
  const { stdout } = await promisify(execFile)('ffprobe', [
    ...['-v', 'error', '-count_frames', '-show_entries'],
    ...['stream=codec_name,nb_read_frames,start_time,height', '-of', 'json', file],
  ])
  const { streams } = JSON.parse(stdout) as { streams: Record<string, string>[] }
  const [video, audio] = ['h264', 'aac'].map((codec) =>
    streams.find((stream) => stream.codec_name === codec),
  )
  return {
    frames: Number(video?.nb_read_frames),
    height: video?.height,
    startsAt: Number(video?.start_time),
    soundStartsAt: Number(audio?.start_time),
  }
}

test('a file that browsers play is played itself, in parts', async () => {
  const user = await works.server.user()
  const { id } = await works.upload(user.token, works.clip)
  const playback = await ask(user, id)
  assert.equal(playback.kind, 'original')
  const part = await fetch(playback.url ?? '', { headers: { range: 'bytes=4-7' } })
  assert.deepEqual([part.status, await part.text()], [206, 'ftyp'])
  const tried = await ask(user, id, true)
  assert.equal(tried.kind, 'making', 'a browser that cannot play it gets a copy')
})

test('a ProRes file plays before its copy is whole, which has all of its frames', async () => {
  const user = await works.server.user()
  const id = await uploadMade(user, long)
  const first = await ask(user, id)
  assert.deepEqual([first.kind, first.format, first.message], ['making', 'list', null])
  assert.ok((first.starts_in_seconds ?? 0) > 0)
  const early = await until(
    () => readList(first),
    ({ addresses }) => addresses.length > 1,
  )
  assert.equal(early.isWhole, false)
  const begun = await measure(await fetchAll(early.addresses))
  assert.equal(begun.height, 360)
  assert.ok(begun.frames >= 25 && begun.frames < 500, `${begun.frames} frames`)
  const ready = await untilKind(user, id, 'proxy')
  assert.deepEqual([ready.frames, ready.frame_rate, ready.progress], [500, '25/1', 1])
  const whole = await readList(ready)
  assert.equal(whole.isWhole, true)
  const all = await measure(await fetchAll(whole.addresses))
  assert.deepEqual([all.frames, all.startsAt], [500, 0])
  assert.ok(Math.abs(all.soundStartsAt) < 0.022, 'the sound begins with the picture')
})

test('an MXF of 29.97 frames plays with all of its frames, and nobody is charged', async () => {
  const user = await works.server.user()
  const id = await uploadMade(user, mxf)
  const before = await works.balanceOf(user)
  await ask(user, id)
  const ready = await untilKind(user, id, 'proxy')
  const { frames } = await measure(await fetchAll((await readList(ready)).addresses))
  const { content } = await user.client.getContent({ params: { id } })
  assert.deepEqual([frames, ready.frames, content.media?.frames], [150, 150, 150])
  assert.deepEqual(await works.balanceOf(user), before)
  assert.equal((await user.client.listJobs({ query: {} })).jobs.length, 0)
})

test('the proxy of an analysis is played where there is one', async () => {
  const user = await works.server.user()
  const id = await uploadMade(user, mxf)
  await works.runJob(user, id, 'thumbnail')
  const playback = await ask(user, id)
  assert.deepEqual([playback.kind, playback.format, playback.frames], ['proxy', 'file', 150])
  const { frames } = await measure(await fetchAll([playback.url ?? '']))
  assert.equal(frames, 150)
})

test('a file without video or sound is refused with a reason', async () => {
  const user = await works.server.user()
  const { id } = await works.upload(user.token, Buffer.from('A page of text.'), 'notes.txt')
  const { kind, message, url } = await ask(user, id)
  assert.deepEqual([kind, url], ['refused', null])
  assert.match(message ?? '', /no video or sound/)
})

test('an account gets copies of so many minutes a day', async (t) => {
  const { limits } = works.server.ctx.config
  const before = limits.previewSecondsPerDay
  t.after(() => {
    limits.previewSecondsPerDay = before
  })
  const user = await works.server.user()
  const id = await uploadMade(user, mxf)
  limits.previewSecondsPerDay = 4
  assert.match((await ask(user, id)).message ?? '', /longer than .* Analyse it/)
  limits.previewSecondsPerDay = 9
  assert.equal((await ask(user, id)).kind, 'making')
  assert.equal((await ask(user, id)).kind === 'refused', false, 'asking again costs nothing')
  const words = mxf.replace('testsrc2', 'testsrc').replace('card', 'second')
  const second = await uploadMade(user, words)
  const refused = await ask(user, second)
  assert.equal(refused.kind, 'refused')
  assert.match(refused.message ?? '', /used up. More are available from 00:00 UTC; analysing/)
  works.server.clock.offsetMs += 24 * 3600_000
  t.after(() => {
    works.server.clock.offsetMs -= 24 * 3600_000
  })
  assert.equal((await ask(user, second)).kind, 'making')
})

test('a copy goes with its clip, or when nobody has watched it for a week', async (t) => {
  const { ctx, clock } = works.server
  const user = await works.server.user()
  const id = await uploadMade(user, mxf)
  const other = await uploadMade(user, mxf.replace('testsrc2', 'testsrc').replace('card', 'second'))
  const keysOf = async (contentId: string) =>
    ctx.db
      .selectFrom('quick_proxy_segments')
      .select('storage_key as key')
      .where('content_id', '=', contentId)
      .execute()
  const isGone = async (key: string) =>
    await ctx.storage.read(key).then(
      (body) => {
        body.destroy()
        return false
      },
      () => true,
    )
  for (const clip of [id, other]) {
    await ask(user, clip)
    await untilKind(user, clip, 'proxy')
  }
  const [keys, otherKeys] = [await keysOf(id), await keysOf(other)]
  assert.ok(keys.length > 2 && otherKeys.length > 2)
  const playback = await ask(user, id)
  await user.client.deleteContent({ params: { id } })
  assert.equal((await fetch(playback.url ?? '')).status, 404)
  clock.offsetMs += 8 * 24 * 3600_000
  t.after(() => {
    clock.offsetMs -= 8 * 24 * 3600_000
  })
  assert.ok((await keepRetention(ctx)).quickProxies)
  for (const { key } of [...keys, ...otherKeys]) assert.ok(await isGone(key), key)
})

test('a killed worker’s copy is finished by another, and what was listed stays', async (t) => {
  await using server = await startTestServer()
  const user = await server.user()
  const bytes = await readFile(await makeClip(works.folder, long))
  const { id } = await jobActions(server).upload(user.token, bytes, 'long.mov')
  const making = await ask(user, id)
  const doomed = await startWorkerProcess(server)
  const early = await until(
    () => readList(making),
    ({ addresses }) => addresses.length > 2,
  )
  await doomed.stop('SIGKILL')
  const listed = await fetchAll(early.addresses)
  const { rowCount } = await server.ctx.pool.query(
    `update work set leased_until = clock_timestamp() where content_id = $1`,
    [id],
  )
  assert.equal(rowCount, 1, 'it was killed before the end')
  const second = await startWorkerProcess(server)
  t.after(() => second.stop())
  const ready = await untilKind(user, id, 'proxy')
  const { addresses } = await readList(ready)
  const whole = await fetchAll(addresses)
  assert.ok(whole.subarray(0, listed.length).equals(listed))
  const { frames, startsAt } = await measure(whole)
  assert.deepEqual([frames, startsAt], [500, 0])
})
