/** A client that falls silent in the middle of a request keeps neither its line nor its file. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createApp } from '../../server/app.ts'
import { startTestServer } from '../support/app.ts'
import type { TestServer } from '../support/app.ts'
import { until } from '../support/until.ts'

let server: TestServer
before(async () => {
  server = await startTestServer({ environment: { SILENT_SECONDS: '1' } })
})
after(() => server.stop())

test('a call whose body never comes is cut', { timeout: 60_000 }, async () => {
  await sendAndWait('POST /v1/api-keys', ['content-type: application/json'], '{"name":')
})

test('an upload that stops is cut, and its file is gone', { timeout: 60_000 }, async () => {
  const { token } = await server.user()
  const headers = [
    `authorization: Bearer ${token}`,
    'content-type: multipart/form-data; boundary=edge',
  ]
  const part = 'content-disposition: form-data; name="file"; filename="a.bin"'
  await sendAndWait('POST /v1/content/upload', headers, `--edge\r\n${part}\r\n\r\nsome bytes`)
  const partials = join(server.ctx.config.dataDir, 'files/partial')
  await until(
    () => readdir(partials),
    (names) => names.length === 0,
  )
})

test('a request that is all there may wait longer for its answer', async () => {
  const { token } = await server.user()
  const locked = await server.ctx.pool.connect()
  await locked.query('begin')
  await locked.query('lock table api_keys, content in access exclusive mode')
  const creating = server.fetch('/v1/api-keys', {
    method: 'POST',
    token,
    body: '{"name":"Patient"}',
    headers: { 'content-type': 'application/json' },
  })
  const form = new FormData()
  form.set('file', new Blob(['all of it']), 'whole.txt')
  const uploading = server.fetch('/v1/content/upload', { method: 'POST', token, body: form })
  const listing = server.fetch('/v1/api-keys', { token })
  // When a silent client has been cut twice, more time has passed than any may be silent.
  for (let cut = 0; cut < 2; cut += 1) {
    await sendAndWait('POST /v1/api-keys', ['content-type: application/json'], '{"name":')
  }
  await locked.query('commit')
  locked.release()
  assert.equal((await creating).status, 201)
  assert.equal((await uploading).status, 201)
  assert.equal((await listing).status, 200)
})

test('headers have ten seconds', async () => {
  const app = await createApp(server.ctx)
  try {
    const { headersTimeout, requestTimeout, keepAliveTimeout } = app.server
    assert.deepEqual([headersTimeout, requestTimeout, keepAliveTimeout], [10_000, 0, 65_000])
  } finally {
    await app.close()
  }
})

/** Sends the beginning of a longer body, then nothing; resolves when the server hangs up. */
async function sendAndWait(call: string, headers: string[], body: string): Promise<void> {
  const { port } = server.ctx.config
  const socket = connect(port, 'localhost')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => undefined)
  socket.resume()
  const lines = [`${call} HTTP/1.1`, 'host: localhost', 'content-length: 100000', ...headers]
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  await closed
}
