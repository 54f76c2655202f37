/** The payments API: who may call what, idempotency keys, expansion, and the table of calls. */
import { setTimeout as wait } from 'node:timers/promises'
import { answerJson, parseForm } from '../http.ts'
import type { Answer, FormTree, Request, Route } from '../http.ts'
import { createId, isSame, sha256 } from '../ids.ts'
import { listBalanceTransactions } from './balance-transactions.ts'
import type { Call } from './call.ts'
import { createSession, expireSession, listSessions, retrieveSession } from './checkout.ts'
import { createCustomer, deleteCustomer, retrieveCustomer } from './customers.ts'
import { ApiError, invalidRequest, missingResource } from './errors.ts'
import { listBy, listPage, matching, readCreated } from './list.ts'
import type { Provider } from './objects.ts'
import { Params } from './params.ts'
import { createPaymentIntent, listPaymentIntents, retrieveOwn } from './payment-intents.ts'
import { attachMethod, detachMethod, listMethods, retrieveMethod } from './payment-methods.ts'
import { createRefund } from './refunds.ts'
import { confirmSetupIntent, createSetupIntent } from './setup-intents.ts'

export type ApiControl = {
  delayMs: number
  /** So many calls are turned away before they begin. */
  failNext: number
  /** So many calls break while they run, which their key remembers. */
  breakNext: number
  /** The merchant's account may not charge anybody. */
  isRestricted: boolean
}

type Handler = (provider: Provider, call: Call) => object

/** `any`: a browser may call it with the publishable key and the object's client secret. */
const calls: ['GET' | 'POST' | 'DELETE', string, 'secret' | 'any', Handler][] = [
  ['POST', '/v1/customers', 'secret', createCustomer],
  ['GET', '/v1/customers/:id', 'secret', retrieveCustomer],
  ['DELETE', '/v1/customers/:id', 'secret', deleteCustomer],
  ['GET', '/v1/checkout/sessions', 'secret', listSessions],
  ['POST', '/v1/checkout/sessions', 'secret', createSession],
  ['GET', '/v1/checkout/sessions/:id', 'secret', retrieveSession],
  ['POST', '/v1/checkout/sessions/:id/expire', 'secret', expireSession],
  ['POST', '/v1/setup_intents', 'secret', createSetupIntent],
  ['GET', '/v1/setup_intents/:id', 'any', retrieveOwn('setup_intent')],
  ['POST', '/v1/setup_intents/:id/confirm', 'any', confirmSetupIntent],
  ['GET', '/v1/payment_methods', 'secret', listMethods],
  ['GET', '/v1/payment_methods/:id', 'secret', retrieveMethod],
  ['POST', '/v1/payment_methods/:id/attach', 'secret', attachMethod],
  ['POST', '/v1/payment_methods/:id/detach', 'secret', detachMethod],
  ['GET', '/v1/payment_intents', 'secret', listPaymentIntents],
  ['POST', '/v1/payment_intents', 'secret', createPaymentIntent],
  ['GET', '/v1/payment_intents/:id', 'any', retrieveOwn('payment_intent')],
  ['GET', '/v1/charges', 'secret', listBy('charge', '/v1/charges', ['customer', 'payment_intent'])],
  ['GET', '/v1/refunds', 'secret', listBy('refund', '/v1/refunds', ['charge', 'payment_intent'])],
  ['POST', '/v1/refunds', 'secret', createRefund],
  [
    'GET',
    '/v1/disputes',
    'secret',
    listBy('dispute', '/v1/disputes', ['charge', 'payment_intent']),
  ],
  ['GET', '/v1/balance_transactions', 'secret', listBalanceTransactions],
  ['GET', '/v1/events', 'secret', listEvents],
  ['GET', '/v1/events/:id', 'secret', retrieveEvent],
]

const expandable = [
  'customer',
  'payment_method',
  'payment_intent',
  'charge',
  'refund',
  'dispute',
  'balance_transaction',
  'setup_intent',
] as const

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, stripe-version',
  'access-control-max-age': '300',
}

