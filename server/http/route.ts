/**
 * Makes Fastify routes from the contract: limit, authenticate, parse, run once, answer. A body is
 * read only when the caller is known and within the limit. The one place where a Refusal, a
 * framework error and a bug become an error answer.
 */
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { api } from '../../contract/api.ts'
import type { EndpointName } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ErrorAnswer, RefusalCode } from '../../contract/refusal.ts'
import type { Actor } from '../ground/actor.ts'
import { DatabaseAway } from '../db/away.ts'
import { inShareOf } from '../db/connection-share.ts'
import { isConflict } from '../db/retry-conflicts.ts'
import type { Context } from '../ground/context.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import { runOnce } from './idempotency.ts'
import type { Answer } from './idempotency.ts'
import { countRefusal } from '../ground/count-requests.ts'
import { plainAnswer } from './plain-answer.ts'
import { createRateLimiter, networkOf } from './rate-limit.ts'
import type { Exchange, Verbs } from '../ground/verb.ts'

type AnyVerb = (ctx: Context, actor: Actor, input: object, exchange: Exchange) => Promise<unknown>

/** Identifies the caller, or refuses. */
export type Authenticate = (
  ctx: Context,
  endpoint: Endpoint,
  request: FastifyRequest,
) => Promise<Actor>

/** Runs the verb of every call, and records it. */
export type RecordCall = <Answer>(
  ctx: Context,
  call: { name: EndpointName; actor: Actor; address: string; input: object },
  run: () => Promise<Answer>,
) => Promise<Answer>

/** Admits a request within the rates of its address and its account; returns the caller. */
export type Admit = (endpoint: Endpoint, request: FastifyRequest) => Promise<void>

export function createAdmission(ctx: Context, authenticate: Authenticate): Admit {
  const limiter = createRateLimiter(ctx.config.rate)
  return async (endpoint, request) => {
    const address = `address ${networkOf(request.ip)}`
    limiter.take(address, Date.now())
    // A crowd with one credential gets one share; who has another one at the same address, behind
    // the same router, does not wait for it.
    const crowd = request.headers.authorization ?? address
    const actor = await inShareOf(crowd, () => authenticate(ctx, endpoint, request))
    request.actor = actor
    if (actor.accountId) limiter.take(`account ${actor.accountId}`, Date.now())
  }
}

export function registerRoutes(
  app: FastifyInstance,
  ctx: Context,
  { verbs, admit, record }: { verbs: Verbs; admit: Admit; record: RecordCall },
): void {
  const handle = async (
    name: EndpointName,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> => {
    const endpoint: Endpoint = api[name]
    const { actor } = request
    if (!actor) throw new Error('A request reached its verb without being admitted.')
    const input = parseInput(endpoint, request)
    const key = request.headers['idempotency-key']
    const { accountId } = actor
    const onceFor =
      endpoint.creates && typeof key === 'string' && accountId
        ? (body: unknown, work: (effectId: string) => Promise<Answer>) =>
            runOnce(ctx, { accountId, key, endpoint: name, body }, work)
        : null
    const { origin = '' } = request.headers
    const pageOrigin = ctx.config.allowedOrigins.has(origin) ? origin : undefined
    const status = endpoint.status ?? 200
    const once: Exchange['once'] = async (read, make) => {
      if (!onceFor) return await make()
      const { body } = await onceFor(read, async () => ({ status, body: await make() }))
      return body as Awaited<ReturnType<typeof make>>
    }
    const run = async (effectId?: string): Promise<Answer> => {
      const verb = verbs[name] as AnyVerb
      const body = await record(ctx, { name, actor, address: request.ip, input }, () =>
        verb(ctx, actor, input, { request, reply, effectId, once, pageOrigin }),
      )
      return { status, body }
    }
    const isRepeatable = onceFor !== null || repeatableMethods.has(endpoint.method)
    const answer = await inShareOf(accountId, () =>
      onceFor && !endpoint.rawBody ? onceFor(input, run) : run(),
    ).catch((error: unknown) => {
      throw isRepeatable && isConflict(error) ? busy(error) : error
    })
    if (reply.sent || endpoint.rawReply) return reply
    if (ctx.config.checkReplies) endpoint.reply?.parse(answer.body)
    return reply.status(answer.status).send(answer.body)
  }
  for (const name of Object.keys(api) as EndpointName[]) {
    const endpoint: Endpoint = api[name]
    const route = {
      method: endpoint.method,
      url: `/v1${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`,
      onRequest: (request: FastifyRequest) => admit(endpoint, request),
      handler: (request: FastifyRequest, reply: FastifyReply) => handle(name, request, reply),
      exposeHeadRoute: false,
      config: { isUpload: endpoint.rawBody?.isUpload ?? false },
    }
    if (!endpoint.rawBody) app.route(route)
    else {
      // The verb reads the stream itself, so that a large body never fills the memory.
      void app.register(async (scope) => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
        scope.route({ ...route, bodyLimit: Number.MAX_SAFE_INTEGER })
      })
    }
  }
}

