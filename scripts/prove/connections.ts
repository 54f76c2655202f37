/**
 * `npm run prove:connections`: slow and silent clients against a real API process. 300 half-sent
 * headers must be closed within 15 s, and with 25,000 idle sockets the service must still answer,
 * to others and to the address that opened them. While 10,300 clients send a body byte by byte for
 * a minute, and come again when they are cut, another client's health is answered within a second.
 */
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { startApiProcess } from '../../test/support/api-process.ts'
import { startTestServer } from '../../test/support/app.ts'
import { ensureSystemPackages, toTest } from '../system-packages.ts'

const halfHeaders = 300
const halfLimitMs = 15_000
const idleSockets = 25_000
const atOnce = 500
const slowClients = 10_300
const slowAttackMs = 60_000
const slowByteMs = 10_000
const maxHealthMs = 1000

ensureSystemPackages(toTest)
await using server = await startTestServer()
await using api = await startApiProcess(server)
const port = Number(new URL(api.url).port)
const failures: string[] = []
let opened = 0
await proveHalfHeaders()
await proveIdleSockets()
await proveSlowBodies()
for (const failure of failures) console.error(`FAILED: ${failure}`)
process.exit(failures.length > 0 ? 1 : 0)

async function proveHalfHeaders(): Promise<void> {
  const sockets = await openMany(halfHeaders)
  const startedMs = performance.now()
  for (const socket of sockets) socket.write('GET /v1/health HTTP/1.1\r\nHost: localhost\r\nX: ')
  for (const socket of sockets) if (!socket.destroyed) await once(socket, 'close')
  const tookMs = performance.now() - startedMs
  console.log(`half headers: ${halfHeaders} closed within ${(tookMs / 1000).toFixed(1)} s`)
  if (tookMs > halfLimitMs) failures.push('half headers stayed open')
}

async function proveIdleSockets(): Promise<void> {
  const sockets: Socket[] = []
  let [answered, slowestMs] = [0, 0]
  while (sockets.length < idleSockets) {
    sockets.push(...(await openMany(atOnce)))
    const startedMs = performance.now()
    const status = await health()
    slowestMs = Math.max(slowestMs, performance.now() - startedMs)
    if (status === 200) answered += 1
    else failures.push(`health answered ${status} beside ${sockets.length} sockets`)
  }
  const open = sockets.filter((socket) => !socket.destroyed).length
  for (const socket of sockets) socket.destroy()
  console.log(
    `idle sockets: ${idleSockets} opened, ${open} of them still open at the end; health answered` +
      ` ${answered} of ${idleSockets / atOnce} times, the slowest after ${slowestMs.toFixed(0)} ms`,
  )
}

async function proveSlowBodies(): Promise<void> {
  let sockets: Socket[] = []
  let [cut, maxOpen, answered, slowestMs] = [0, 0, 0, 0]
  const attackEndsMs = performance.now() + slowAttackMs
  const asking = (async () => {
    while (performance.now() < attackEndsMs) {
      const startedMs = performance.now()
      const status = await health()
      const tookMs = performance.now() - startedMs
      slowestMs = Math.max(slowestMs, tookMs)
      if (status === 200 && tookMs < maxHealthMs) answered += 1
      else failures.push(`health: ${status} after ${tookMs.toFixed(0)} ms beside slow bodies`)
      await wait(100)
    }
  })()
  while (performance.now() < attackEndsMs) {
    const alive = sockets.filter((socket) => !socket.destroyed)
    cut += sockets.length - alive.length
    maxOpen = Math.max(maxOpen, alive.length)
    const more = Math.min(atOnce, slowClients - alive.length)
    const begun = await openMany(more, { isSpread: true })
    begun.forEach(sendSlowly)
    sockets = [...alive, ...begun]
    await wait(100)
  }
  await asking
  for (const socket of sockets) socket.destroy()
  console.log(
    `slow bodies: ${slowClients} wanted, ${maxOpen} open at most, ${cut} cut; health answered` +
      ` ${answered} times within a second, the slowest after ${slowestMs.toFixed(0)} ms`,
  )
}

function sendSlowly(socket: Socket): void {
  const length = 'Content-Type: application/json\r\nContent-Length: 900000'
  socket.write(`POST /v1/analytics HTTP/1.1\r\nHost: localhost\r\n${length}\r\n\r\n{`)
  const timer = setInterval(() => socket.write(' '), slowByteMs)
  socket.once('close', () => clearInterval(timer))
}

/** A socket that the server closes at once counts as opened. */
function openMany(count: number, { isSpread = false } = {}): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      opened += 1
      // From many addresses, each of which stays within its rate.
      const localAddress = isSpread ? `127.1.0.${1 + (opened % 200)}` : '127.0.0.1'
      const socket = connect({ port, host: '127.0.0.1', localAddress })
      socket.on('error', () => undefined)
      socket.resume()
      await Promise.race([once(socket, 'connect'), once(socket, 'close')])
      return socket
    }),
  )
}

function health(): Promise<number> {
  return new Promise((resolve) => {
    get(`http://127.0.0.1:${port}/v1/health`, { agent: new Agent() }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    }).on('error', () => resolve(0))
  })
}
