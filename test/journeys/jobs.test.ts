import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { makeClip } from '../../engine/clips.testing.ts'
import type { Job } from '../../contract/jobs.ts'
import { startWorking } from '../../server/jobs/work.ts'
import type { Worker } from '../../server/jobs/work.ts'
import { startTestServer } from '../server.ts'
import type { TestServer } from '../server.ts'

describe('jobs over HTTP', () => {
  let server: TestServer
  let worker: Worker
  let folder: string
  let media: { url: string; server: Server }
  const files = new Map<string, Buffer>()

  before(async () => {
    server = await startTestServer()
    worker = await startWorking(server.ctx, { slots: 1 })
    folder = await mkdtemp(join(tmpdir(), 'cutindex-jobs-'))
    const clip = await makeClip(
      folder,
      `-f lavfi -i testsrc2=size=160x90:rate=25:duration=2 -f lavfi -i color=red:size=160x90:rate=25:duration=2
       -f lavfi -i sine=440:duration=4 -filter_complex [0][1]concat=n=2:v=1[v] -map [v] -map 2:a
       -c:v libx264 -preset ultrafast -c:a aac clip.mp4`,
    )
    files.set('/clip.mp4', await readFile(clip))
    media = await serve(files)
  })
  after(async () => {
    await worker.stop()
    await server.stop()
    media.server.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('goes from a quote to findings and charges exactly the quote', async () => {
    const user = await server.user()
    const body = { content_url: `${media.url}/clip.mp4`, workflow: 'ffprobe,shots' }
    const { quote } = await user.client.quoteJob({ body })
    assert.equal(quote.seconds, 4)
    assert.equal(quote.total_usd, 0.016)
    const { job } = await user.client.createJob({ body })
    const ended = await untilEnded(user.client, job.id)
    assert.deepEqual(ended.error, null)
    assert.equal(ended.status, 'completed')
    assert.equal(ended.cost_usd, 0.016)
    assert.equal((await user.client.getMe()).account_balance_usd, 4.984)
  })
})

async function untilEnded(
  client: { getJob: (args: { params: { id: string } }) => Promise<{ job: Job }> },
  id: string,
): Promise<Job> {
  for (;;) {
    const { job } = await client.getJob({ params: { id } })
    if (job.finished_at) return job
    await new Promise((resolve) => {
      setTimeout(resolve, 100)
    })
  }
}

async function serve(files: Map<string, Buffer>): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '')
    if (!file) response.writeHead(404).end()
    else response.writeHead(200, { 'content-length': file.length }).end(file)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}
