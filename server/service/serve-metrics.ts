/** `GET /metrics`, behind a bearer token on the API's port, or on a port of its own. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../ground/refusal.ts'
import type { Context } from '../ground/context.ts'
import { describeMetrics } from './measure.ts'

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Without a token there is nothing at this address. */
export function registerMetrics(app: FastifyInstance, ctx: Context): void {
  const { token } = ctx.config.metrics
  if (!token) return
  app.get('/metrics', async (request, reply) => {
    const presented = /^Bearer (.{1,500})$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!isSame(presented, token)) {
      throw new Refusal('unauthenticated', 'The metrics need their own token.')
    }
    return reply.type(contentType).send(await describeMetrics(ctx))
  })
}

/** For a network that only the collector reaches; API and workers may each have one. */
export async function serveMetrics(ctx: Context): Promise<() => Promise<void>> {
  const { port } = ctx.config.metrics
  if (port === null) return async () => undefined
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    describeMetrics(ctx).then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      (error: unknown) => {
        ctx.log.error({ err: error }, 'metrics failed')
        response.writeHead(500).end()
      },
    )
  })
  server.listen(port, ctx.config.host)
  await once(server, 'listening')
  return async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}

function isSame(presented: string, wanted: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(presented), hash(wanted))
}
