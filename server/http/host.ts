import type { FastifyInstance } from 'fastify'
import { Refusal } from '../ground/refusal.ts'

/**
 * Refuses a request with two Host headers. Node keeps the first and drops the second without a
 * word, while a proxy before us may have routed by the second.
 */
export function refuseSecondHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    let hosts = 0
    raw.rawHeaders.forEach((name, index) => {
      if (index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host') hosts += 1
    })
    if (hosts < 2) done()
    else done(new Refusal('malformed', 'The request has more than one Host header.'))
  })
}
