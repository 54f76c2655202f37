/** Quotes read both ends of an address, the pages of a document, nothing of a riddle. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { clipFolder, makeClip } from '../../engine/clips.testing.ts'
import { startWorking } from '../../server/runs/work.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { slow } from '../support/slow.ts'
import { addWaitingJobs } from '../support/waiting-jobs.ts'
import { use } from '../support/use.ts'
import { startHttp } from '../support/http.ts'
import { uploadFile } from '../support/upload.ts'
import { jobEnd } from '../support/job-app.ts'

const mebibyte = 1024 ** 2

/** Noise, but the same each time: by chance, noise can look like the beginning of something. */
const riddleBytes = Buffer.concat(
  Array.from({ length: 80 }, (_, n) => createHash('sha512').update(`riddle ${n}`).digest()),
)

describe('waiting jobs', () => {
  it('are 2,000 of one account at most', async () => {
    await using server = await startTestServer()
    const [user, other] = [await server.user(), await server.user()]
    await addWaitingJobs(server, user, 1999)
    const place = async ({ client, token }: TestUser): Promise<string> => {
      const content = await uploadFile(server, token, 'Notes.', 'notes.txt')
      const body = { content_id: content.id, workflow: 'ffprobe' }
      return (await client.createJob({ body })).job.id
    }
    await place(user)
    const { content } = await user.client.listContent({ query: {} })
    const body = { content_id: content[0]?.id, workflow: 'ffprobe' }
    const { balance } = await user.client.getMe()
    await assert.rejects(user.client.createJob({ body }), {
      code: 'rate_limited',
      message: /^You have 2,000 queued jobs, the limit/,
    })
    assert.deepEqual((await user.client.getMe()).balance, balance, 'nothing is held for it')
    await place(other)
  })
})

