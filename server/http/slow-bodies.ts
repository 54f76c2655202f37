/**
 * Cuts requests whose body does not come. One that is read into memory as a whole has 20 s. An
 * upload may take as long as it likes, but has a least pace, so that one that broke without a word
 * or trickles in does not keep its socket and its half file forever. Time in which its bytes wait
 * for us does not count. Once the body is there the client may be quiet until it has its answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { countRefusal } from '../ground/count-requests.ts'
import { plainAnswer } from './plain-answer.ts'

const maxWholeBodyMs = 20_000
/** A tenth of the slowest mobile connections. */
const minUploadBytesPerSecond = 1024
const cutAtOnce = 25

interface Body {
  request: IncomingMessage
  response: ServerResponse
  /** An upload has this time again for each share of its bytes, everything else only once. */
  isUpload: boolean
  waitedMs: number
  /** Bytes that the connection had read when the time began. */
  bytesRead: number
}

/** Cuts bodies that are too slow: every `paceMs`, an upload must have sent its minimum. */
export function cutSlowBodies(app: FastifyInstance, paceMs: number): void {
  const bodies = new Set<Body>()
  const late: Body[] = []
  const tickMs = Math.min(1000, paceMs / 10)
  const wholeMs = Math.min(maxWholeBodyMs, paceMs)
  const check = (body: Body): void => {
    const { request, isUpload } = body
    const { socket } = request
    if (request.complete || socket.destroyed) {
      bodies.delete(body)
      return
    }
    if (!isUpload || request.readableLength === 0) body.waitedMs += tickMs
    if (body.waitedMs < (isUpload ? paceMs : wholeMs)) return
    const minBytes = isUpload ? (minUploadBytesPerSecond * paceMs) / 1000 : Infinity
    if (socket.bytesRead - body.bytesRead >= minBytes) {
      Object.assign(body, { waitedMs: 0, bytesRead: socket.bytesRead })
      return
    }
    bodies.delete(body)
    late.push(body)
  }
  /**
   * Ten thousand requests that began together must not block the event loop when they end together.
   */
  const cutSome = (): void => {
    late.splice(0, cutAtOnce).forEach(cut)
    if (late.length > 0) setImmediate(cutSome)
  }
  const tick = (): void => {
    const isCutting = late.length > 0
    bodies.forEach(check)
    if (!isCutting) cutSome()
  }
  const timer = setInterval(tick, tickMs).unref()
  app.addHook('onClose', () => clearInterval(timer))
  app.addHook('onRequest', ({ raw, routeOptions }, reply, done) => {
    // Calls that the agents' door makes inside have no connection.
    if (hasBody(raw) && raw.socket instanceof Socket) {
      const { isUpload = false } = routeOptions.config
      const { bytesRead } = raw.socket
      bodies.add({ request: raw, response: reply.raw, isUpload, waitedMs: 0, bytesRead })
    }
    done()
  })
}

function cut({ request: { complete, socket }, response }: Body): void {
  // The rest may have come while the request waited for its turn.
  if (complete) return
  if (!response.headersSent) {
    countRefusal('request_timeout')
    socket.write(tooSlow)
  }
  socket.destroySoon()
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

const tooSlow = plainAnswer(
  'request_timeout',
  'The request took too long to arrive. Please check your connection and send it again.',
)

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the body is a file, which has a minimum pace instead of a deadline. */
    isUpload?: boolean
  }
}