type State = { provider: Provider; control: ApiControl; inFlight: Set<string> }

export function apiRoutes(provider: Provider, control: ApiControl): Route[] {
  const state: State = { provider, control, inFlight: new Set() }
  const known = calls.map(([method, path, allowed, handler]): Route => {
    return [method, path, (request) => answerCall(state, request, allowed, handler)]
  })
  const unknown = (['GET', 'POST', 'DELETE'] as const).map((method): Route => {
    return [method, '/v1/*', (request) => answerError(unknownUrl(request))]
  })
  const preflight = (): Answer => ({ status: 204, headers: corsHeaders, body: '' })
  return [...known, ...unknown, ['OPTIONS', '/v1/*', preflight]]
}

async function answerCall(
  state: State,
  request: Request,
  allowed: 'secret' | 'any',
  handler: Handler,
): Promise<Answer> {
  const answer = await runCall(state, request, allowed, handler).catch(answerError)
  const headers = { ...corsHeaders, 'request-id': createId('req_', 14), ...answer.headers }
  return { ...answer, headers }
}

async function runCall(
  state: State,
  request: Request,
  allowed: 'secret' | 'any',
  handler: Handler,
): Promise<Answer> {
  const isPost = request.method === 'POST'
  const tree = parseForm(isPost ? request.body : request.url.search.slice(1))
  const caller = authenticate(state.provider, request, tree)
  if (allowed === 'secret' && caller !== 'secret') throw secretKeyRequired()
  delete tree['key']
  if (state.control.isRestricted && isPost && request.url.pathname === '/v1/payment_intents') {
    throw invalidRequest('Your account cannot currently make live charges.')
  }
  const run = () => runHandler(state.provider, handler, { tree, path: request.path, caller })
  const key = request.headers['idempotency-key']
  if (isPost && typeof key === 'string') return await runOnce(state, key, request, run)
  await obeyControl(state.control)
  return run()
}

function runHandler(
  provider: Provider,
  handler: Handler,
  input: { tree: FormTree; path: Record<string, string>; caller: Call['caller'] },
): Answer {
  const { tree } = input
  const paths = new Params(tree).texts('expand')
  delete tree['expand']
  try {
    const result = handler(provider, {
      params: new Params(tree),
      path: input.path,
      caller: input.caller,
    })
    const expanded = paths.reduce<object>(
      (value, path) => expand(provider, value, path.split('.')) as object,
      structuredClone(result),
    )
    return answerJson(200, expanded)
  } catch (error) {
    return answerError(error)
  }
}

/** Repeats the stored answer of a key, also a 500. Validation failures are not stored. */
async function runOnce(
  state: State,
  key: string,
  request: Request,
  run: () => Answer,
): Promise<Answer> {
  const { store } = state.provider
  if (key.length > 255) {
    throw invalidRequest('Idempotency keys have at most 255 characters.')
  }
  const print = sha256(`${request.method} ${request.url.pathname} ${request.body}`)
  const stored = store.get('stored_answer', key)
  if (stored !== undefined && stored.createdAtMs > Date.now() - 24 * 3600 * 1000) {
    if (stored.request !== print) throw keyReused(key)
    return {
      status: stored.status,
      headers: {
        'content-type': 'application/json',
        'idempotency-key': key,
        'idempotent-replayed': 'true',
      },
      body: stored.body,
    }
  }
  if (state.inFlight.has(key)) {
    throw new ApiError(409, {
      type: 'invalid_request_error',
      code: 'idempotency_key_in_use',
      message:
        'There is currently another in-progress request using this Idempotent Key ' +
        `(that probably means you submitted twice, and the other request is still going through): ${key}.`,
    })
  }
  state.inFlight.add(key)
  try {
    await obeyControl(state.control)
    const isBroken = state.control.breakNext > 0
    if (isBroken) state.control.breakNext -= 1
    const answer = isBroken ? answerError(unknownError()) : run()
    if (answer.status === 200 || answer.status === 402 || answer.status >= 500) {
      store.put('stored_answer', key, {
        request: print,
        status: answer.status,
        body: String(answer.body),
        createdAtMs: Date.now(),
      })
    }
    return { ...answer, headers: { ...answer.headers, 'idempotency-key': key } }
  } finally {
    state.inFlight.delete(key)
  }
}