describe('quotes', { timeout: 240_000 }, () => {
  const server = use(startTestServer)
  use(() => startWorking(server.ctx, { slots: 1 }))
  let sentBytes = 0
  let knowsRanges = true
  const files = new Map<string, Buffer>()

  const shelf = use(() =>
    startHttp((request, response) => {
      const bytes = files.get(request.url ?? '') ?? Buffer.alloc(0)
      const range = knowsRanges && /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '')
      const [first, last] = range ? [Number(range[1]), Number(range[2])] : [0, bytes.length]
      const part = bytes.subarray(first, last + 1)
      sentBytes += part.length
      if (!range) response.writeHead(200, { 'content-length': part.length }).end(part)
      else {
        const place = `bytes ${first}-${first + part.length - 1}/${bytes.length}`
        response.writeHead(206, { 'content-range': place }).end(part)
      }
    }),
  )

  it('reads only the two ends of a large file whose length is known', slow, async (t) => {
    const user = await server.user()
    const folder = await clipFolder(t)
    const source = '-f lavfi -i testsrc2=d=7:s=480x270:r=25'
    // The index of the first stands at its very end; the second's length is its last timestamp.
    const paths = await Promise.all([
      makeClip(folder, `${source} -c:v rawvideo -pix_fmt uyvy422 late.mov`),
      makeClip(folder, `${source} -c:v mpeg2video -q:v 1 -g 1 -muxrate 50M stream.ts`),
    ])
    for (const path of paths) {
      const name = `/${path.split('/').at(-1)}`
      const bytes = await readFile(path)
      assert.ok(bytes.length > 30 * mebibyte, `${name} has ${bytes.length} bytes`)
      files.set(name, bytes)
      sentBytes = 0
      const body = { content_url: shelf.url + name, workflow: 'shots' }
      const { quote } = await user.client.quoteJob({ body })
      assert.equal(quote.seconds, 7, name)
      assert.ok(sentBytes <= 25 * mebibyte, `${name}: ${sentBytes} bytes were sent`)
    }
  })

  it('fetches a file whose ends do not tell, where the server knows no ranges', async (t) => {
    const user = await server.user()
    const folder = await clipFolder(t)
    const source = '-f lavfi -i testsrc2=d=2:s=480x270:r=25'
    const clip = await makeClip(folder, `${source} -c:v rawvideo -pix_fmt uyvy422 late.mov`)
    files.set('/whole.mov', await readFile(clip))
    knowsRanges = false
    const body = { content_url: `${shelf.url}/whole.mov`, workflow: 'shots' }
    const { quote } = await user.client.quoteJob({ body })
    knowsRanges = true
    assert.equal(quote.seconds, 2)
  })

  it('charges what there was when an address sends less than was quoted', async (t) => {
    const user = await server.user()
    const folder = await clipFolder(t)
    const makeFile = (seconds: number): Promise<string> =>
      makeClip(folder, `-f lavfi -i testsrc2=d=${seconds}:s=64x36:r=10 ${seconds}.mp4`)
    files.set('/changing.mp4', await readFile(await makeFile(6)))
    const body = { content_url: `${shelf.url}/changing.mp4`, workflow: 'shots' }
    const { quote } = await user.client.quoteJob({ body })
    assert.equal(quote.total_usd, 0.018)
    files.set('/changing.mp4', await readFile(await makeFile(2)))
    const { job } = await user.client.createJob({ body })
    assert.equal(job.held_usd, 0.018)
    const ended = await jobEnd(user, job.id)
    assert.deepEqual([ended.status, ended.seconds, ended.cost_usd], ['completed', 2, 0.006])
    assert.equal((await user.client.getMe()).account_balance_usd, 5 - 0.006)
  })

  it('charges sound that goes on after the last frame as quoted, and hears it', slow, async (t) => {
    const user = await server.user()
    const sources = '-f lavfi -i testsrc2=r=25:s=64x36:d=2 -f lavfi -i sine=d=7'
    const clip = await makeClip(await clipFolder(t), `${sources} -c:v libx264 -c:a aac long.mp4`)
    const content = await uploadFile(server, user.token, await readFile(clip), 'long.mp4')
    const body = { content_id: content.id, workflow: 'thumbnail' }
    const { quote } = await user.client.quoteJob({ body })
    const { job } = await user.client.createJob({ body })
    const ended = await jobEnd(user, job.id)
    assert.equal(ended.seconds, quote.seconds)
    assert.equal(ended.cost_usd, quote.total_usd)
    const { results } = await user.client.getJobResults({ params: { id: job.id }, query: {} })
    assert.equal(Math.round((results.thumbnail?.waveform?.count ?? 0) / 100), 7)
  })

  it('a document costs a second a page, and its words are found on their page', async () => {
    const user = await server.user()
    const filler = 'The unit waits for the light to come back over the water. '
    const pages = [0, 1, 2].map((page) => `Scene ${page + 1}. ${filler.repeat(29)}\n`)
    pages[2] = `${pages[2]} The ferryman refuses to cross.`
    const content = await uploadFile(server, user.token, pages.join(''), 'script.txt')
    assert.equal(content.media?.kind, 'document')
    const count = content.media?.pages ?? 0
    assert.ok(count >= 3, `${count} pages`)
    const body = { content_id: content.id, workflow: 'ffprobe,shots' }
    const { quote } = await user.client.quoteJob({ body })
    assert.equal(quote.seconds, count)
    assert.equal(quote.total_usd, count / 1000)
    assert.deepEqual(
      quote.lines.map((line) => [line.extractor, line.applies]),
      [
        ['ffprobe', true],
        ['shots', false],
      ],
    )
    const { job } = await user.client.createJob({ body })
    const ended = await jobEnd(user, job.id)
    assert.equal(ended.status, 'completed')
    assert.equal(ended.cost_usd, count / 1000)
    assert.equal((await user.client.getMe()).account_balance_usd, 5 - count / 1000)
    const { results } = await user.client.getJobResults({ params: { id: job.id }, query: {} })
    const { document } = results.ffprobe ?? {}
    assert.equal(document?.format, 'text')
    assert.match(document?.text[0] ?? '', /^Scene 1\. The unit waits/)
    assert.equal(document?.text.length, count)
    const { hits } = await user.client.search({ query: { q: 'ferryman' } })
    assert.equal(hits.length, 1)
    assert.equal(hits[0]?.kind, 'text')
    assert.equal(hits[0]?.timecode, `page ${count}`)
  })

  it('a file that no extractor can read is refused at the quote, and nothing is created', async () => {
    const user = await server.user()
    const script = await uploadFile(server, user.token, 'Scene 1, take 2', 'notes.txt')
    const riddle = await uploadFile(server, user.token, riddleBytes, 'riddle.bin')
    for (const [content, words] of [
      [script, /^This is a document: only Metadata \(ffprobe\) can read it/],
      [riddle, /^We can’t read this file/],
    ] as const) {
      const body = { content_id: content.id, workflow: 'shots,transcription' }
      const refused = { status: 422, code: 'unsupported_source', message: words }
      await assert.rejects(user.client.quoteJob({ body }), refused)
      await assert.rejects(user.client.createJob({ body }), refused)
    }
    assert.deepEqual((await user.client.listJobs({ query: {} })).jobs, [])
    assert.equal((await user.client.getMe()).account_balance_usd, 5)
  })
})
