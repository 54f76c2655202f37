/**
 * A server that answers as the specification says and knows nothing else: its calls, its fields,
 * its error fields. Written from the specification alone, without the contract, so that a screen
 * which leans on our additions fails against it. It serves the built web beside its calls,
 * marked as our server does.
 */
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'
import { markPage } from '../../server/http/static.ts'

type Body = Record<string, unknown>
type Answer = [status: number, body?: Body]

export interface SpecifiedServer {
  url: string
  /** "METHOD /path" of every call that the specification does not know. */
  unknownCalls: Set<string>
  /** The bodies of JSON calls, by "METHOD /path". */
  bodies: Map<string, Body>
  stop: () => Promise<void>
}

const dist = resolve(import.meta.dirname, '../../dist')
const at = '2026-03-04T10:20:30.000Z'
const token = 'specified-token'

export async function startSpecifiedServer(): Promise<SpecifiedServer> {
  const unknownCalls = new Set<string>()
  const bodies = new Map<string, Body>()
  const state = newState()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (!url.pathname.startsWith('/v1/')) sendFile(response, url.pathname)
    else void answerCall({ request, response, url, state, bodies, unknownCalls })
  })
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    unknownCalls,
    bodies,
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

/** Section 3: entities and their fields, no more. */
function newState() {
  return {
    user: {
      id: 'user-1',
      email: 'mia@example.com',
      username: 'mia',
      name: null,
      picture: null,
      createdAt: at,
      account_balance_usd: 17.5,
      auto_reload_enabled: false,
      auto_reload_threshold_usd: null as number | null,
      auto_reload_amount_usd: null as number | null,
      auto_reload_consent_accepted_at: null as string | null,
    },
    content: [
      contentItem('content-1', { file_name: 'interview.mov', content_type: 'upload' }),
      contentItem('content-2', { file_name: 'A talk', content_type: 'youtube', file_size: null }),
    ] as Body[],
    jobs: ['completed', 'running', 'failed', 'paused'].map((status, index) => ({
      id: `${index}${index}${index}${index}aaaa-job`,
      status,
      content_url: 'https://media.example.com/clips/take%20one.mov',
      created_at: at,
      workflow: 'ffprobe,thumbnail',
    })) as Body[],
    cards: [card('card-1', true), card('card-2', false)],
    keys: [apiKey('key-1', 'Ingest', 'active'), apiKey('key-2', 'Old', 'expired')] as Body[],
  }
}

type State = ReturnType<typeof newState>

const calls: Record<string, (state: State, body: Body, id: string) => Answer> = {
  'GET /user/me': ({ user }) => [200, user],
  'GET /user/billing-stats': () => [
    200,
    { total_spent_usd: 50, total_bonus_credits_usd: 2.5, total_credits_purchased_usd: 52.5 },
  ],
  'GET /user/billing-history': () => [200, { transactions: [] }],
  'GET /content': ({ content }) => [200, { content }],
  'POST /content/upload': (state) => {
    const item = contentItem('content-3', { file_name: 'new.txt', content_type: 'upload' })
    state.content.unshift(item)
    return [200, { content: item }]
  },
  'POST /content/reference': (state, { url }) => {
    if (url === 'https://twice.example.com/a.mov') return [409, { error: 'Known already' }]
    const item = contentItem('content-4', { file_name: 'Reference', content_type: 'url' })
    state.content.unshift({ ...item, canonical_url: url })
    return [200, { content: item }]
  },
  'DELETE /content/{id}': (state, _, id) => {
    state.content = state.content.filter((item) => item.id !== id)
    return [204]
  },
  'GET /jobs': ({ jobs }) => [200, { jobs }],
  'POST /jobs': (state, body) => {
    const { content_url, workflow } = body
    const job = { id: 'newjob00-job', status: 'queued', content_url, created_at: at, workflow }
    state.jobs.unshift(job)
    return [200, { job: { id: job.id } }]
  },
  'POST /payment/checkout': () => [200, { checkout_url: '/payment/cancel' }],
  'GET /payment/config': () => [200, { publishable_key: 'pk_specified' }],
  'POST /payment/setup-intent': () => [200, { client_secret: 'seti_1_secret_1' }],
  'POST /payment/confirm-setup-intent': () => [200],
  'GET /user/payment-methods': ({ cards }) => [200, { paymentMethods: cards }],
  'PUT /user/payment-methods/{id}/default': (state, _, id) => {
    state.cards = state.cards.map((item) => ({ ...item, is_default: item.id === id }))
    return [200]
  },
  'DELETE /user/payment-methods/{id}': (state, _, id) => {
    state.cards = state.cards.filter((item) => item.id !== id)
    return [200]
  },
  'PUT /user/auto-reload': (state, body) => {
    const known = ['enabled', 'threshold_usd', 'amount_usd', 'package_id']
    if (Object.keys(body).some((key) => !known.includes(key))) {
      return [422, { message: 'Unknown field' }]
    }
    state.user.auto_reload_enabled = body.enabled as boolean
    state.user.auto_reload_threshold_usd = body.threshold_usd as number
    state.user.auto_reload_amount_usd = body.amount_usd as number
    state.user.auto_reload_consent_accepted_at = at
    return [200]
  },
  'GET /api-keys': ({ keys }) => [200, { apiKeys: keys }],
  'POST /api-keys': (state, { name }) => {
    const key = apiKey('key-3', String(name), 'active')
    state.keys.unshift(key)
    return [200, { apiKey: { ...key, key: 'ci_live_specified' } }]
  },
  'DELETE /api-keys': (state) => {
    state.keys = state.keys.slice(1)
    return [200]
  },
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  state: State
  bodies: Map<string, Body>
  unknownCalls: Set<string>
}

