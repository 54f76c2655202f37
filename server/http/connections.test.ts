import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { until } from '../../test/support/until.ts'
import { createServerFactory, limitByDescriptors } from './connections.ts'
import type { ConnectionOptions } from './connections.ts'

interface Running {
  port: number
  server: Server
  /** Requests that wait for their answer. */
  held: ServerResponse[]
  warnings: unknown[]
}

async function start(t: TestContext, options: Partial<ConnectionOptions> = {}): Promise<Running> {
  const held: ServerResponse[] = []
  const warnings: unknown[] = []
  const make = createServerFactory({
    maxConnections: 100,
    maxPerAddress: 100,
    isShared: () => false,
    log: { warn: (...words: unknown[]) => void warnings.push(words) },
    ...options,
  })
  const server = make((request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/held') held.push(response)
    else response.end('fine')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, server, held, warnings }
}

async function open({ port }: Running, text = '', from = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  socket.on('error', () => undefined)
  socket.resume()
  await once(socket, 'connect')
  if (text) socket.write(text)
  return socket
}

function ask({ port }: Running, from = '127.0.0.1'): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', localAddress: from, agent: false }
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
