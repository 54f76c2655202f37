import assert from 'node:assert/strict'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { clipFolder, makeClip } from '../../engine/clips.testing.ts'
import { openContent } from '../../server/content/open.ts'
import { startTestServer } from '../support/app.ts'
import { use } from '../support/use.ts'
import { startHttp } from '../support/http.ts'

const server = use(startTestServer)
/** Files of the media server, by path. */
const files = new Map<string, { bytes: Buffer; type: string }>()

const media = use(() =>
  startHttp((request, response) => {
    const file = files.get(request.url ?? '')
    if (!file) {
      response.writeHead(404).end()
      return
    }
    const last = Number(/bytes=0-(\d+)/.exec(request.headers.range ?? '')?.[1] ?? NaN)
    const headers = { 'content-type': file.type }
    if (Number.isNaN(last)) {
      response.writeHead(200, { ...headers, 'content-length': file.bytes.length }).end(file.bytes)
      return
    }
    const part = file.bytes.subarray(0, last + 1)
    const range = `bytes 0-${part.length - 1}/${file.bytes.length}`
    response.writeHead(206, { ...headers, 'content-range': range }).end(part)
  }),
)

test('a reference is looked at: type, size and length are known at once', async (t) => {
  const user = await server.user()
  const folder = await clipFolder(t)
  const clip = await makeClip(folder, '-f lavfi -i testsrc2=d=2:s=320x180:r=24 clip.mp4')
  files.set('/rushes/A001.mp4', { bytes: await readFile(clip), type: 'video/mp4' })
  const { content } = await user.client.addReference({
    body: { url: `${media.url}/rushes/A001.mp4#t=1` },
  })
  assert.equal(content.content_type, 'url')
  assert.equal(content.file_name, 'A001.mp4')
  assert.equal(content.canonical_url, `${media.url}/rushes/A001.mp4`)
  assert.equal(content.check.state, 'ready')
  assert.equal(content.mime_type, 'video/mp4')
  assert.equal(content.media?.duration, 2)
  assert.equal(content.media?.frame_rate, '24/1')
  const opened = await openContent(server.ctx, user.accountId, {
    contentUrl: `${media.url}/rushes/A001.mp4`,
  })
  assert.equal(opened.contentId, content.id)
  const file = await opened.localFile()
  assert.ok((await readFile(file.path)).equals(await readFile(clip)))
  await file.release()
  await assert.rejects(
    user.client.createDownloadTicket({ params: { id: content.id } }),
    { status: 404 },
    'only uploads are downloaded',
  )
})

test('of a large file the header is enough', async (t) => {
  const user = await server.user()
  const folder = await clipFolder(t)
  const clip = await makeClip(
    folder,
    '-f lavfi -i testsrc2=d=4:s=640x360:r=25 -c:v rawvideo -pix_fmt yuv420p raw.mkv',
  )
  const bytes = await readFile(clip)
  assert.ok(bytes.length > 16 * 1024 ** 2)
  files.set('/raw.mkv', { bytes, type: 'video/x-matroska' })
  const { content } = await user.client.addReference({ body: { url: `${media.url}/raw.mkv` } })
  assert.equal(content.check.state, 'ready')
  assert.equal(content.file_size, bytes.length)
  assert.equal(content.media?.duration, 4)
})

test('the same address is refused once more, however it is spelled', async () => {
  const [user, other] = [await server.user(), await server.user()]
  files.set('/a.txt', { bytes: Buffer.from('notes'), type: 'text/plain' })
  const add = (who: typeof user, url: string) => who.client.addReference({ body: { url } })
  await add(user, `${media.url}/a.txt`)
  for (const url of [
    `${media.url}/a.txt`,
    ` ${media.url}/./a.txt#x `,
    media.url.replace('http', 'HTTP') + '/a.txt',
  ]) {
    await assert.rejects(add(user, url), (error: { status: number; body: { error: string } }) => {
      assert.equal(error.status, 409)
      assert.equal(error.body.error, 'This URL already exists in your library')
      return true
    })
  }
  await add(other, `${media.url}/a.txt`)
  const parallel = await Promise.allSettled(
    Array.from({ length: 20 }, () => add(user, `${media.url}/parallel.txt`)),
  )
  assert.equal(parallel.filter((item) => item.status === 'fulfilled').length, 1)
})

