import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ErrorAnswer } from '../../contract/refusal.ts'
import { clipFolder, makeClip } from '../../engine/clips.testing.ts'
import { touchContent } from '../../server/content/open.ts'
import { keepRetention } from '../../server/privacy/retention.ts'
import { startApiProcess } from '../support/api-process.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { isWholeRun, slow } from '../support/slow.ts'
import { until } from '../support/until.ts'
import { tryUpload } from '../support/upload.ts'
import type { UploadAnswer } from '../support/upload.ts'
import { use } from '../support/use.ts'

const server = use(startTestServer)

function upload(
  { token }: TestUser,
  bytes: Uint8Array | string,
  name = 'clip.bin',
  to: { url: string } = server,
  idempotencyKey?: string,
): Promise<UploadAnswer> {
  return tryUpload(to, { token, bytes, name, idempotencyKey })
}

/** Every file that the storage holds, finished or not. */
async function storedFiles(service = server): Promise<string[]> {
  const root = join(service.ctx.config.dataDir, 'files')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

test('an upload sent again under its key gets its first answer, and leaves nothing twice', async () => {
  const user = await server.user()
  const bytes = randomBytes(5000)
  const send = (name: string, content = bytes) => upload(user, content, name, server, 'key-1')
  const first = await send('a.bin')
  const stored = (await storedFiles()).length
  const again = await Promise.all([send('a.bin'), send('a.bin')])
  assert.equal(first.status, 201)
  assert.deepEqual(again, [first, first])
  assert.equal((await storedFiles()).length, stored)
  for (const other of [await send('b.bin'), await send('a.bin', randomBytes(5000))]) {
    assert.deepEqual([other.status, other.code], [422, 'idempotency_mismatch'])
  }
  assert.equal((await storedFiles()).length, stored)
  assert.equal((await upload(user, bytes)).status, 409)
})

test('a sidecar of a camera is no document to quote, and footage that cannot be read says why', async () => {
  const user = await server.user()
  const text = '<?xml version="1.0"?><Clip>It was written beside a clip.</Clip>'
  for (const ending of ['XML', 'thm', 'LRV', 'CPF', 'BIM', 'MIF', 'SMI', 'RSV', 'PPN']) {
    const { content } = await upload(user, `${text} ${ending}`, `C0001M01.${ending}`)
    assert.equal(content?.check.state, 'not_media', ending)
    const body = { content_id: content?.id ?? '', workflow: 'ffprobe' }
    await assert.rejects(user.client.quoteJob({ body }), { code: 'unsupported_source' }, ending)
  }
  const { content } = await upload(user, randomBytes(3000), 'A001_C003.MP4')
  assert.deepEqual(content?.check, {
    state: 'refused',
    message: 'This file is damaged or incomplete. Copy it from the card again, then retry.',
  })
  const failed = await user.client.listContent({ query: { analysed: 'failed' } })
  assert.deepEqual(
    failed.content.map((item) => item.id),
    [content.id],
  )
})

test('an upload is probed at once and has a still, and its bytes come back', async (t) => {
  const user = await server.user()
  const folder = await clipFolder(t)
  const clip = await makeClip(
    folder,
    '-f lavfi -i testsrc2=s=320x180:r=30000/1001:d=3 -timecode 01:00:00;00 clip.mov',
  )
  const bytes = await readFile(clip)
  const { status, content } = await upload(user, bytes, 'A cam – Übergabe.mov')
  assert.equal(status, 201)
  assert.ok(content)
  assert.equal(content.content_type, 'upload')
  assert.equal(content.file_name, 'A cam – Übergabe.mov')
  assert.equal(content.file_size, bytes.length)
  assert.equal(content.media?.frame_rate, '30000/1001')
  assert.equal(content.media?.start_timecode, '01:00:00;00')
  assert.equal(content.media?.frames, 90)
  assert.equal(content.check.state, 'ready')
  assert.ok(content.canonical_url.startsWith(`${server.url}/v1/content/${content.id}`))
  const still = await fetch(content.thumbnail_url ?? '')
  assert.equal(still.headers.get('content-type'), 'image/jpeg')
  assert.equal(Buffer.from(await still.arrayBuffer()).readUInt16BE(0), 0xffd8)
  const { url } = await user.client.createDownloadTicket({ params: { id: content.id } })
  const download = await fetch(url)
  assert.equal(download.status, 200)
  assert.deepEqual(Buffer.from(await download.arrayBuffer()), bytes)
  assert.equal(
    download.headers.get('content-disposition'),
    'attachment; filename="A cam _ _bergabe.mov"; filename*=UTF-8\'\'A%20cam%20%E2%80%93%20%C3%9Cbergabe.mov',
  )
  assert.equal(download.headers.get('x-content-type-options'), 'nosniff')
  assert.match(download.headers.get('content-security-policy') ?? '', /sandbox/)
})

test('the same file is refused in the same library only, and may come back after deletion', async () => {
  const [user, other] = [await server.user(), await server.user()]
  const bytes = randomBytes(5000)
  const first = await upload(user, bytes)
  assert.equal(first.status, 201)
  const again = await upload(user, bytes, 'another name.bin')
  assert.equal(again.status, 409)
  assert.equal(again.error, 'This file already exists in your library')
  assert.equal(again.code, 'duplicate')
  assert.equal((await upload(other, bytes)).status, 201)
  await user.client.deleteContent({ params: { id: first.content?.id ?? '' } })
  assert.equal((await upload(user, bytes)).status, 201)
})

test('of 100 parallel uploads of one file one is kept and 99 are duplicates', async () => {
  const [user, other] = [await server.user(), await server.user()]
  const before = (await storedFiles()).length
  const bytes = randomBytes(20_000)
  const answers = await Promise.all(Array.from({ length: 100 }, () => upload(user, bytes)))
  const statuses = answers.map((answer) => answer.status)
  assert.equal(statuses.filter((status) => status === 201).length, 1)
  assert.equal(statuses.filter((status) => status === 409).length, 99)
  assert.equal((await user.client.listContent({ query: {} })).content.length, 1)
  assert.equal((await storedFiles()).length, before + 1)
  assert.equal((await upload(other, bytes)).status, 201)
})

test(
  'of uploads of one file by two processes one is kept, the others are duplicates',
  slow,
  async () => {
    const user = await server.user()
    await using second = await startApiProcess(server)
    const bytes = randomBytes(20_000)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        upload(user, bytes, 'a.bin', at % 2 === 0 ? server : second),
      ),
    )
    const statuses = answers.map((answer) => answer.status).sort((a, b) => a - b)
    assert.deepEqual(statuses, [201, ...Array.from({ length: 9 }, () => 409)])
  },
)

