/**
 * The server's sockets. Descriptors are few and a client can open thousands of connections that ask
 * for little or nothing, so headers must arrive in time, idle connections are closed, and there is
 * a limit for each address and for all. A connection of a proxy counts as the client's for which it
 * sends a request, until that has its answer.
 *
 * At the limit another connection gives way to the new one: first the oldest whose body comes too
 * slowly, then the longest without a request (silent, halfway through its headers, or kept alive
 * after an answer). Where every connection is at work the new one is answered with 503. A server
 * that is closed ends them all, and the others when their request has its answer.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Refusal } from '../ground/refusal.ts'
import { plainAnswer } from './plain-answer.ts'
import { networkOf } from './rate-limit.ts'
import { hasBody } from './slow-bodies.ts'

export interface ConnectionOptions {
  maxConnections: number
  maxPerAddress: number
  /** Addresses that stand for many clients: proxies, and this machine. */
  isShared: (address: string) => boolean
  headersMs?: number
  /** Age at which a body counts as slow if most connections are idle. */
  slowBodyMs?: number
  log: Pick<Logger, 'warn'>
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const standardHeadersMs = 10_000
/** Longer than proxies keep connections, so that they close first. */
const keepAliveMs = 65_000

export interface Connections {
  /** A factory: a server on two addresses is two servers with one set of limits. */
  serverFactory: (handler: Handler) => Server
  /** Counts the current request for this client; false if the client has too many under way. */
  countAs: (socket: Socket, client: string) => boolean
}

export function openConnections(options: ConnectionOptions): Connections {
  const gate = openGate(options)
  const { headersMs = standardHeadersMs } = options
  const serverFactory = (handler: Handler): Server => {
    const server = createServer(
      {
        headersTimeout: headersMs,
        connectionsCheckingInterval: headersMs / 5,
        keepAliveTimeout: keepAliveMs,
        // No total limit: large uploads take long, and slow-bodies.ts cuts those that are too slow.
        requestTimeout: 0,
      },
      handler,
    )
    // No parser is attached to a refused connection, so none of its requests runs.
    const attach = server.listeners('connection')
    server.removeAllListeners('connection')
    server.on('connection', (socket: Socket) => {
      if (gate.admit(socket)) for (const listener of attach) listener.call(server, socket)
    })
    server.prependListener('request', (request, response) => {
      const { socket } = request
      gate.begin(request)
      response.once('close', () => {
        if (server.listening) gate.rest(socket)
        else socket.end()
      })
    })
    // By itself, Node would wait without limit for connections that never sent a request.
    const close = server.close.bind(server)
    server.close = (done) => {
      close(done)
      gate.closeIdle()
      return server
    }
    return server
  }
  return { serverFactory, countAs: gate.countAs }
}

/** Counts requests by the clients that the proxies before us name. */
export function countClients(app: FastifyInstance, { countAs }: Connections): void {
  app.addHook('onRequest', ({ raw, ip }, _reply, done) => {
    if (countAs(raw.socket, ip)) done()
    else done(new Refusal('unavailable', tooMany, { retryAfterSeconds }))
  })
}

/** Half of the descriptors of this process at most: files and the database need theirs. */
export function limitByDescriptors(wanted: number): number {
  const limits = readFileSync('/proc/self/limits', 'latin1')
  const descriptors = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity)
  return Math.min(wanted, Math.floor(descriptors / 2))
}

interface Body {
  request: IncomingMessage
  beganMs: number
  /** Bytes that the connection had read when the body began. */
  bytesRead: number
}

/** Connections that have a limit together, in the order in which they came to be so. */
interface Crowd {
  open: number
  idle: Set<Socket>
  bodies: Map<Socket, Body>
}

interface Gate {
  admit(socket: Socket): boolean
  /** Counts a request as under way until it ends. */
  begin(request: IncomingMessage): void
  rest(socket: Socket): void
  countAs: (socket: Socket, client: string) => boolean
  closeIdle(): void
}

