import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { until } from '../../test/support/until.ts'
import { limitByDescriptors, openConnections } from './connections.ts'
import type { ConnectionOptions, Connections } from './connections.ts'

interface Running {
  port: number
  gate: Connections
  server: Server
  /** Requests that wait for their answer. */
  held: ServerResponse[]
  warnings: unknown[]
}

async function start(t: TestContext, options: Partial<ConnectionOptions> = {}): Promise<Running> {
  const held: ServerResponse[] = []
  const warnings: unknown[] = []
  const gate = openConnections({
    maxConnections: 100,
    maxPerAddress: 100,
    isShared: () => false,
    log: { warn: (...words: unknown[]) => void warnings.push(words) },
    ...options,
  })
  const server = gate.serverFactory((request: IncomingMessage, response: ServerResponse) => {
    const { socket, headers } = request
    const client = String(headers['x-forwarded-for'] ?? socket.remoteAddress)
    if (!gate.countAs(socket, client)) response.writeHead(503).end()
    else if (request.url === '/held') held.push(response)
    else response.end('fine')
    request.resume()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, gate, server, held, warnings }
}

async function open({ port }: Running, text = '', from = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  socket.on('error', () => undefined)
  socket.resume()
  await once(socket, 'connect')
  if (text) socket.write(text)
  return socket
}

function ask(
  { port }: Running,
  from = '127.0.0.1',
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', localAddress: from, agent: false, headers }
    get(options, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    }).on('error', reject)
  })
}

const isClosed = (socket: Socket): boolean => socket.destroyed
const halfHeaders = 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: '
const held = 'GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n'
const slowBody = 'POST /held HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n{'
const heldFor = (client: string): string =>
  held.replace('Host', `X-Forwarded-For: ${client}\r\nHost`)

test('silent connections and half headers are closed in time', async (t) => {
  const running = await start(t, { headersMs: 300 })
  const silent = await Promise.all(Array.from({ length: 20 }, () => open(running)))
  const half = await Promise.all(Array.from({ length: 20 }, () => open(running, halfHeaders)))
  const working = await open(running, held)
  await until(() => running.held.length === 1)
  await until(() => [...silent, ...half].every(isClosed))
  // A request that is all there may wait for its answer.
  assert.equal(isClosed(working), false)
})

test('idle connections give way to new ones, per address and in all', async (t) => {
  const running = await start(t, { maxConnections: 30, maxPerAddress: 10 })
  const first = await Promise.all(Array.from({ length: 10 }, () => open(running, halfHeaders)))
  assert.deepEqual(await ask(running), { status: 200, text: 'fine' })
  await until(() => first.filter(isClosed).length >= 1)
  const others = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']
  for (const from of others) {
    for (let count = 0; count < 10; count += 1) await open(running, '', from)
  }
  const count = await new Promise((resolve) => {
    running.server.getConnections((_error, open_) => resolve(open_))
  })
  assert.ok(Number(count) <= 30, `${String(count)} connections`)
  assert.equal((await ask(running)).status, 200)
})

test('an address whose connections are all at work gets 503, another is served', async (t) => {
  const running = await start(t, { maxPerAddress: 5 })
  for (let count = 0; count < 5; count += 1) await open(running, held)
  await until(() => running.held.length === 5)
  const refused = await ask(running)
  assert.equal(refused.status, 503)
  assert.equal((JSON.parse(refused.text) as { code: string }).code, 'unavailable')
  assert.equal(running.held.length, 5)
  assert.equal((await ask(running, '127.0.0.2')).status, 200)
  assert.equal(running.warnings.length, 1)
  // The end of one makes room again.
  running.held[0]?.end('done')
  await until(
    () => ask(running),
    ({ status }) => status === 200,
  )
})

test('slow bodies give way before idle connections and work, in all', async (t) => {
  const running = await start(t, { maxConnections: 12, slowBodyMs: 0 })
  const idle = await open(running)
  const working = await open(running, held)
  const slow = await Promise.all(Array.from({ length: 10 }, () => open(running, slowBody)))
  await until(() => running.held.length === 11)
  for (let gone = 1; gone <= 10; gone += 1) {
    assert.equal((await ask(running)).status, 200)
    // The answered connection has made its own place free.
    await open(running, held)
    await until(() => slow.filter(isClosed).length === gone)
  }
  assert.deepEqual([idle, working].map(isClosed), [false, false])
})

test('an address at its limit gets places from its own slow bodies only', async (t) => {
  const running = await start(t, { maxPerAddress: 2 })
  const other = await open(running, slowBody, '127.0.0.2')
  const slow = await Promise.all([open(running, slowBody), open(running, slowBody)])
  await until(() => running.held.length === 3)
  assert.equal((await ask(running)).status, 200)
  await until(() => slow.some(isClosed))
  assert.equal(isClosed(other), false)
})

test('a body that comes at a good pace, or has come, does not give way', async (t) => {
  const running = await start(t, { maxConnections: 2, slowBodyMs: 0 })
  const good = await open(running, `${slowBody}${'x'.repeat(899_000)}`)
  const there = await open(running, slowBody.replace('900000', '1'))
  await until(() => running.held.length === 2)
  const requests = running.held.map(({ req }) => req)
  await until(() => requests.some(({ complete }) => complete))
  await until(() => requests.some(({ socket }) => socket.bytesRead > 899_000))
  assert.equal((await ask(running)).status, 503)
  assert.deepEqual([good, there].map(isClosed), [false, false])
})

test('behind a proxy requests count by the client that it names', async (t) => {
  const running = await start(t, { maxPerAddress: 2, isShared: () => true })
  const [first, second] = ['203.0.113.1', '203.0.113.2']
  const connections = [await open(running, heldFor(first)), await open(running, heldFor(first))]
  await until(() => running.held.length === 2)
  assert.equal((await ask(running, undefined, { 'x-forwarded-for': first })).status, 503)
  assert.equal((await ask(running, undefined, { 'x-forwarded-for': second })).status, 200)
  // After its answer a connection is the proxy's again, whoever asks through it next.
  running.held[0]!.end('done')
  await until(
    () => ask(running, undefined, { 'x-forwarded-for': first }),
    ({ status }) => status === 200,
  )
  assert.deepEqual(connections.map(isClosed), [false, false])
})

test('a shared address is limited with all others only', async (t) => {
  const running = await start(t, { maxPerAddress: 2, maxConnections: 6, isShared: () => true })
  for (let count = 0; count < 6; count += 1) await open(running, held)
  await until(() => running.held.length === 6)
  assert.equal((await ask(running)).status, 503)
})

test('half of the descriptors stay for files and the database', () => {
  assert.equal(limitByDescriptors(3), 3)
  assert.ok(limitByDescriptors(Number.MAX_SAFE_INTEGER) < Number.MAX_SAFE_INTEGER)
})

test('a server that is closed waits for requests, not for connections', async (t) => {
  const running = await start(t)
  const silent = await open(running)
  const half = await open(running, halfHeaders)
  const working = await open(running, held)
  let text = ''
  working.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await until(() => running.held.length === 1)
  let isOver = false
  running.server.close(() => (isOver = true))
  await until(() => isClosed(silent) && isClosed(half), Boolean, 20_000)
  assert.equal(isOver, false, 'somebody waits for an answer')
  running.held[0]!.end('late')
  // Its client would keep the connection for the next request.
  await until(() => isOver, Boolean, 20_000)
  assert.match(text, /late$/)
})
