/** The few things of HTTP that the sandbox needs: a table of routes, forms and plain answers. */
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from 'node:http'

const bodyLimitBytes = 256 * 1024

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

export type Route = {
  method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS'
  path: string
  handle(request: Request): Answer | Promise<Answer>
}

export function serveRoutes(
  routes: Route[],
  afterHandling: () => void,
  log: (line: string) => void,
): RequestListener {
  const compiled = routes.map((route) => ({ route, pattern: compilePath(route.path) }))
  return (incoming, outgoing) => {
    respond(incoming, outgoing).catch((error: unknown) => {
      log(String(error))
      outgoing.destroy()
    })
  }

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const answer = await answerRequest(compiled, incoming).catch((error: unknown) => {
      log(error instanceof Error ? (error.stack ?? error.message) : String(error))
      return answerText(500, 'The sandbox failed.')
    })
    // What an answer tells must already be on disk when it leaves.
    afterHandling()
    outgoing.writeHead(answer.status, {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...answer.headers,
    })
    outgoing.end(incoming.method === 'HEAD' ? undefined : answer.body)
  }
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
    setAt(tree, steps, value)
  }
  return tree
}

/** The same for a form of plain fields, as a page sends it. */
export function parseFields(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

function setAt(tree: FormTree, steps: string[], value: string): void {
  let node = tree
  for (const step of steps.slice(0, -1)) {
    const name = nameIn(node, step)
    const next = node[name]
    if (typeof next === 'object') {
      node = next
    } else {
      const created = emptyTree()
      node[name] = created
      node = created
    }
  }
  node[nameIn(node, steps.at(-1) ?? '')] = value
}

/** `a[]=x` appends. */
function nameIn(node: FormTree, step: string): string {
  return step === '' ? String(Object.keys(node).length) : step
}

function emptyTree(): FormTree {
  return Object.create(null) as FormTree
}

async function answerRequest(
  compiled: { route: Route; pattern: RegExp }[],
  incoming: IncomingMessage,
): Promise<Answer> {
  const url = new URL(incoming.url ?? '/', 'http://sandbox')
  const method = incoming.method === 'HEAD' ? 'GET' : (incoming.method ?? 'GET')
  const body = await readBody(incoming)
  if (body === undefined) return answerText(413, 'The body is too large.')
  let pathKnown = false
  for (const { route, pattern } of compiled) {
    const match = pattern.exec(url.pathname)
    if (match === null) continue
    pathKnown = true
    if (route.method !== method) continue
    const path = Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([name, value]) => [name, safeDecode(value)]),
    )
    return await route.handle({ method, url, headers: incoming.headers, path, body })
  }
  return pathKnown ? answerText(405, 'Method not allowed.') : answerText(404, 'Not found.')
}

async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes > bodyLimitBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function compilePath(path: string): RegExp {
  const pattern = path
    .replace(/[.]/g, '\\.')
    .replace(/:(\w+)/g, '(?<$1>[^/]+)')
    .replace(/\*$/, '.*')
  return new RegExp(`^${pattern}$`)
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
