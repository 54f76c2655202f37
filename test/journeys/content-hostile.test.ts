/** Files made to harm, through the real API: a clear answer, no crash, nothing read or reached. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { deflateSync, crc32 } from 'node:zlib'
import type { ErrorAnswer } from '../../contract/refusal.ts'
import { clipFolder, makeClip } from '../../engine/clips.testing.ts'
import { zip } from '../../engine/documents/files.testing.ts'
import { soundStatus } from '../support/weak-isolation.ts'
import { startTestServer } from '../support/app.ts'
import { isWholeRun } from '../support/slow.ts'
import { tryUpload } from '../support/upload.ts'
import type { UploadAnswer } from '../support/upload.ts'
import { use } from '../support/use.ts'
import { startHttp } from '../support/http.ts'

const server = use(() => startTestServer({ environment: { MAX_MEDIA_SECONDS: '600' } }))
const user = use(() => server.user())

function upload(bytes: Uint8Array | string, name: string): Promise<UploadAnswer> {
  return tryUpload(server, { token: user.token, bytes, name })
}

test('playlists under other names are kept as files and open nothing', async (t) => {
  const folder = await clipFolder(t)
  const secret = await makeClip(folder, '-f lavfi -i testsrc2=d=1:s=64x64 secret.mp4')
  let hits = 0
  const canary = await startHttp((_request, response) => {
    hits += 1
    response.end()
  })
  t.after(() => canary.stop())
  const url = `${canary.url}/clip.mp4`
  const playlists = [
    `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile://${secret}\n#EXT-X-ENDLIST\n`,
    `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${url}\n#EXT-X-ENDLIST\n`,
    `ffconcat version 1.0\nfile ${secret}\n`,
    `# a comment\nfile '${secret}'\n`,
    `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><BaseURL>${url}</BaseURL></Period></MPD>`,
    `v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=video ${canary.port} RTP/AVP 96\r\n`,
    `[playlist]\nFile1=${url}\n`,
    `<svg xmlns="http://www.w3.org/2000/svg"><image href="${url}"/></svg>`,
    `<smil><body><video src="${url}"/></body></smil>`,
  ]
  for (const [index, text] of playlists.entries()) {
    const { status, content } = await upload(text, `clip${index}.mp4`)
    assert.equal(status, 201, text)
    assert.equal(content?.media?.duration ?? 0, 0, text)
    assert.equal(content?.media?.width ?? null, null, text)
    assert.equal(content?.thumbnail_url, null, text)
  }
  assert.equal(hits, 0)
})

test('a picture of 16k × 16k in 31 KB is kept and not decoded', async () => {
  const { status, content } = await upload(pixelBomb(16_384), 'wall.png')
  assert.equal(status, 201)
  assert.equal(content?.check.state, 'refused')
  assert.match(content?.check.message ?? '', /megapixels/)
  assert.equal(content?.thumbnail_url, null)
})

test('a small file that holds hours is refused by its length', async (t) => {
  const folder = await clipFolder(t)
  const clip = await makeClip(
    folder,
    '-f lavfi -i color=s=16x16:r=1/60:d=3600 -c:v mpeg4 -g 600 long.mp4',
  )
  const bytes = await readFile(clip)
  const { status, code, message } = await upload(bytes, 'long.mp4')
  assert.equal(status, 422)
  assert.equal(code, 'too_long')
  assert.match(message ?? '', /longer than/)
})

test('a header that lies about the duration is not believed', async (t) => {
  const folder = await clipFolder(t)
  const clip = await makeClip(folder, '-f lavfi -i testsrc2=d=2:s=64x64:r=25 true.mp4')
  const bytes = await readFile(clip)
  for (const box of ['mvhd', 'mdhd', 'tkhd']) {
    // Version 0 boxes: the duration is the 32-bit word after two dates and, in two, the time scale.
    const at = bytes.indexOf(box)
    bytes.writeUInt32BE(90_000_000, at + 4 + (box === 'tkhd' ? 20 : 16))
  }
  const { status, content, code } = await upload(bytes, 'lie.mp4')
  if (status === 201) assert.ok((content?.media?.duration ?? 99) < 3)
  else assert.equal(code, 'too_long')
})

test('a zip bomb is a file like any other', async () => {
  const { status, content } = await upload(
    zip({ 'word/document.xml': 'a'.repeat(64 * 1024 ** 2) }),
    'bomb.docx',
  )
  assert.equal(status, 201)
  assert.ok(content?.media === null || content?.media?.kind !== 'video')
})

test('truncated and mutated media get an answer each, and the service goes on', async (t) => {
  const folder = await clipFolder(t)
  const makers = [
    '-f lavfi -i testsrc2=d=1:s=96x54 -f lavfi -i sine=d=1 -c:v libx264 -c:a aac a.mp4',
    '-f lavfi -i testsrc2=d=1:s=96x54 -c:v mpeg2video d.ts',
    ...(isWholeRun
      ? ['-f lavfi -i testsrc2=d=1:s=96x54 -c:v libvpx b.webm', '-f lavfi -i sine=d=1 c.wav']
      : []),
  ]
  let seed = 7
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % below
  }
  for (const maker of makers) {
    const clip = await makeClip(folder, maker)
    const whole = await readFile(clip)
    const variants = [
      whole.subarray(0, whole.length >> 1),
      whole.subarray(0, 100),
      ...Array.from({ length: isWholeRun ? 3 : 1 }, () => {
        const mutated = Buffer.from(whole)
        for (let index = 0; index < 40; index += 1) {
          mutated[random(mutated.length)] = random(256)
        }
        return mutated
      }),
    ]
    for (const bytes of variants) {
      const { status, content, message } = await upload(bytes, 'clip.mp4')
      assert.ok([201, 409, 422].includes(status), `${maker}: ${status}`)
      if (status === 201) assert.ok(content?.check.state)
      else assert.ok((message ?? '').length > 10)
    }
  }
  assert.equal((await server.client(null).getHealth()).status, await soundStatus())
})

test('hostile names are stored harmlessly', async () => {
  const names = [
    '<img src=x onerror=alert(1)>.mp4',
    '"; filename="evil.exe',
    '../../../../etc/cron.d/x',
    'a\r\nX-Injected: 1.mov',
    '名前\u202egpj.exe',
    `${'x'.repeat(3000)}.mov`,
  ]
  for (const name of names) {
    const { status, content } = await upload(randomBytes(100), name)
    assert.equal(status, 201, name)
    const response = await server.fetch(`/v1/content/${content?.id}/download`, {
      token: user.token,
    })
    assert.equal(response.headers.get('x-injected'), null)
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment; /)
    assert.ok((content?.file_name.length ?? 999) <= 255)
    assert.doesNotMatch(content?.file_name ?? '', /[/\\\r\n\u202e]/)
  }
})

test('limits and a quota are answered with 413, and nothing is kept', async () => {
  await using strict = await startTestServer({
    environment: { MAX_UPLOAD_BYTES: '100000', ACCOUNT_QUOTA_BYTES: '150000' },
  })
  const { token } = await strict.user()
  const send = (size: number): Promise<UploadAnswer> =>
    tryUpload(strict, { token, bytes: randomBytes(size), name: 'a.bin' })
  const large = await send(100_001)
  assert.equal(large.status, 413)
  assert.match(large.message!, /larger than/)
  assert.equal((await send(5_000_000)).status, 413)
  assert.equal((await send(90_000)).status, 201)
  const full = await send(90_000)
  assert.equal(full.status, 413)
  assert.match(full.message!, /library is full/)
  const objects: string[] = []
  for await (const object of strict.ctx.storage.list('')) objects.push(object.key)
  assert.equal(objects.length, 1)
})

test('uploads under way count against the quota with all that they will bring', async () => {
  await using strict = await startTestServer({
    environment: { MAX_UPLOAD_BYTES: '100000', ACCOUNT_QUOTA_BYTES: '150000' },
  })
  const { token } = await strict.user()
  const begin = (): Promise<Response> =>
    strict.fetch('/v1/content/resumable', {
      method: 'POST',
      token,
      headers: { 'tus-resumable': '1.0.0', 'upload-length': '90000' },
    })
  const first = await begin()
  assert.equal(first.status, 201)
  const second = await begin()
  assert.equal(second.status, 413)
  assert.match(((await second.json()) as ErrorAnswer).message, /uploads under way/)
  const path = new URL(first.headers.get('location') ?? '').pathname
  const headers = { 'tus-resumable': '1.0.0' }
  assert.equal((await strict.fetch(path, { method: 'DELETE', token, headers })).status, 204)
  assert.equal((await begin()).status, 201)
})

/** A white PNG whose rows compress to nothing. */
function pixelBomb(side: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc((side / 8 + 1) * side)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
