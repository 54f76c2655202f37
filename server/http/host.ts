import type { FastifyInstance } from 'fastify'
import { Refusal } from '../refusal.ts'

/**
 * Refuses a request with two Host headers. Node keeps the first and drops the second without a
 * word, while a proxy before us may have routed by the second.
 */
export function refuseSecondHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    const names = raw.rawHeaders.filter((_, index) => index % 2 === 0)
    if (names.filter((name) => name.toLowerCase() === 'host').length < 2) return
    throw new Refusal('malformed', 'The request has more than one Host header.')
  })
}
