/**
 * The built web: files with a hash in their name are kept for a year, pages are asked for each
 * time. A path that is no file and no /v1 call gets the page that React Router turns into a screen.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { isPagePath } from '../../contract/pages.ts'
import { Refusal } from '../refusal.ts'
import { answerError } from './route.ts'

const distribution = resolve(import.meta.dirname, '../../dist')

export async function registerStatic(app: FastifyInstance): Promise<void> {
  if (existsSync(distribution)) {
    await app.register(fastifyStatic, {
      root: distribution,
      wildcard: false,
      // The build lays a .br and a .gz file beside each text.
      preCompressed: true,
      index: false,
      setHeaders(reply, path) {
        const isHashed = path.includes(join('dist', 'assets'))
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    const path = (request.raw.url ?? '/').split('?')[0] ?? '/'
    const wantsPage = request.method === 'GET' || request.method === 'HEAD'
    const isCall = path.startsWith('/v1/') || path === '/v1'
    if (!wantsPage || isCall || !existsSync(distribution)) {
      const refusal = new Refusal('not_found', 'There is nothing at this address.')
      return answerError(refusal, request, reply)
    }
    return sendPage(reply, path)
  })
}

/** A prerendered page where there is one, else the empty shell; unknown paths say 404. */
function sendPage(reply: FastifyReply, path: string): FastifyReply {
  const clean = path.replace(/\/+$/, '')
  const isSafe = /^(\/[\w-]+)*$/.test(clean)
  const prerendered = isSafe && existsSync(join(distribution, clean, 'index.html'))
  const file = prerendered ? join(clean, 'index.html').replace(/^\//, '') : 'shell.html'
  // Whoever publishes a shared link by accident does not find it in a search.
  if (clean.startsWith('/shared/')) reply.header('x-robots-tag', 'noindex, nofollow')
  return reply
    .status(isPagePath(path) ? 200 : 404)
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .sendFile(file)
}
