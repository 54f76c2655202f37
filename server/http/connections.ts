/**
 * The server's sockets. Descriptors are few and a client can open thousands of connections that ask
 * for nothing, so headers must arrive in time, idle connections are closed, and there is a limit for
 * each address and for all.
 *
 * At the limit a connection without a request (silent, halfway through its headers, or kept alive
 * after an answer) gives way to the new one, the longest idle first. Where every connection is at
 * work the new one is answered with 503. A server that is closed ends them all, and the others when
 * their request has its answer.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { ErrorAnswer } from '../../contract/refusal.ts'
import { networkOf } from './rate-limit.ts'

export interface ConnectionOptions {
  maxConnections: number
  maxPerAddress: number
  /** Addresses that stand for many clients: proxies, and this machine. */
  isShared: (address: string) => boolean
  headersMs?: number
  log: Pick<Logger, 'warn'>
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const standardHeadersMs = 10_000
/** Above what proxies keep, so that they close first. */
const keepAliveMs = 65_000

/** A factory, since a server that listens on two addresses is two servers with one set of limits. */
export function createServerFactory(options: ConnectionOptions): (handler: Handler) => Server {
  const gate = openGate(options)
  const { headersMs = standardHeadersMs } = options
  return (handler) => {
    const server = createServer(
      {
        headersTimeout: headersMs,
        connectionsCheckingInterval: headersMs / 5,
        keepAliveTimeout: keepAliveMs,
        // Large uploads take their time; a silent client is cut by silence.ts.
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
    server.prependListener('request', ({ socket }, response) => {
      gate.begin(socket)
      response.once('close', () => {
        if (server.listening) gate.rest(socket)
        else socket.end()
      })
    })
    // Node goes on waiting for connections that never asked for anything, without a limit.
    const close = server.close.bind(server)
    server.close = (done) => {
      close(done)
      gate.closeIdle()
      return server
    }
    return server
  }
}

/** Half of the descriptors of this process at most: files and the database need theirs. */
export function limitByDescriptors(wanted: number): number {
  const limits = readFileSync('/proc/self/limits', 'latin1')
  const descriptors = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity)
  return Math.min(wanted, Math.floor(descriptors / 2))
}

interface Peer {
  open: number
  /** In the order in which they fell idle. */
  idle: Set<Socket>
}

interface Gate {
  admit(socket: Socket): boolean
  /** A request has begun; it has ended. */
  begin(socket: Socket): void
  rest(socket: Socket): void
  closeIdle(): void
}

function openGate({ maxConnections, maxPerAddress, isShared, log }: ConnectionOptions): Gate {
  const peers = new Map<string, Peer>()
  const addresses = new Map<Socket, string>()
  const idle = new Set<Socket>()
  const refuse = createRefuser(log)

  const forget = (socket: Socket): void => {
    const address = addresses.get(socket)
    if (address === undefined) return
    addresses.delete(socket)
    idle.delete(socket)
    const peer = peers.get(address)
    if (!peer) return
    peer.idle.delete(socket)
    peer.open -= 1
    if (peer.open === 0) peers.delete(address)
  }
  /** Makes room for one more; false where all are at work. */
  const makeRoom = (among: Set<Socket>): boolean => {
    const [oldest] = among
    if (!oldest) return false
    forget(oldest)
    oldest.destroy()
    return true
  }
  const rest = (socket: Socket): void => {
    const address = addresses.get(socket)
    if (address === undefined || socket.destroyed) return
    idle.add(socket)
    peers.get(address)?.idle.add(socket)
  }

  return {
    admit(socket) {
      const { remoteAddress = '' } = socket
      const address = networkOf(remoteAddress)
      const own = peers.get(address)
      const isFull = !isShared(remoteAddress) && (own?.open ?? 0) >= maxPerAddress
      const hasRoom = !isFull || makeRoom(own?.idle ?? new Set())
      if (!hasRoom || (addresses.size >= maxConnections && !makeRoom(idle))) {
        refuse(socket)
        return false
      }
      const peer = peers.get(address) ?? { open: 0, idle: new Set() }
      peer.open += 1
      peers.set(address, peer)
      addresses.set(socket, address)
      rest(socket)
      socket.once('close', () => forget(socket))
      return true
    },
    begin(socket) {
      idle.delete(socket)
      peers.get(addresses.get(socket) ?? '')?.idle.delete(socket)
    },
    rest,
    closeIdle() {
      while (makeRoom(idle)) continue
    },
  }
}

const maxRefusing = 200
const refusingMs = 1000
const logEveryMs = 10_000

/**
 * Answers 503 and reads for a moment what the client sends: closing with unread bytes resets the
 * connection, and the answer is lost. In a flood the rest is closed without a word.
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

const message = 'Too many connections. Please try again in a moment.'
const answer: ErrorAnswer = { message, error: message, code: 'unavailable' }
const body = JSON.stringify(answer)
const tooManyConnections = [
  'HTTP/1.1 503 Service Unavailable',
  'Connection: close',
  'Retry-After: 5',
  'Content-Type: application/json; charset=utf-8',
  `Content-Length: ${Buffer.byteLength(body)}`,
  '',
  body,
].join('\r\n')
