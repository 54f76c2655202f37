/** Counts the requests and refusals of this process, for `/metrics`. */
import { Counter, Histogram, Registry } from 'prom-client'
import type { FastifyInstance } from 'fastify'

export const registry = new Registry()
const requestSeconds = new Histogram({
  name: 'cutindex_http_request_seconds',
  help: 'Time to answer, by route and status.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
  registers: [registry],
})
const refusals = new Counter({
  name: 'cutindex_http_refusals_total',
  help: 'Error answers, by code.',
  labelNames: ['code'],
  registers: [registry],
})

export function measureRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    requestSeconds.observe(
      {
        method: request.method,
        // The route's pattern, not the address: ids would make a series each.
        route: request.routeOptions.url ?? 'none',
        status: String(reply.statusCode),
      },
      reply.elapsedTime / 1000,
    )
    done()
  })
}

export function countRefusal(code: string): void {
  refusals.inc({ code })
}
