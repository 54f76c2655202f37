/**
 * The built web: files with a hash in their name are kept for a year, pages are asked for each
 * time. A path that is no file and no /v1 call gets the page that React Router turns into a screen.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isPagePath } from '../../contract/pages.ts'
import { Refusal } from '../ground/refusal.ts'
import { chooseEncoding } from './compress.ts'
import { answerError } from './route.ts'

const distribution = resolve(import.meta.dirname, '../../dist')

export async function registerStatic(app: FastifyInstance): Promise<void> {
  if (existsSync(distribution)) {
    await app.register(fastifyStatic, {
      root: distribution,
      wildcard: false,
      globIgnore: ['**/*.html'],
      // The build lays a .br and a .gz file beside each text.
      preCompressed: true,
      index: false,
      setHeaders(reply, path) {
        const isHashed = path.includes(join('dist', 'assets'))
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    const path = (request.raw.url ?? '/').split('?')[0] ?? '/'
    const wantsPage = request.method === 'GET' || request.method === 'HEAD'
    const isCall = path.startsWith('/v1/') || path === '/v1'
    if (!wantsPage || isCall || !existsSync(distribution)) {
      const refusal = new Refusal('not_found', 'There is nothing at this address.')
      return answerError(refusal, request, reply)
    }
    return sendPage(request, reply, path.replace(/\/index\.html$/, '/'))
  })
}

/** Sends a prerendered page if there is one, else the empty shell; unknown paths get 404. */
async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): Promise<FastifyReply> {
  const clean = path.replace(/\/+$/, '')
  const isSafe = /^(\/[\w-]+)*$/.test(clean)
  const prerendered = join(clean, 'index.html')
  const file = isSafe && existsSync(join(distribution, prerendered)) ? prerendered : 'shell.html'
  const page = pages.get(file) ?? (await readPage(file))
  pages.set(file, page)
  // Keeps shared links out of search engines, even if somebody publishes one.
  if (clean.startsWith('/shared/')) reply.header('x-robots-tag', 'noindex, nofollow')
  reply
    .status(isPagePath(path) ? 200 : 404)
    .headers({ 'cache-control': 'no-cache', etag: page.etag, vary: 'Accept-Encoding' })
    .type('text/html; charset=utf-8')
  const isKnown = reply.statusCode === 200 && request.headers['if-none-match'] === page.etag
  if (isKnown) return reply.status(304).send()
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  if (encoding) reply.header('content-encoding', encoding)
  return reply.send(page.bodies[encoding ?? 'identity'])
}

interface Page {
  etag: string
  /** Compressed bodies by encoding. */
  bodies: Record<string, Buffer>
}

const pages = new Map<string, Page>()

async function readPage(file: string): Promise<Page> {
  const html = markPage(await readFile(join(distribution, file), 'utf8'))
  const [br, gz] = await Promise.all([promisify(brotliCompress)(html), promisify(gzip)(html)])
  const hash = createHash('sha256').update(html).digest('hex')
  return { etag: `W/"${hash}"`, bodies: { identity: Buffer.from(html), br, gzip: gz } }
}

/**
 * Marks a page whose API is on its own origin (web/app/api-address.ts). The build has no mark: on a
 * static host the API follows the host's name.
 */
export function markPage(html: string): string {
  return html.replace('</title>', '</title><meta name="cutindex-api" content="same-origin" />')
}
