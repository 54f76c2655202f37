/** Documents that are made to be slow: the API's own thread does not read them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { zip } from '../../engine/documents/files.testing.ts'
import { startTestServer } from '../support/app.ts'
import type { TestServer } from '../support/app.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.stop())

test('the work on an upload is done outside the thread that answers', async () => {
  const { token } = await server.user()
  // 15 MB of tags in 15 KB; and a text whose every letter is counted.
  const slow = {
    'tags.docx': zip({ 'word/document.xml': '<a>'.repeat(5_000_000) }),
    'letters.doc': Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(30e6, 97)]),
  }
  // Whatever is done once for all uploads is done before the measurement.
  await upload(token, 'first.txt', Buffer.from('first'))
  for (const [name, bytes] of Object.entries(slow)) {
    const before = { own: process.threadCpuUsage(), all: process.cpuUsage() }
    const status = await upload(token, name, bytes)
    const own = total(process.threadCpuUsage(before.own))
    const all = total(process.cpuUsage(before.all))
    assert.equal(status, 201)
    assert.ok(own < all / 2, `${name}: ${own} of ${all} µs in the thread that answers`)
  }
})

function total({ user, system }: NodeJS.CpuUsage): number {
  return user + system
}

async function upload(token: string, name: string, bytes: Buffer): Promise<number> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), name)
  const answer = await server.fetch('/v1/content/upload', { method: 'POST', token, body: form })
  return answer.status
}
