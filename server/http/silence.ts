/**
 * A client may take as long as it likes to send a request, but not fall silent in the middle of it:
 * a line that broke without a word would keep its socket and its half file forever. Once the body
 * is there the line may be quiet for as long as the answer takes.
 */
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export function cutSilentRequests(app: FastifyInstance, silentMs: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    watchSilence(request, reply, silentMs)
    done()
  })
}

function watchSilence(request: FastifyRequest, reply: FastifyReply, silentMs: number): void {
  const { raw, headers } = request
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  const { socket } = raw
  // Calls that the agents' door makes inside have no connection.
  if (!hasBody || !(socket instanceof Socket)) return
  socket.setTimeout(silentMs)
  // Whether all of it arrived counts, not whether all of it was read: a verb that has its file
  // lets the end of the form lie. After the answer the time is Node's own, for the next request.
  reply.raw.on('timeout', () => {
    if (!raw.complete) socket.destroy()
  })
  // An answer that does not wait for the body (who is not signed in gets one) must not win the
  // client the longer time between two requests.
  reply.raw.once('finish', () => {
    if (!raw.complete) socket.setTimeout(silentMs)
  })
}