/** A verb may write in several transactions, so only these can be sent again after one failed. */
const repeatableMethods: ReadonlySet<Endpoint['method']> = new Set(['GET', 'HEAD', 'PUT', 'DELETE'])

/** Refuses if the database is away, when nobody knows whether the call took effect. */
function databaseAway(): Refusal {
  const sentence = 'Our database does not answer. Please try again in a moment.'
  return new Refusal('interrupted', sentence, { retryAfterSeconds: 5 })
}

function busy(cause: unknown): Refusal {
  const sentence = 'Others are changing the same things just now. Please try again in a moment.'
  const refusal = new Refusal('unavailable', sentence, { retryAfterSeconds: 1 })
  refusal.cause = cause
  return refusal
}

function parseInput(endpoint: Endpoint, request: FastifyRequest): object {
  const input: Record<string, unknown> = {}
  if (endpoint.params) {
    const parsed = endpoint.params.safeParse(request.params)
    // A malformed id cannot belong to anything, so it is answered like a missing one.
    if (!parsed.success || !isStorable(request.params)) throw notFound('What you asked for')
    input.params = parsed.data
  }
  if (endpoint.query) input.query = parse(endpoint.query, request.query)
  if (endpoint.body) input.body = parse(endpoint.body, request.body ?? {})
  return input
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success && isStorable(value)) return parsed.data
  const issue = parsed.error?.issues[0]
  const field = issue?.path.join('.')
  throw new Refusal('invalid', sentenceOf(issue), field ? { field } : {})
}

/** Our own messages are used unchanged; the library's defaults need the field's name. */
function sentenceOf(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'The request holds text that cannot be stored: U+0000 or half a character.'
  const field = issue.path.join('.')
  const isOwnText = issue.message.startsWith('Please ')
  return isOwnText || !field ? issue.message : `The field "${field}" is wrong: ${issue.message}`
}

/** The database keeps neither U+0000 nor half of a surrogate pair. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).flat().every(isStorable)
}

export function answerError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const isAway = error instanceof DatabaseAway
  const refusal = error instanceof Refusal ? error : isAway ? databaseAway() : refusalOf(error)
  if (!refusal || isAway) request.log.error({ err: error }, 'request failed')
  const { code, message, details, retryAfterSeconds, status } =
    refusal ??
    new Refusal('internal', 'Something went wrong on our side. Please try again in a moment.')
  countRefusal(code)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  if (code === 'unauthenticated' && !reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', 'Bearer')
  }
  const body: ErrorAnswer = { message, error: message, code, request_id: request.id, ...details }
  return reply.status(status).type('application/json; charset=utf-8').send(body)
}

/** Answers bytes that are not HTTP with the same refusal, written to the socket itself. */
export function answerNoRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  // Nobody waits for an answer if the headers never came.
  const isSilent = error.code === 'ECONNRESET' || error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  if (isSilent || !socket.writable) {
    socket.destroy()
    return
  }
  socket.write(unreadable)
  // Otherwise a client that leaves its end open would keep the socket.
  socket.destroySoon()
}

const malformed = 'The request could not be read. Please check its syntax.'
const unreadable = plainAnswer('malformed', malformed)

/** Translates refusals of the framework. */
function refusalOf(error: Error & { statusCode?: number; code?: string }): Refusal | null {
  const status = error.statusCode ?? 500
  const known: Record<number, [RefusalCode, string]> = {
    400: ['malformed', malformed],
    404: ['not_found', 'There is nothing at this address.'],
    405: ['method_not_allowed', 'This address does not answer to that method.'],
    413: ['too_large', 'The request is too large.'],
    414: ['malformed', 'The address is too long.'],
    415: ['unsupported_type', 'Please send this request as application/json.'],
    416: ['range_not_satisfiable', 'The file has no such range of bytes.'],
  }
  const entry = known[status] ?? (status >= 400 && status < 500 ? known[400] : undefined)
  return entry ? new Refusal(entry[0], entry[1]) : null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the request is admitted. */
    actor: Actor | null
  }
}
