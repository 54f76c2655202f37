/** A client whose request does not come, or trickles in, keeps neither its line nor its file. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { createApp } from '../../server/app.ts'
import { startTestServer } from '../support/app.ts'
import type { TestServer } from '../support/app.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'
import { postFile } from '../support/upload.ts'

const server = use(() => startTestServer({ environment: { SILENT_SECONDS: '1' } }))

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

test('a call whose body trickles in is answered 408 and cut', { timeout: 60_000 }, async () => {
  const answer = await trickle('POST /v1/analytics', ['content-type: application/json'], ' ')
  assert.match(answer, /^HTTP\/1\.1 408 [^]*connection: close[^]*"code":"request_timeout"/i)
})

test(
  'an upload below the least pace is cut, one that keeps it is not',
  {
    timeout: 60_000,
  },
  async () => {
    const { token } = await server.user()
    const keeping = openUpload(token)
    for (let slow = 0; slow < 3; slow += 1) {
      // Each of them was there for longer than an upload may be below the pace.
      await trickle(
        'POST /v1/content/upload',
        uploadHeaders(token),
        `--edge\r\n${filePart}\r\n\r\n`,
      )
    }
    assert.match(await keeping.end(), /^HTTP\/1\.1 201 /)
  },
)

test('slow bodies do not keep others out', { timeout: 60_000 }, async (t) => {
  const crowded = await startTestServer({ environment: { MAX_CONNECTIONS: '40' } })
  t.after(() => crowded.stop())
  const body = ['content-type: application/json', 'content-length: 900000']
  for (let sent = 0; sent < 120; sent += 1) {
    const socket = send(crowded, 'POST /v1/analytics', body, '{')
    t.after(() => socket.destroy())
    await once(socket, 'connect')
    if (sent % 10 === 9) assert.equal((await crowded.fetch('/v1/health')).status, 200)
  }
})

test('behind a proxy a client holds its own places only', { timeout: 60_000 }, async (t) => {
  const crowded = await startTestServer({
    environment: { MAX_CONNECTIONS_PER_ADDRESS: '3', TRUST_PROXY: '1' },
  })
  t.after(() => crowded.stop())
  const { token } = await crowded.user()
  const locked = await crowded.ctx.pool.connect()
  await locked.query('begin; lock table api_keys in access exclusive mode')
  const asked = Array.from({ length: 4 }, () => statusFor('203.0.113.1'))
  assert.equal(await Promise.race(asked), 503)
  const other = statusFor('203.0.113.2')
  await locked.query('commit')
  locked.release()
  const statuses = await Promise.all(asked)
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, 200, 200, 503],
  )
  assert.equal(await other, 200)

  async function statusFor(client: string): Promise<number> {
    const headers = { 'x-forwarded-for': client }
    return (await crowded.fetch('/v1/api-keys', { token, headers })).status
  }
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
  const uploading = postFile(server, { token, bytes: 'all of it', name: 'whole.txt' })
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
  const socket = send(server, call, ['content-length: 100000', ...headers], body)
  socket.resume()
  await once(socket, 'close')
}

/** Sends a body byte by byte; resolves with the answer when the server hangs up. */
async function trickle(call: string, headers: string[], body: string): Promise<string> {
  const socket = send(server, call, ['content-length: 100000', ...headers], body)
  const timer = setInterval(() => socket.write(' '), 50)
  const answer = textOf(socket)
  await once(socket, 'close')
  clearInterval(timer)
  return answer()
}

const filePart = 'content-disposition: form-data; name="file"; filename="a.bin"'

function uploadHeaders(token: string): string[] {
  return [`authorization: Bearer ${token}`, 'content-type: multipart/form-data; boundary=edge']
}

/** An upload that goes on at four times the least pace until it is ended. */
function openUpload(token: string): { end: () => Promise<string> } {
  const headers = ['transfer-encoding: chunked', ...uploadHeaders(token)]
  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`
  const head = chunk(`--edge\r\n${filePart}\r\n\r\n`)
  const socket = send(server, 'POST /v1/content/upload', headers, head)
  const timer = setInterval(() => socket.write(chunk('x'.repeat(4096))), 100)
  const answer = textOf(socket)
  return {
    async end() {
      clearInterval(timer)
      socket.write(`${chunk('\r\n--edge--\r\n')}0\r\n\r\n`)
      await until(() => answer().includes('\r\n\r\n') || socket.destroyed)
      socket.destroy()
      return answer()
    },
  }
}

function send({ ctx }: TestServer, call: string, headers: string[], body: string): Socket {
  const socket = connect(ctx.config.port, 'localhost')
  socket.on('error', () => undefined)
  socket.write(`${[`${call} HTTP/1.1`, 'host: localhost', ...headers].join('\r\n')}\r\n\r\n${body}`)
  return socket
}

function textOf(socket: Socket): () => string {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return () => text
}