function openGate(options: ConnectionOptions): Gate {
  const { maxConnections, maxPerAddress, isShared, slowBodyMs = minBodyMs, log } = options
  const all = createCrowd()
  const peers = new Map<string, Crowd>()
  const places = new Map<Socket, { home: string; address: string }>()
  const refuse = createRefuser(log)

  const crowdsOf = (socket: Socket): Crowd[] => {
    const place = places.get(socket)
    const peer = place && peers.get(place.address)
    return peer ? [all, peer] : []
  }
  const enter = (socket: Socket, place: { home: string; address: string }): void => {
    if (!peers.has(place.address)) peers.set(place.address, createCrowd())
    places.set(socket, place)
    for (const crowd of crowdsOf(socket)) crowd.open += 1
  }
  const forget = (socket: Socket): void => {
    const place = places.get(socket)
    if (!place) return
    for (const crowd of crowdsOf(socket)) {
      crowd.open -= 1
      crowd.idle.delete(socket)
      crowd.bodies.delete(socket)
    }
    places.delete(socket)
    if (peers.get(place.address)?.open === 0) peers.delete(place.address)
  }
  /** Closes an idle or slow connection; false if all are busy. */
  const makeRoom = (crowd: Crowd): boolean => {
    const [idlest] = crowd.idle
    // In an attack by bodies, there are many before any is old.
    const minAgeMs = crowd.bodies.size > crowd.idle.size ? 0 : slowBodyMs
    const leaving = findSlow(crowd, minAgeMs) ?? idlest ?? findSlow(crowd, 0)
    if (!leaving) return false
    forget(leaving)
    leaving.destroy()
    return true
  }
  const hasRoom = (address: string): boolean => {
    const peer = peers.get(address)
    return !peer || peer.open < maxPerAddress || makeRoom(peer)
  }
  const move = (socket: Socket, address: string): void => {
    const place = places.get(socket)
    if (!place || place.address === address) return
    const body = all.bodies.get(socket)
    forget(socket)
    enter(socket, { ...place, address })
    if (body) for (const crowd of crowdsOf(socket)) crowd.bodies.set(socket, body)
  }
  const rest = (socket: Socket): void => {
    const place = places.get(socket)
    if (!place || socket.destroyed) return
    move(socket, place.home)
    for (const crowd of crowdsOf(socket)) {
      crowd.bodies.delete(socket)
      crowd.idle.add(socket)
    }
  }

  return {
    admit(socket) {
      const { remoteAddress = '' } = socket
      const home = networkOf(remoteAddress)
      const isWelcome = isShared(remoteAddress) || hasRoom(home)
      if (!isWelcome || (all.open >= maxConnections && !makeRoom(all))) {
        refuse(socket)
        return false
      }
      enter(socket, { home, address: home })
      rest(socket)
      socket.once('close', () => forget(socket))
      return true
    },
    begin(request) {
      const { socket } = request
      const body = { request, beganMs: performance.now(), bytesRead: socket.bytesRead }
      for (const crowd of crowdsOf(socket)) {
        crowd.idle.delete(socket)
        if (hasBody(request)) crowd.bodies.set(socket, body)
      }
    },
    rest,
    countAs(socket, client) {
      const address = networkOf(client)
      const place = places.get(socket)
      if (!place || place.address === address) return true
      if (!hasRoom(address)) return false
      move(socket, address)
      return true
    },
    closeIdle() {
      for (const socket of all.idle) {
        forget(socket)
        socket.destroy()
      }
    },
  }
}

function createCrowd(): Crowd {
  return { open: 0, idle: new Set(), bodies: new Map() }
}

const minBodyMs = 1000
const goodBytesPerMs = 16

/**
 * The first whose body has come too slowly for so long; bytes that wait for the reader do not
 * count.
 */
function findSlow({ bodies }: Crowd, minAgeMs: number): Socket | undefined {
  const nowMs = performance.now()
  for (const [socket, { request, beganMs, bytesRead }] of bodies) {
    const ageMs = nowMs - beganMs
    if (ageMs < minAgeMs) return undefined
    if (request.complete) bodies.delete(socket)
    else if (request.readableLength === 0) {
      const goodBytes = goodBytesPerMs * Math.max(minBodyMs, ageMs)
      if (socket.bytesRead - bytesRead < goodBytes) return socket
    }
  }
  return undefined
}

const maxRefusing = 200
const refusingMs = 1000
const logEveryMs = 10_000

/**
 * Answers 503 and briefly reads what the client sends: closing with unread bytes resets the
 * connection, and the answer is lost. In a flood, further connections are closed at once.
 */
function createRefuser(log: Pick<Logger, 'warn'>): (socket: Socket) => void {
  let refusing = 0
  let refused = 0
  let loggedAtMs = -Infinity
  return (socket) => {
    refused += 1
    if (performance.now() - loggedAtMs > logEveryMs) {
      loggedAtMs = performance.now()
      log.warn({ refused }, 'connections refused')
    }
    socket.on('error', () => undefined)
    if (refusing >= maxRefusing) {
      socket.destroy()
      return
    }
    refusing += 1
    const timer = setTimeout(() => socket.destroy(), refusingMs)
    socket.once('close', () => {
      refusing -= 1
      clearTimeout(timer)
    })
    socket.resume()
    socket.end(tooManyConnections)
  }
}

const tooMany = 'Too many connections. Please try again in a moment.'
const retryAfterSeconds = 5
const tooManyConnections = plainAnswer('unavailable', tooMany, [
  `Retry-After: ${retryAfterSeconds}`,
])
