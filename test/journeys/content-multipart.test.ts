/** Resumable uploads into S3, whose own multipart upload takes the bytes as they come. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import type { ErrorAnswer } from '../../contract/refusal.ts'
import { eraseContent } from '../../server/content/erase.ts'
import { sweepUploads } from '../../server/uploads/retention.ts'
import { uploadsOf } from '../../server/uploads/state.ts'
import { sweepStore } from '../../server/storage/sweep.ts'
import { startApiProcess } from '../support/api-process.ts'
import type { ApiProcess } from '../support/api-process.ts'
import { startTestServer } from '../support/app.ts'
import { giveStoreKeys } from '../support/store-keys.ts'
import type { TestServer, TestUser } from '../support/app.ts'
import { seeded } from '../support/random.ts'
import { begin as beginUpload, cancel, head, send, sendAndBreak } from '../support/resumable.ts'
import { storedKeys } from '../support/stored-keys.ts'
import { isWholeRun, slow, slowUnless } from '../support/slow.ts'
import { startStrictS3 } from '../support/strict-s3.ts'
import type { StrictS3 } from '../support/strict-s3.ts'
import { until } from '../support/until.ts'

const megabyte = 1024 ** 2
/** Pieces of up to so many megabytes: less than a part, about one, and several. */
const pieceScales = [0.01, 2, 4, 6, 20]
let s3: StrictS3
let server: TestServer
let other: ApiProcess

let takeKeysBack = (): void => undefined
before(async () => {
  s3 = await startStrictS3()
  takeKeysBack = giveStoreKeys()
  const environment = { STORAGE_URL: `s3://${s3.bucket}/files`, S3_ENDPOINT: s3.endpoint }
  server = await startTestServer({ environment })
  other = await startOther()
})
after(async () => {
  takeKeysBack()
  await other?.stop()
  await server?.stop()
  await s3?.close()
})
beforeEach(() => {
  s3.before = () => true
})