test('an aborted upload leaves nothing, at whatever byte it ends', async () => {
  const user = await server.user()
  const before = await storedFiles()
  const bytes = randomBytes(3_000_000)
  const count = isWholeRun ? 50 : 15
  const abort = new AbortController()
  const sending = Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const cutAt = Math.floor((bytes.length / count) * index) + 1
      const body = (async function* () {
        yield Buffer.from(
          '--b\r\ncontent-disposition: form-data; name="file"; filename="a.mov"\r\n\r\n',
        )
        for (let at = 0; at < cutAt; at += 65_536)
          yield bytes.subarray(at, Math.min(at + 65_536, cutAt))
        await new Promise((resolve) => abort.signal.addEventListener('abort', resolve))
      })()
      const sent = server.fetch('/v1/content/upload', {
        method: 'POST',
        token: user.token,
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
        body: body as unknown as BodyInit,
        duplex: 'half',
        signal: abort.signal,
      } as RequestInit)
      await assert.rejects(sent)
    }),
  )
  // Each of them has a file by now; nothing would be left of an upload that had not begun.
  await until(async () => (await storedFiles()).length === before.length + count)
  abort.abort()
  await sending
  await until(async () => {
    const { rows } = await server.ctx.pool.query('select 1 from unowned_objects')
    return rows.length === 0 && (await storedFiles()).length === before.length
  })
  assert.deepEqual(await storedFiles(), before)
  assert.equal((await user.client.listContent({ query: {} })).content.length, 0)
})

