/** The S3 path against a real S3 server, with lines that break in the middle. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { openContent } from '../../server/content/open.ts'
import { sweepStore } from '../../server/storage/sweep.ts'
import { startLine } from '../support/throttled-socket.ts'
import type { Line } from '../support/throttled-socket.ts'
import { startTestServer } from '../support/app.ts'
import { giveStoreKeys } from '../support/store-keys.ts'
import type { TestServer, TestUser } from '../support/app.ts'
import { slow } from '../support/slow.ts'
import { storedKeys } from '../support/stored-keys.ts'
import { tryUpload } from '../support/upload.ts'
import type { UploadAnswer } from '../support/upload.ts'
import { startS3 } from '../support/strict-s3.ts'

let s3: Awaited<ReturnType<typeof startS3>>
let line: Line
let server: TestServer

let takeKeysBack = (): void => undefined
before(async () => {
  s3 = await startS3()
  line = await startLine(s3.port)
  takeKeysBack = giveStoreKeys()
  server = await startTestServer({
    environment: {
      STORAGE_URL: `s3://${s3.bucket}/files`,
      S3_ENDPOINT: `http://127.0.0.1:${line.port}`,
    },
  })
})
after(async () => {
  takeKeysBack()
  await server.stop()
  await line.close()
  await s3.stop()
})

function upload({ token }: TestUser, bytes: Uint8Array): Promise<UploadAnswer> {
  return tryUpload(server, { token, bytes, name: 'rushes.mov' })
}

const keys = (): Promise<string[]> => storedKeys(server)

test('an upload of several parts comes back whole, in ranges and as a local file', async () => {
  const user = await server.user()
  // Parts are of 16 MiB; the range lies in two of them.
  const bytes = randomBytes(17 * 1024 ** 2)
  const { status, content } = await upload(user, bytes)
  assert.equal(status, 201)
  const id = content?.id ?? ''
  const { url } = await user.client.createDownloadTicket({ params: { id } })
  const sent = await fetch(url, { redirect: 'manual' })
  assert.equal(sent.status, 302)
  const signed = sent.headers.get('location') ?? ''
  const download = await fetch(signed)
  assert.match(download.headers.get('content-disposition') ?? '', /^attachment; filename="rushes/)
  assert.ok(Buffer.from(await download.arrayBuffer()).equals(bytes))
  const part = await server.fetch(`/v1/content/${id}/download`, {
    token: user.token,
    headers: { range: 'bytes=16777000-16777999' },
  })
  assert.equal(part.status, 206)
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(16_777_000, 16_778_000))
  const opened = await openContent(server.ctx, user.accountId, { contentId: id })
  const file = await opened.localFile()
  assert.ok((await readFile(file.path)).equals(bytes))
  await file.release()
  await assert.rejects(stat(file.path), { code: 'ENOENT' })
  await user.client.deleteContent({ params: { id } })
  assert.deepEqual(await keys(), [])
})

test('a line that breaks in the middle of a part is tried again', slow, async () => {
  const user = await server.user()
  const bytes = randomBytes(40 * 1024 ** 2)
  line.cutAfterBytes = [10 * 1024 ** 2, 5 * 1024 ** 2]
  const { status, content } = await upload(user, bytes)
  assert.equal(status, 201)
  assert.deepEqual(line.cutAfterBytes, [])
  const download = await server.fetch(`/v1/content/${content?.id}/download`, { token: user.token })
  assert.ok(Buffer.from(await download.arrayBuffer()).equals(bytes))
  await user.client.deleteContent({ params: { id: content?.id ?? '' } })
})

test('a store that stays away leaves nothing, and the same upload works later', slow, async () => {
  const user = await server.user()
  const bytes = randomBytes(20 * 1024 ** 2)
  line.cut()
  const failed = await upload(user, bytes)
  assert.equal(failed.status, 503)
  assert.match(failed.message ?? '', /^Our file storage is not responding\./)
  line.restore()
  const { rows } = await server.ctx.pool.query('select storage_key from unowned_objects')
  // Objects that could not be deleted while the store was away are listed for the sweep.
  server.clock.offsetMs += 25 * 3_600_000
  await sweepStore(server.ctx)
  assert.ok(rows.length > 0)
  assert.deepEqual(await keys(), [])
  const left = await server.ctx.pool.query('select 1 from unowned_objects')
  assert.equal(left.rows.length, 0)
  assert.equal((await upload(user, bytes)).status, 201)
})

test('a download while the store is away is answered as such, and works later', async () => {
  const user = await server.user()
  const { content } = await upload(user, randomBytes(1000))
  const path = `/v1/content/${content?.id}/download`
  const ask = { token: user.token, headers: { range: 'bytes=0-9' } }
  line.cut()
  const away = await server.fetch(path, ask)
  assert.equal(away.status, 503)
  assert.equal(away.headers.get('retry-after'), '60')
  line.restore()
  assert.equal((await server.fetch(path, ask)).status, 206)
})

test('a still while the store is away is answered as such too', slow, async () => {
  const user = await server.user()
  const { content } = await user.client.addSample()
  const address = content.thumbnail_url ?? ''
  line.cut()
  assert.equal((await fetch(address)).status, 503)
  line.restore()
  assert.equal((await fetch(address)).status, 200)
  await user.client.deleteContent({ params: { id: content.id } })
})

test('a resumable upload that is whole outlives a store that is away', slow, async () => {
  const user = await server.user()
  const bytes = randomBytes(10_000)
  const tus = { 'tus-resumable': '1.0.0' }
  const begun = await server.fetch('/v1/content/resumable', {
    method: 'POST',
    token: user.token,
    headers: { ...tus, 'upload-length': String(bytes.length) },
  })
  const url = begun.headers.get('location') ?? ''
  const id = url.split('/').at(-1) ?? ''
  // As a process leaves it that took the last byte and was killed before the joining.
  const storage_key = `resumable/${id}-whole`
  const stage = await server.ctx.storage.stage(storage_key)
  await writeFile(stage.path, bytes)
  await stage.commit()
  await server.ctx.db
    .insertInto('content_parts')
    .values({ resumable_id: id, offset_bytes: 0, size_bytes: bytes.length, storage_key })
    .execute()
  // Without a key: it began before parts went to the store's own multipart upload.
  const whole = { offset_bytes: bytes.length, storage_key: null }
  await server.ctx.db.updateTable('content_resumables').set(whole).where('id', '=', id).execute()
  const ask = () => server.fetch(new URL(url).pathname, { ...tusHead, token: user.token })
  const tusHead = { method: 'HEAD', headers: tus }
  line.cut()
  assert.equal((await ask()).status, 503)
  line.restore()
  assert.equal((await ask()).headers.get('upload-offset'), String(bytes.length))
  const { content } = await user.client.listContent({ query: {} })
  assert.equal(content[0]?.file_size, bytes.length)
})

test('a stage that is discarded leaves no local file', async () => {
  const stage = await server.ctx.storage.stage('content/test')
  await writeFile(stage.path, 'bytes')
  await stage.discard()
  await assert.rejects(stat(stage.path), { code: 'ENOENT' })
})