async function obeyControl(control: ApiControl): Promise<void> {
  if (control.delayMs > 0) await wait(control.delayMs)
  if (control.failNext === 0) return
  control.failNext -= 1
  throw unknownError()
}

function unknownError(): ApiError {
  return new ApiError(500, {
    type: 'api_error',
    message: 'An unknown error occurred. (A test control asked for it.)',
  })
}

function authenticate(provider: Provider, request: Request, tree: FormTree): Call['caller'] {
  const header = request.headers.authorization ?? ''
  const [scheme = '', value = ''] = header.split(' ')
  const basic = Buffer.from(value, 'base64').toString('utf8').split(':')[0] ?? ''
  const inForm = typeof tree['key'] === 'string' ? tree['key'] : ''
  const key = scheme.toLowerCase() === 'basic' ? basic : value || inForm
  if (key === '') {
    throw new ApiError(401, {
      type: 'invalid_request_error',
      message:
        'You did not provide an API key. You need to provide your API key in the Authorization ' +
        "header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    })
  }
  if (isSame(key, provider.secretKey)) return 'secret'
  if (isSame(key, provider.publishableKey)) return 'publishable'
  throw new ApiError(401, {
    type: 'invalid_request_error',
    code: 'api_key_invalid',
    message: `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`,
  })
}

function answerError(error: unknown): Answer {
  if (error instanceof ApiError) return answerJson(error.status, { error: error.body })
  if (error instanceof RangeError) {
    return answerJson(400, { error: { type: 'invalid_request_error', message: error.message } })
  }
  throw error
}

/** Puts an object in the place of its id, along a dotted path. */
function expand(provider: Provider, value: unknown, path: string[]): unknown {
  const [step, ...rest] = path
  if (step === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => expand(provider, item, path))
  const record = value as Record<string, unknown>
  if (step === 'line_items' && record['object'] === 'checkout.session') {
    const items = provider.store.get('checkout_secret', String(record['id']))?.items ?? []
    return { ...record, line_items: { object: 'list', has_more: false, url: '', data: items } }
  }
  if (!(step in record)) {
    throw invalidRequest(`This property cannot be expanded (${step}).`, { param: 'expand' })
  }
  const inner = record[step]
  const object = typeof inner === 'string' ? findObject(provider, inner) : inner
  return { ...record, [step]: expand(provider, object ?? inner, rest) }
}

function findObject(provider: Provider, id: string): unknown {
  for (const table of expandable) {
    const object = provider.store.get(table, id)
    if (object !== undefined) return object
  }
  return undefined
}

function listEvents(provider: Provider, call: Call): object {
  const { params } = call
  const types = params.texts('types')
  const rows = matching(provider.store.rows('event'), { type: params.text('type') })
    .filter(readCreated(params))
    .filter((event) => types.length === 0 || types.includes(event.type))
  return listPage(rows, params, '/v1/events')
}

function retrieveEvent(provider: Provider, call: Call): object {
  call.params.refuseRest()
  const id = call.path['id'] ?? ''
  const event = provider.store.get('event', id)
  if (event === undefined) throw missingResource('event', id)
  return event
}

function keyReused(key: string): ApiError {
  return new ApiError(400, {
    type: 'idempotency_error',
    message:
      'Keys for idempotent requests can only be used with the same parameters they were first ' +
      `used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  })
}

function secretKeyRequired(): ApiError {
  return new ApiError(401, {
    type: 'invalid_request_error',
    code: 'secret_key_required',
    message:
      'This API call cannot be made with a publishable API key. Please use a secret API key.',
  })
}

function unknownUrl(request: Request): ApiError {
  return new ApiError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${request.method}: ${request.url.pathname}).`,
  })
}