test('a reference that is merely offline is kept, and reported', async () => {
  const user = await server.user()
  for (const url of [`${media.url}/missing.mov`, 'http://no-such-host.invalid/a.mov']) {
    const { content } = await user.client.addReference({ body: { url, name: '  Day 2 ' } })
    assert.equal(content.check.state, 'unreachable')
    assert.equal(content.file_name, 'Day 2')
    assert.ok(content.check.message)
  }
  files.set('/missing.mov', { bytes: Buffer.from('now it is here'), type: 'text/plain' })
  const opened = await openContent(server.ctx, user.accountId, {
    contentUrl: `${media.url}/missing.mov`,
  })
  const file = await opened.localFile()
  await file.release()
  const { content } = await user.client.getContent({ params: { id: opened.contentId ?? '' } })
  assert.equal(content.check.state, 'ready')
})

test('a web page, a playlist and an empty answer are reported as what they are', async () => {
  const user = await server.user()
  files.set('/page', {
    bytes: Buffer.from('<html><p>Hello</html>'),
    type: 'text/html; charset=utf-8',
  })
  files.set('/list.mp4', {
    bytes: Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\na.ts\n'),
    type: 'video/mp4',
  })
  const look = async (path: string): Promise<string> =>
    (await user.client.addReference({ body: { url: media.url + path } })).content.check.state
  assert.equal(await look('/page'), 'not_media')
  assert.equal(await look('/list.mp4'), 'refused')
})

test('hostile addresses are refused or stay unreachable, and the canary is not hit', async () => {
  await using strict = await startTestServer({ environment: { FETCH_ALLOW_LOOPBACK: '0' } })
  let hits = 0
  await using canary = await startHttp((_request, response) => {
    hits += 1
    response.end('secret')
  })
  const user = await strict.user()
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1', '169.254.169.254']
  const urls = hosts.flatMap((host) => [
    `http://${host}:${canary.port}/`,
    `http://${host}/`,
    `https://${host}/`,
    `http://user:pass@${host}/`,
  ])
  for (const url of urls) {
    await assert.rejects(user.client.addReference({ body: { url } }), { status: 422 }, url)
    await assert.rejects(
      openContent(strict.ctx, user.accountId, { contentUrl: url }),
      { code: 'invalid' },
      url,
    )
  }
  assert.equal(hits, 0)
})

test('YouTube needs yt-dlp: without it a job is refused, with it the video is fetched', async (t) => {
  const user = await server.user()
  const url = 'https://youtu.be/dQw4w9WgXcQ'
  const { content } = await user.client.addReference({ body: { url } })
  assert.equal(content.content_type, 'youtube')
  assert.equal(content.canonical_url, 'https://www.youtube.com/watch?v=dQw4w9WgXcQ')
  assert.equal(content.check.state, 'refused')
  assert.equal(content.file_name, 'YouTube dQw4w9WgXcQ')
  assert.match(content.check.message ?? '', /^YouTube links can be kept here but not analysed yet/)
  await assert.rejects(openContent(server.ctx, user.accountId, { contentUrl: url }), {
    code: 'unsupported_source',
  })
  const folder = await clipFolder(t)
  const clip = await makeClip(folder, '-f lavfi -i testsrc2=d=1:s=64x64 clip.mp4')
  const standIn = join(folder, 'yt-dlp')
  // Answers as yt-dlp does: a description as JSON, or the file where --output says.
  await writeFile(
    standIn,
    `#!/bin/bash
while [ $# -gt 0 ]; do
  [ "$1" = --dump-json ] && { echo '{"title":"A talk","duration":1}'; exit 0; }
  [ "$1" = --output ] && out="$2"
  last="$1"; shift
done
[ "$last" = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' ] && cp '${clip}' "$out"
`,
  )
  await chmod(standIn, 0o755)
  await using able = await startTestServer({ environment: { YT_DLP: standIn } })
  const viewer = await able.user()
  const added = await viewer.client.addReference({ body: { url } })
  assert.equal(added.content.check.state, 'ready')
  assert.equal(added.content.file_name, 'A talk')
  const opened = await openContent(able.ctx, viewer.accountId, { contentId: added.content.id })
  const file = await opened.localFile()
  assert.ok((await readFile(file.path)).equals(await readFile(clip)))
  await file.release()
  // Pages that lead on to an address of the caller's choice are not handed to the tool.
  const leading = 'https://consent.youtube.com/m?continue=http://127.0.0.1:9/secret'
  const led = openContent(able.ctx, viewer.accountId, { contentUrl: leading })
  await assert.rejects(
    led.then((item) => item.localFile()),
    { code: 'unsupported_source' },
  )
})