function startOther(): Promise<ApiProcess> {
  return startApiProcess(server, {
    environment: {
      S3_ENDPOINT: s3.endpoint,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
  })
}

const begin = (user: TestUser, sizeBytes: number) => beginUpload(server, user, sizeBytes)
const elsewhere = (url: string): string => url.replace(server.url, other.url)

/** Where the item is; the process that was asked last may have left it to the next one who asks. */
function itemOf(user: TestUser, url: string): Promise<string | null> {
  return until(async () => (await head(user, url)).headers.get('content-location'))
}

async function offsetOf(user: TestUser, url: string): Promise<number> {
  return Number((await head(user, url)).headers.get('upload-offset'))
}

/** The account's only item is these bytes, nothing else is left of its upload. */
async function assertStored(user: TestUser, bytes: Buffer): Promise<void> {
  const { content } = await until(
    () => user.client.listContent({ query: {} }),
    (list) => list.content.length > 0,
  )
  assert.equal(content.length, 1)
  const id = content[0]?.id ?? ''
  const download = await server.fetch(`/v1/content/${id}/download`, { token: user.token })
  const hash = createHash('sha256').update(bytes).digest('hex')
  const stored = createHash('sha256').update(Buffer.from(await download.arrayBuffer()))
  assert.equal(stored.digest('hex'), hash)
  const row = await server.ctx.db
    .selectFrom('content')
    .select('sha256')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(row.sha256?.toString('hex'), hash)
  await user.client.deleteContent({ params: { id } })
  assert.deepEqual(await storedKeys(server), [])
  assert.equal(s3.open.size, 0)
}

test(
  'pieces of any size, broken and by two processes in turn, give the same bytes',
  slow,
  async () => {
    const seeds = 12
    for (let seed = 1; seed <= seeds; seed += 1) {
      const random = seeded(seed)
      const user = await server.user()
      const bytes = randomBytes(Math.ceil((9 + 20 * random()) * megabyte))
      const url = await begin(user, bytes.length)
      let offset = 0
      while (offset < bytes.length) {
        const scale = pieceScales[Math.floor(random() * pieceScales.length)] ?? 0
        const size = Math.ceil(random() * scale * megabyte)
        const piece = bytes.subarray(offset, offset + size)
        const door = random() < 0.5 ? url : elsewhere(url)
        if (random() < 0.3 && offset + piece.length < bytes.length) {
          await sendAndBreak(user, door, { offset, bytes: piece })
          offset = await offsetOf(user, door)
        } else {
          const answer = await send(user, door, offset, piece)
          // A cut connection may be noticed late; the offset is what counts.
          if (answer.status !== 204) assert.equal(answer.status, 409)
          offset = await offsetOf(user, url)
        }
      }
      await assertStored(user, bytes)
    }
  },
)

test(
  'parts have one length wherever a connection broke: some stores take no others',
  slow,
  async () => {
    const user = await server.user()
    const bytes = randomBytes(18 * megabyte)
    const url = await begin(user, bytes.length)
    const first = Math.ceil(5.3 * megabyte)
    assert.equal((await send(user, url, 0, bytes.subarray(0, first))).status, 204)
    assert.equal((await send(user, url, first, bytes.subarray(first))).status, 204)
    await assertStored(user, bytes)
  },
)

test('each byte is written once, and nothing is joined', async () => {
  const user = await server.user()
  const bytes = randomBytes((isWholeRun ? 40 : 9) * megabyte)
  const written = s3.writtenBytes
  const url = await begin(user, bytes.length)
  for (let offset = 0; offset < bytes.length; offset += 8 * megabyte) {
    const answer = await send(user, url, offset, bytes.subarray(offset, offset + 8 * megabyte))
    assert.equal(answer.status, 204)
  }
  assert.equal(s3.writtenBytes - written, bytes.length)
  await assertStored(user, bytes)
})

test('uploads at the same time, each larger than a part, keep their own bytes', slow, async () => {
  const count = 6
  const users = await Promise.all(Array.from({ length: count }, () => server.user()))
  const files = users.map(() => randomBytes(17 * megabyte))
  await Promise.all(
    users.map(async (user, at) => {
      const bytes = files[at]!
      const url = await begin(user, bytes.length)
      const half = Math.ceil(bytes.length / 2)
      assert.equal((await send(user, url, 0, bytes.subarray(0, half))).status, 204)
      assert.equal((await send(user, url, half, bytes.subarray(half))).status, 204)
    }),
  )
  for (const [at, user] of users.entries()) {
    const { content } = await user.client.listContent({ query: {} })
    const path = `/v1/content/${content[0]?.id}/download`
    const stored = await (await server.fetch(path, { token: user.token })).arrayBuffer()
    assert.ok(Buffer.from(stored).equals(files[at]!), String(at))
    await user.client.deleteContent({ params: { id: content[0]?.id ?? '' } })
  }
})

const deaths = [
  { step: 'begin', count: 1, keptBytes: 0 },
  { step: 'part', count: 1, keptBytes: 0 },
  { step: 'part', count: 2, keptBytes: 8 * megabyte },
  { step: 'part', count: 3, keptBytes: 16 * megabyte },
  { step: 'complete', count: 1, keptBytes: 20 * megabyte },
] as const
for (const { step, count, keptBytes } of deaths) {
  const isShort = step === 'part' && count === 2
  const name = `a process that is killed at ${step} ${count} loses no byte that it had kept`
  test(name, slowUnless(isShort), async () => {
    const user = await server.user()
    const bytes = randomBytes((isShort ? 10 : 20) * megabyte)
    const url = await begin(user, bytes.length)
    const victim = await startOther()
    let steps = 0
    let isHeld = false
    s3.before = (now) => {
      if (now !== step || (steps += 1) < count) return true
      isHeld = true
      return new Promise<boolean>(() => undefined)
    }
    const sent = send(user, url.replace(server.url, victim.url), 0, bytes).catch(() => null)
    await until(() => isHeld)
    await victim.stop('SIGKILL')
    await sent
    s3.before = () => true
    if (keptBytes === bytes.length) {
      assert.equal((await head(user, url)).status, 423, 'the lease of the dead process')
      server.clock.offsetMs += 61_000
      assert.ok((await head(user, url)).headers.get('content-location'))
    } else {
      assert.equal(await offsetOf(user, url), keptBytes)
      const answer = await send(user, elsewhere(url), keptBytes, bytes.subarray(keptBytes))
      assert.equal(answer.status, 204)
      assert.ok(await itemOf(user, url))
    }
    await assertStored(user, bytes)
  })
}

test('a part that arrives late from a frozen process is not in the file', slow, async () => {
  const user = await server.user()
  const bytes = randomBytes(10 * megabyte)
  const url = await begin(user, bytes.length)
  let thaw = (): void => undefined
  let isFrozen = false
  s3.before = (step) => {
    if (step !== 'part' || isFrozen) return true
    isFrozen = true
    return new Promise<boolean>((resolve) => {
      thaw = () => resolve(true)
    })
  }
  // Other bytes, so that they would show.
  const late = send(user, elsewhere(url), 0, randomBytes(8 * megabyte))
  await until(() => isFrozen)
  assert.equal((await send(user, url, 0, bytes.subarray(0, 9 * megabyte))).status, 204)
  thaw()
  assert.equal((await late).status, 409)
  const rest = await send(user, url, 9 * megabyte, bytes.subarray(9 * megabyte))
  assert.equal(rest.status, 204)
  await assertStored(user, bytes)
})

test('a store that fails over the completing, or a death after it, costs no byte', async () => {
  const user = await server.user()
  const bytes = randomBytes(megabyte)
  const url = await begin(user, bytes.length)
  s3.before = (step) => step !== 'complete'
  assert.equal((await send(user, url, 0, bytes)).status, 503)
  s3.before = () => true
  const row = await server.ctx.db
    .selectFrom('content_resumables')
    .selectAll()
    .where('id', '=', url.split('/').at(-1) ?? '')
    .executeTakeFirstOrThrow()
  const parts = await server.ctx.db
    .selectFrom('content_multiparts')
    .select(['part_number as number', 'etag'])
    .where('resumable_id', '=', row.id)
    .execute()
  // As a process leaves it that completed the upload and was killed.
  const place = { key: row.storage_key ?? '', multipartId: row.multipart_id ?? '' }
  await server.ctx.storage.multiparts?.complete({ ...place, sizeBytes: bytes.length }, parts)
  assert.equal(s3.open.size, 0)
  assert.ok(await itemOf(user, elsewhere(url)))
  assert.equal(await offsetOf(user, elsewhere(url)), bytes.length)
  await assertStored(user, bytes)
})

test(
  'canceled, expired and erased uploads are aborted, a duplicate leaves nothing',
  slow,
  async () => {
    const user = await server.user()
    const bytes = randomBytes(9 * megabyte)
    const start = async (): Promise<string> => {
      const url = await begin(user, bytes.length)
      await send(user, url, 0, bytes.subarray(0, 8 * megabyte))
      await send(user, url, 8 * megabyte, bytes.subarray(8 * megabyte, 8 * megabyte + 1000))
      assert.equal(s3.open.size, 1)
      assert.equal((await storedKeys(server)).length, 1)
      return url
    }
    const canceled = await start()
    await cancel(user, canceled)
    assert.equal(s3.open.size, 0)
    assert.deepEqual(await storedKeys(server), [])

    await start()
    server.clock.offsetMs += 3 * 24 * 3_600_000 + 1
    await sweepUploads(server.ctx)
    await sweepStore(server.ctx)
    server.clock.offsetMs -= 3 * 24 * 3_600_000 + 1
    assert.equal(s3.open.size, 0)
    assert.deepEqual(await storedKeys(server), [])

    await start()
    await eraseContent(server.ctx, user.accountId)
    assert.equal(s3.open.size, 0)
    assert.deepEqual(await storedKeys(server), [])

    assert.equal((await send(user, await begin(user, bytes.length), 0, bytes)).status, 204)
    const keys = await storedKeys(server)
    // Known to the process that received it all, and found by reading where two did.
    for (const split of [0, 8 * megabyte]) {
      const url = await begin(user, bytes.length)
      if (split > 0) await send(user, elsewhere(url), 0, bytes.subarray(0, split))
      const again = await send(user, url, split, bytes.subarray(split))
      assert.equal(again.status, 409)
      assert.equal(((await again.json()) as ErrorAnswer).code, 'duplicate')
      assert.deepEqual(await storedKeys(server), keys)
      assert.equal(s3.open.size, 0)
    }
    await assertStored(user, bytes)
  },
)

test('the last request waits only so long, and the item or the refusal follows', async () => {
  const user = await server.user()
  const bytes = randomBytes(megabyte)
  const uploads = uploadsOf(server.ctx)
  const name = `${user.accountId} ${createHash('sha256').update(bytes).digest('hex')}`
  const waitMs = uploads.maxFinishWaitMs
  for (const expected of [204, 409]) {
    let release = (): void => undefined
    const held = uploads.turns.run(
      name,
      () =>
        new Promise<void>((resolve) => {
          release = resolve
        }),
    )
    uploads.maxFinishWaitMs = 100
    // By two processes, so that only reading it all shows that it is a duplicate.
    const url = await begin(user, bytes.length)
    assert.equal((await send(user, elsewhere(url), 0, bytes.subarray(0, 1000))).status, 204)
    const last = await send(user, url, 1000, bytes.subarray(1000))
    assert.equal(last.status, 204)
    assert.equal(last.headers.get('content-location'), null)
    assert.equal((await head(user, url)).status, 423)
    uploads.maxFinishWaitMs = waitMs
    release()
    await held
    const asked = await send(user, url, bytes.length, Buffer.alloc(0))
    assert.equal(asked.status, expected)
    if (expected === 204) assert.ok(asked.headers.get('content-location'))
    else assert.equal(((await asked.json()) as ErrorAnswer).code, 'duplicate')
  }
  await assertStored(user, bytes)
})

test('one process waits for the item that another makes', async () => {
  const user = await server.user()
  const bytes = randomBytes(1000)
  const url = await begin(user, bytes.length)
  let isHeld = false
  let release = (): void => undefined
  s3.before = (step) => {
    if (step !== 'complete') return true
    isHeld = true
    return new Promise<boolean>((resolve) => {
      release = () => resolve(true)
    })
  }
  const first = send(user, elsewhere(url), 0, bytes)
  await until(() => isHeld)
  assert.equal((await head(user, url)).status, 423)
  const second = send(user, url, bytes.length, Buffer.alloc(0))
  release()
  const [former, two] = [await first, await second]
  const item = await itemOf(user, url)
  assert.equal(two.headers.get('content-location'), item)
  assert.ok([null, item].includes(former.headers.get('content-location')))
  await assertStored(user, bytes)
})

test('a whole upload that nobody asks for any more is finished by the sweep', async () => {
  const user = await server.user()
  const bytes = randomBytes(1000)
  const url = await begin(user, bytes.length)
  s3.before = (step) => step !== 'complete'
  assert.equal((await send(user, url, 0, bytes)).status, 503)
  s3.before = () => true
  await sweepUploads(server.ctx)
  await assertStored(user, bytes)
})
