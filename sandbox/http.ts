/** Fastify as the sandbox uses it: a table of routes, bodies as text, plain answers. */
import type { IncomingHttpHeaders } from 'node:http'
import { fastify } from 'fastify'
import type { FastifyInstance } from 'fastify'

export type FormTree = { [name: string]: string | FormTree }

export type Request = {
  method: string
  url: URL
  headers: IncomingHttpHeaders
  /** Values of the route's `:names`. */
  path: Record<string, string>
  body: string
}

export type Answer = {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array
}

export type Route = [
  method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS',
  path: string,
  handle: (request: Request) => Answer | Promise<Answer>,
]

export function serveRoutes(
  routes: Route[],
  afterHandling: () => void,
  log: (line: string) => void,
): FastifyInstance {
  const app = fastify({ bodyLimit: 256 * 1024, forceCloseConnections: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const status = error.statusCode ?? 500
    if (status === 500) log(error.stack ?? error.message)
    return reply.code(status).send(status === 500 ? 'The sandbox failed.' : error.message)
  })
  // Anything that an answer reports must already be on disk when it leaves.
  app.addHook('onSend', async () => afterHandling())
  for (const [method, path, handle] of routes) {
    app.route<{ Params: Record<string, string>; Body: string | undefined }>({
      method,
      url: path,
      handler: async ({ method, url, headers, params, body = '' }, reply) => {
        const request = { method, url: new URL(url, 'http://sandbox'), headers, path: params, body }
        const answer = await handle(request)
        const common = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
        return reply
          .code(answer.status)
          .headers({ ...common, ...answer.headers })
          .send(answer.body)
      },
    })
  }
  return app
}

export function answerJson(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value, null, 2),
  }
}

export function answerText(status: number, text: string, type = 'text/plain'): Answer {
  return { status, headers: { 'content-type': `${type}; charset=utf-8` }, body: text }
}

export function answerRedirect(location: string): Answer {
  return { status: 303, headers: { location }, body: '' }
}

/** Reads `a[b][0]=c` into nested objects; lists become objects with numbers as names. */
export function parseForm(text: string): FormTree {
  const tree = emptyTree()
  const pairs = [...new URLSearchParams(text)]
  if (pairs.length > 1000) throw new RangeError('A form has at most 1000 fields.')
  for (const [name, value] of pairs) {
    const steps = name.split('[').map((step) => step.replace(/\]$/, ''))
    if (steps.length > 8) throw new RangeError('A form is at most 8 levels deep.')
    let node = tree
    for (const [index, step] of steps.entries()) {
      // `a[]=x` appends.
      const key = step || String(Object.keys(node).length)
      const next = node[key]
      if (index === steps.length - 1) node[key] = value
      else node = typeof next === 'object' ? next : (node[key] = emptyTree())
    }
  }
  return tree
}

/** Reads a form of plain fields, as a page sends it. */
export function parseFields(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

function emptyTree(): FormTree {
  return Object.create(null) as FormTree
}