async function answerCall(exchange: Exchange): Promise<void> {
  const { request, response, url, state } = exchange
  const path = url.pathname.slice('/v1'.length)
  const [, id = ''] = /^\/(?:content|user\/payment-methods)\/([^/]+)/.exec(path) ?? []
  const name = `${request.method} ${id ? path.replace(id, '{id}') : path}`
  const plain = `${request.method} ${path}`
  const specified = calls[plain] ?? calls[name]
  const body = await readBody(request)
  if (name === 'GET /content/{id}/download') {
    response.writeHead(200, { 'content-type': 'text/plain' }).end('The bytes.')
    return
  }
  if (name === 'GET /user/billing-history') {
    send(response, [200, { transactions: transactions(url.searchParams.get('type')) }])
    return
  }
  if (/^\/auth\/(github|google)$/.test(path)) {
    const back = `/?token=${token}&provider=${path.slice('/auth/'.length)}&email=mia%40example.com`
    response.writeHead(302, { location: back }).end()
    return
  }
  if (!specified) {
    exchange.unknownCalls.add(name)
    send(response, [404, { message: 'Not found' }])
    return
  }
  if (request.headers.authorization !== `Bearer ${token}`) {
    send(response, [401, { message: 'Unauthorized' }])
    return
  }
  exchange.bodies.set(plain, body)
  send(response, specified(state, body, id))
}

/** Keeps purchases without a bonus percentage: the specification lists the field only. */
function transactions(type: string | null): Body[] {
  const row = { created_at: new Date().toISOString(), metadata: '{}', job_id: null }
  const none = { credit_package_bonus_percentage: null }
  if (type === 'charge') {
    const charge = { ...row, ...none, amount_usd: -0.75, job_id: '0000aaaa-job' }
    return [{ ...charge, id: 'charge-1', description: 'Analysis of interview.mov' }]
  }
  const reload = { ...row, metadata: '{"is_auto_reload":true}', amount_usd: 52.5 }
  return [
    { ...row, ...none, id: 'credit-1', description: 'STARTER package', amount_usd: 10 },
    {
      ...reload,
      id: 'credit-2',
      description: 'POWER package',
      credit_package_bonus_percentage: 5,
    },
  ]
}

function contentItem(id: string, item: Body): Body {
  const canonical_url = `https://media.example.com/${id}`
  return { id, canonical_url, file_size: 1536, created_at: at, ...item }
}

function card(id: string, isDefault: boolean) {
  const expiry = { card_exp_month: 7, card_exp_year: 2031 }
  return { id, card_brand: 'visa', card_last4: '4242', ...expiry, is_default: isDefault }
}

function apiKey(id: string, name: string, status: string): Body {
  return { id, name, status, created_at: at, last_used_at: null, expires_at: at }
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  try {
    return JSON.parse(Buffer.concat(pieces).toString()) as Body
  } catch {
    return {}
  }
}

function send(response: ServerResponse, [status, body]: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body ? JSON.stringify(body) : undefined)
}

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
}

function sendFile(response: ServerResponse, path: string): void {
  const direct = join(dist, path)
  const isFile = extname(path) !== '' && extname(path) !== '.html' && existsSync(direct)
  const prerendered = join(dist, path, 'index.html')
  const file = isFile ? direct : existsSync(prerendered) ? prerendered : join(dist, 'shell.html')
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
  if (extname(file) === '.html') response.end(markPage(readFileSync(file, 'utf8')))
  else createReadStream(file).pipe(response)
}
