import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ERRORS, MemoryLocker } from '@tus/server'
import type { ErrorAnswer } from '../../contract/refusal.ts'
import { sweepUploads } from '../../server/uploads/retention.ts'
import { openApiDocument } from '../../server/http/openapi.ts'
import { sweepStore } from '../../server/storage/sweep.ts'
import { startApiProcess } from '../support/api-process.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import {
  begin as beginUpload,
  cancel,
  head,
  send,
  sendAndBreak,
  tus,
} from '../support/resumable.ts'
import { slow } from '../support/slow.ts'
import { storedKeys } from '../support/stored-keys.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

const server = use(startTestServer)

const begin = (user: TestUser, sizeBytes: number) => beginUpload(server, user, sizeBytes)

/** Hash of the account's only item, as it was stored. */
async function hashOf(user: TestUser): Promise<Buffer | null> {
  const row = await server.ctx.db
    .selectFrom('content')
    .select('sha256')
    .where('account_id', '=', user.accountId)
    .executeTakeFirstOrThrow()
  return row.sha256
}

test('a broken connection keeps what arrived, and the upload goes on from there', async () => {
  const user = await server.user()
  const bytes = randomBytes(2_000_000)
  const url = await begin(user, bytes.length)
  const before = await storedBytes()
  const first = { offset: 0, bytes: bytes.subarray(0, 1_200_000) }
  await sendAndBreak(user, url, first, () => until(storedBytes, (stored) => stored > before))
  const offset = await offsetAbove(user, url, 0)
  assert.ok(offset > 0 && offset <= 1_200_000)
  const last = await send(user, url, offset, bytes.subarray(offset))
  assert.equal(last.status, 204)
  assert.equal(last.headers.get('upload-offset'), String(bytes.length))
  const { content } = await user.client.listContent({ query: {} })
  assert.equal(content.length, 1)
  assert.equal(content[0]?.file_name, 'rushes.mov')
  assert.equal(last.headers.get('content-location'), `${server.url}/v1/content/${content[0]?.id}`)
  const download = await server.fetch(`/v1/content/${content[0]?.id}/download`, {
    token: user.token,
  })
  assert.deepEqual(Buffer.from(await download.arrayBuffer()), bytes)
  assert.deepEqual(await hashOf(user), createHash('sha256').update(bytes).digest())
  assert.ok((await storedKeys(server)).every((key) => key.startsWith('content/')))
  assert.equal((await head(user, url)).headers.get('upload-offset'), String(bytes.length))
})

test('processes take turns: each PATCH may reach another one', slow, async () => {
  const user = await server.user()
  await using other = await startApiProcess(server)
  const bytes = randomBytes(300_000)
  const url = await begin(user, bytes.length)
  const elsewhere = url.replace(server.url, other.url)
  assert.equal((await send(user, elsewhere, 0, bytes.subarray(0, 100_000))).status, 204)
  assert.equal((await send(user, url, 100_000, bytes.subarray(100_000, 200_000))).status, 204)
  assert.equal((await head(user, elsewhere)).headers.get('upload-offset'), '200000')
  assert.equal((await send(user, elsewhere, 200_000, bytes.subarray(200_000))).status, 204)
  assert.deepEqual(await hashOf(user), createHash('sha256').update(bytes).digest())
})

test('of ten PATCHes at one offset one wins, and the file is whole', async () => {
  const user = await server.user()
  const bytes = randomBytes(50_000)
  const url = await begin(user, bytes.length)
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(user, url, 0, bytes)))
  const statuses = answers.map((answer) => answer.status)
  assert.ok(statuses.includes(204), String(statuses))
  assert.ok(
    statuses.every((status) => [204, 400, 409].includes(status)),
    String(statuses),
  )
  const { content } = await user.client.listContent({ query: {} })
  assert.equal(content[0]?.file_size, bytes.length)
  assert.equal(content.length, 1)
})

test('an upload whose process died over the joining is finished by the next HEAD', async () => {
  const user = await server.user()
  const bytes = randomBytes(10_000)
  const url = await begin(user, bytes.length)
  await send(user, url, 0, bytes.subarray(0, 9999))
  const id = url.split('/').at(-1) ?? ''
  // As a process leaves it that took the last byte and was killed.
  const key = `resumable/${id}-9999-killed`
  const stage = await server.ctx.storage.stage(key)
  await writeFile(stage.path, bytes.subarray(9999))
  await stage.commit()
  await server.ctx.db
    .insertInto('content_parts')
    .values({ resumable_id: id, offset_bytes: 9999, size_bytes: 1, storage_key: key })
    .execute()
  const dead = new Date(Date.now() + 60_000)
  const change = { offset_bytes: bytes.length, finishing_until: dead }
  await server.ctx.db.updateTable('content_resumables').set(change).where('id', '=', id).execute()
  assert.equal((await head(user, url)).status, 423)
  server.clock.offsetMs += 61_000
  assert.equal((await head(user, url)).headers.get('upload-offset'), String(bytes.length))
  const { content } = await user.client.listContent({ query: {} })
  assert.equal(content[0]?.file_size, bytes.length)
})