test('forms without a file, without a boundary or of another kind are refused with a sentence', async () => {
  const { token } = await server.user()
  const send = async (type: string, body: string): Promise<[number, ErrorAnswer]> => {
    const response = await server.fetch('/v1/content/upload', {
      method: 'POST',
      token,
      headers: { 'content-type': type },
      body,
    })
    return [response.status, (await response.json()) as ErrorAnswer]
  }
  const cases: [string, string, number][] = [
    ['application/json', '{}', 415],
    ['multipart/form-data', 'x', 415],
    ['multipart/form-data; boundary=', 'x', 400],
    ['multipart/form-data; boundary=b', 'no part at all', 400],
    [
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="x"\r\n\r\n1\r\n--b--',
      400,
    ],
    [
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\ncut',
      400,
    ],
    [
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n\r\n--b--',
      422,
    ],
  ]
  for (const [type, body, wanted] of cases) {
    const [status, answer] = await send(type, body)
    assert.equal(status, wanted, `${type}: ${body}`)
    assert.ok(answer.message.length > 10)
    assert.equal(answer.message, answer.error)
  }
})

test('random ranges give exactly those bytes, and impossible ones 416', async () => {
  const user = await server.user()
  const bytes = randomBytes(300_000)
  const { content } = await upload(user, bytes)
  const path = `/v1/content/${content?.id}/download`
  const ask = (range: string): Promise<Response> =>
    server.fetch(path, { token: user.token, headers: { range } })
  const end = bytes.length - 1
  for (const edge of [
    `bytes=0-${end}`,
    `bytes=5-${end}`,
    `bytes=5-${end + 9}`,
    `bytes=${end}-${end}`,
  ]) {
    const [, first = '', last = ''] = /(\d+)-(\d+)/.exec(edge) ?? []
    const wanted = bytes.subarray(Number(first), Number(last) + 1)
    const answer = await ask(edge)
    assert.equal(answer.status, 206, edge)
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), wanted, edge)
  }
  for (let index = 0; index < (isWholeRun ? 200 : 60); index += 1) {
    const first = Math.floor(Math.random() * bytes.length)
    const last = first + Math.floor(Math.random() * (bytes.length - first))
    const kind = index % 4
    const header =
      kind === 0 ? `bytes=${first}-` : kind === 1 ? `bytes=-${first + 1}` : `bytes=${first}-${last}`
    const wanted =
      kind === 0
        ? bytes.subarray(first)
        : kind === 1
          ? bytes.subarray(-(first + 1))
          : bytes.subarray(first, last + 1)
    const answer = await ask(header)
    assert.equal(answer.status, 206, header)
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), wanted)
    const start = bytes.length - wanted.length
    const from = kind === 1 ? start : first
    assert.equal(
      answer.headers.get('content-range'),
      `bytes ${from}-${from + wanted.length - 1}/${bytes.length}`,
    )
  }
  for (const header of [`bytes=${bytes.length}-`, 'bytes=-0']) {
    const answer = await ask(header)
    assert.equal(answer.status, 416)
    assert.equal(answer.headers.get('content-range'), `bytes */${bytes.length}`)
  }
  for (const header of ['bytes=0-1,5-9', 'bytes=9-3', 'lines=1-2', 'bytes=-']) {
    const answer = await ask(header)
    assert.equal(answer.status, 200, header)
    assert.equal((await answer.arrayBuffer()).byteLength, bytes.length)
  }
  const stale = await server.fetch(path, {
    token: user.token,
    headers: { range: 'bytes=0-9', 'if-range': '"other"' },
  })
  assert.equal(stale.status, 200)
})

test('a ticket opens one object for 60 seconds, for its own account', async () => {
  const [user, other] = [await server.user(), await server.user()]
  const { content } = await upload(user, randomBytes(1000))
  const { content: second } = await upload(user, randomBytes(1000))
  const id = content?.id ?? ''
  const { url } = await user.client.createDownloadTicket({ params: { id } })
  const otherObject = url.replace(id, second?.id ?? '')
  assert.equal((await fetch(otherObject)).status, 401)
  assert.equal((await fetch(url.replace('/download', '/thumbnail'))).status, 401)
  assert.equal((await fetch(`${url}x`)).status, 401)
  await assert.rejects(other.client.createDownloadTicket({ params: { id } }), { status: 404 })
  for (const path of [`/v1/content/${id}`, `/v1/content/${id}/download`]) {
    assert.equal((await server.fetch(path, { token: other.token })).status, 404)
  }
  await assert.rejects(other.client.deleteContent({ params: { id } }), { status: 404 })
  assert.equal((await fetch(url)).status, 200)
  server.clock.offsetMs += 61_000
  assert.equal((await fetch(url)).status, 401)
})