test('a duplicate is reported when the last byte arrives, and nothing of it stays', async () => {
  const user = await server.user()
  const bytes = randomBytes(10_000)
  await send(user, await begin(user, bytes.length), 0, bytes)
  const keys = await storedKeys(server)
  const url = await begin(user, bytes.length)
  const answer = await send(user, url, 0, bytes)
  assert.equal(answer.status, 409)
  const body = (await answer.json()) as ErrorAnswer
  assert.equal(body.error, 'This file already exists in your library')
  assert.equal(body.code, 'duplicate')
  assert.deepEqual(await storedKeys(server), keys)
  assert.equal((await head(user, url)).status, 404)
})

test('another account, an expired upload and a canceled one find nothing', async () => {
  const [user, other] = [await server.user(), await server.user()]
  const bytes = randomBytes(1000)
  const url = await begin(user, bytes.length)
  assert.equal((await head(other, url)).status, 404)
  assert.equal((await send(other, url, 0, bytes)).status, 404)
  await send(user, url, 0, bytes.subarray(0, 500))
  const keys = await storedKeys(server)
  assert.ok(keys.some((key) => key.startsWith('resumable/')))
  const canceled = await begin(user, 100)
  assert.equal((await cancel(user, canceled)).status, 204)
  assert.equal((await head(user, canceled)).status, 404)
  const before = server.clock.offsetMs
  server.clock.offsetMs += 3 * 24 * 3_600_000 + 1
  assert.equal((await head(user, url)).status, 410)
  await sweepUploads(server.ctx)
  await sweepStore(server.ctx)
  assert.equal((await head(user, url)).status, 404)
  server.clock.offsetMs = before
  assert.ok((await storedKeys(server)).every((key) => !key.startsWith('resumable/')))
})

test('wrong requests of the protocol are refused in the shape of every error', async () => {
  const user = await server.user()
  const url = await begin(user, 1000)
  const post = (headers: Record<string, string>): Promise<Response> =>
    server.fetch('/v1/content/resumable', { method: 'POST', token: user.token, headers })
  const cases: [Promise<Response>, number][] = [
    [post({ 'upload-length': '5' }), 412],
    [post({ ...tus }), 400],
    [post({ ...tus, 'upload-length': '-5' }), 400],
    [post({ ...tus, 'upload-length': '0' }), 422],
    [post({ ...tus, 'upload-length': String(11 * 1024 ** 3) }), 413],
    [post({ ...tus, 'upload-length': '5', 'upload-metadata': 'a b c' }), 400],
    [post({ ...tus, 'upload-defer-length': '1' }), 400],
    [send(user, url, 5, randomBytes(10)), 409],
    [send(user, url, 0, randomBytes(1001)), 413],
    [send(user, `${url}x`, 0, randomBytes(10)), 404],
  ]
  for (const [index, [answer, status]] of cases.entries()) {
    const response = await answer
    assert.equal(response.status, status, `case ${index}`)
    const body = (await response.json()) as ErrorAnswer
    assert.equal(body.message, body.error)
    assert.ok(body.message.length > 5)
  }
  const large = await post({ ...tus, 'upload-length': String(11 * 1024 ** 3) })
  const { message } = (await large.json()) as ErrorAnswer
  assert.match(message, /^The file is larger than 10(\.0)? GB, the limit here\.$/)
})

test('an upload that another request holds answers 423, in the shape of every error', async (t) => {
  const user = await server.user()
  const url = await begin(user, 1000)
  t.mock.method(MemoryLocker.prototype, 'newLock', () => ({
    lock: () => Promise.reject(ERRORS.ERR_LOCK_TIMEOUT),
    unlock: () => Promise.resolve(),
  }))
  const answer = await send(user, url, 0, randomBytes(10))
  assert.equal(answer.status, 423)
  assert.equal(answer.headers.get('retry-after'), '2')
  assert.equal(((await answer.json()) as ErrorAnswer).code, 'locked')
})

test('the reference declares the answers of the protocol', () => {
  const { paths } = openApiDocument(server.ctx.config) as {
    paths: Record<string, Record<string, { responses: object }>>
  }
  const declared = (path: string, method: string): string[] =>
    Object.keys(paths[path]?.[method]?.responses ?? {}).filter((status) =>
      ['412', '423', '507'].includes(status),
    )
  const address = '/v1/content/resumable/{id}'
  assert.deepEqual(declared('/v1/content/resumable', 'post'), ['412', '507'])
  assert.deepEqual(declared(address, 'patch'), ['412', '423', '507'])
  assert.deepEqual(declared(address, 'head'), ['412', '423', '507'])
  assert.deepEqual(declared(address, 'delete'), ['412', '423'])
})

/** All that the service has written to its disk so far. */
async function storedBytes(): Promise<number> {
  const { dataDir } = server.ctx.config
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) => stat(join(entry.parentPath, entry.name)).then(({ size }) => size))
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** The service's offset once it has noticed that the connection is gone. */
async function offsetAbove(user: TestUser, url: string, offset: number): Promise<number> {
  return until(
    async () => Number((await head(user, url)).headers.get('upload-offset')),
    (reached) => reached > offset,
  )
}