test('an upload plays by its own address for hours, in parts, and never as a page', async (t) => {
  const user = await server.user()
  const { content } = await upload(user, '<script>alert(1)</script>', 'page.html')
  const params = { id: content?.id ?? '' }
  const { url } = await user.client.createPlayTicket({ params })
  server.clock.offsetMs += 3 * 3600_000
  const part = await fetch(url, { headers: { range: 'bytes=0-7' } })
  assert.deepEqual([part.status, await part.text()], [206, '<script>'])
  assert.equal(part.headers.get('content-type'), 'application/octet-stream')
  assert.equal(part.headers.get('x-content-type-options'), 'nosniff')
  const film = await makeClip(await clipFolder(t), '-f lavfi -i testsrc2=d=1:s=64x64 film.mp4')
  const { content: clip } = await upload(user, await readFile(film), 'film.mp4')
  const playing = await user.client.createPlayTicket({ params: { id: clip?.id ?? '' } })
  assert.equal((await fetch(playing.url)).headers.get('content-type'), 'video/mp4')
  server.clock.offsetMs += 2 * 3600_000
  assert.equal((await fetch(url)).status, 401)
})

test('a bearer header decides over a ticket beside it', async () => {
  const [user, other] = [await server.user(), await server.user()]
  const { content } = await upload(user, randomBytes(1000))
  const id = content?.id ?? ''
  const useless = `/v1/content/${id}/download?ticket=useless`
  assert.equal((await server.fetch(useless, { token: user.token })).status, 200)
  assert.equal((await server.fetch(useless, { token: other.token })).status, 404)
  const { url } = await user.client.createDownloadTicket({ params: { id } })
  const withHeader = (authorization: string): Promise<Response> =>
    fetch(url, { headers: { authorization } })
  assert.equal((await withHeader('Bearer useless')).status, 401)
  assert.equal((await withHeader('Basic cHJveHk6cHJveHk=')).status, 200)
})

test('the list is newest first and pages by a cursor', async () => {
  const user = await server.user()
  const ids: string[] = []
  for (let index = 0; index < 5; index += 1) {
    const { content } = await upload(user, `file ${index}`, `${index}.txt`)
    ids.unshift(content?.id ?? '')
  }
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await user.client.listContent({ query: { limit: 2, cursor } })
    seen.push(...page.content.map((item) => item.id))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  assert.deepEqual(seen, ids)
  await assert.rejects(user.client.listContent({ query: { cursor: 'bm9uc2Vuc2U' } }), {
    status: 422,
  })
})

test('content unused for 90 days goes with its bytes; one in a job or downloaded stays', async () => {
  await using own = await startTestServer()
  const user = await own.user()
  const [kept, fetched, gone] = [
    await upload(user, 'kept', 'kept.txt', own),
    await upload(user, 'fetched', 'fetched.txt', own),
    await upload(user, 'gone', 'gone.txt', own),
  ]
  own.clock.offsetMs = 20 * 24 * 3_600_000
  await touchContent(own.ctx, kept.content?.id ?? '')
  const params = { id: fetched.content?.id ?? '' }
  const { url } = await user.client.createDownloadTicket({ params })
  assert.equal(await (await fetch(url)).text(), 'fetched')
  own.clock.offsetMs = 91 * 24 * 3_600_000
  assert.equal((await keepRetention(own.ctx)).content, 1)
  assert.equal((await keepRetention(own.ctx)).content, 0)
  const rows = await own.ctx.db.selectFrom('content').select('id').execute()
  const left = [kept.content?.id ?? '', fetched.content?.id ?? ''].sort()
  assert.deepEqual(rows.map(({ id }) => id).sort(), left)
  assert.ok(gone.content)
  assert.deepEqual((await storedFiles(own)).sort(), left)
})
