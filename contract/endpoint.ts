/**
 * Describes an endpoint, and derives types from a table of them. Fastify's routes, the client
 * (client/create-client.ts) and the OpenAPI document are all made from the same table.
 */
import type * as z from 'zod'
import type { ErrorAnswer, RefusalCode } from './refusal.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'

/** Scopes of an API key. A `:write` scope includes the `:read` of its noun. */
export const scopes = [
  'content:read',
  'content:write',
  'jobs:read',
  'jobs:write',
  'search',
  'billing:read',
  'webhooks',
] as const
export type Scope = (typeof scopes)[number]

/** A key without scopes may do whatever keys may do. */
export function mayUse(granted: readonly Scope[] | null, scope: Scope | 'any'): boolean {
  if (granted === null || scope === 'any') return true
  return granted.includes(scope) || granted.some((own) => own.replace('write', 'read') === scope)
}

export interface Endpoint {
  method: Method
  /** Under /v1, with {names} in braces. */
  path: string
  tag:
    | 'Accounts'
    | 'Billing'
    | 'Payments'
    | 'Projects'
    | 'Content'
    | 'Jobs'
    | 'Cuts'
    | 'Syncs'
    | 'API keys'
    | 'Webhooks'
    | 'Service'
  summary: string
  /** Words for the call in the audit log; by default its summary. */
  record?: string
  description?: string
  /**
   * `anyone`: no token is read. `session`: a signed-in person only. `key`: a person or an API key.
   * `ticket`: a person, a key, or a signed address that stands for one object.
   */
  auth: 'anyone' | 'session' | 'key' | 'ticket'
  /** Which scope lets an API key in. Every endpoint that takes keys names one. */
  scope?: Scope | 'any'
  /** The scope of the ticket, where one is taken. */
  ticket?: 'download' | 'play' | 'thumbnail' | 'job-files' | 'cut-files'
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodObject
  /** Bodies that are not JSON: the verb reads the stream itself. */
  rawBody?: { contentType: string; schema: object; mayBeEmpty?: true; isUpload?: true }
  /** Headers that the call needs beside the usual ones, with what they hold. */
  headers?: Record<string, string>
  /** A JSON answer, checked against this schema in tests. */
  reply?: z.ZodType
  /** Answers that the verb writes itself. `refused`: the errors of a standard, with 400. */
  rawReply?: {
    contentType: string | readonly string[]
    description: string
    schema?: object
    refused?: object
  }
  status?: 200 | 201 | 202 | 204 | 302
  /** Beside those that follow from the path, the body and who may call (server/http/openapi.ts). */
  refusals?: readonly RefusalCode[]
  /** The redirect's token may call it too; everything else waits for the exchange. */
  redirectToken?: true
  /** The browser's cookies travel with the call, from another allowed origin too. */
  cookies?: true
  /** Stores nothing although its method would: a quote, a ticket. The audit log leaves it out. */
  changesNothing?: true
  /** Honours `Idempotency-Key`. */
  creates?: boolean
  example?: { body?: unknown; reply?: unknown }
}

/** The schema of a form, from its fields with what they hold. */
export function formOf(fields: Record<string, string>): object {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, description]) => [name, { type: 'string', description }]),
  )
  return { type: 'object', required: Object.keys(fields), properties }
}

type Part = 'params' | 'query' | 'body'
type Parts<E, Side extends 'input' | 'output'> = {
  [K in Part as E extends Record<K, z.ZodType> ? K : never]: E extends Record<K, infer S>
    ? S extends z.ZodType
      ? Side extends 'input'
        ? z.input<S>
        : z.output<S>
      : never
    : never
}

/** Input as a caller writes it. */
export type Arguments<E> = Parts<E, 'input'>
/** Input as a verb receives it, parsed. */
export type Input<E> = Parts<E, 'output'>
export type Reply<E> = E extends { reply: infer R }
  ? R extends z.ZodType
    ? z.output<R>
    : never
  : void

/** `keepalive`: the call outlives the page that makes it. */
export type CallOptions = { signal?: AbortSignal; idempotencyKey?: string; keepalive?: boolean }
type Call<E> = keyof Arguments<E> extends never
  ? (args?: undefined, options?: CallOptions) => Promise<Reply<E>>
  : (args: Arguments<E>, options?: CallOptions) => Promise<Reply<E>>

export type Client<T extends Record<string, Endpoint>> = {
  [K in keyof T as T[K] extends { reply: z.ZodType } ? K : never]: Call<T[K]>
}

/** An error answer of the service, with the fields of its body. */
export class CallError extends Error {
  status: number
  code: RefusalCode | 'network'
  body: Partial<ErrorAnswer>
  /** Seconds that the service asks to wait before the next attempt. */
  retryAfterSeconds: number | undefined

  constructor(status: number, body: Partial<ErrorAnswer>, retryAfterSeconds?: number) {
    super(body.message ?? body.error ?? `The service answered ${status}.`)
    this.name = 'CallError'
    this.status = status
    this.code = body.code ?? codeByStatus[status] ?? 'internal'
    this.body = body
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The code that a server means which sends only the specification's fields. */
const codeByStatus: Partial<Record<number, CallError['code']>> = {
  0: 'network',
  400: 'malformed',
  401: 'unauthenticated',
  402: 'insufficient_credit',
  403: 'forbidden',
  404: 'not_found',
  409: 'duplicate',
  410: 'gone',
  413: 'too_large',
  415: 'unsupported_type',
  422: 'invalid',
  429: 'rate_limited',
  503: 'unavailable',
}

type QueryValue = string | number | boolean | null | undefined

/** The address of an endpoint with its path and query filled in. */
export function addressOf(
  base: string,
  endpoint: Pick<Endpoint, 'path'>,
  args: { params?: Record<string, QueryValue>; query?: Record<string, QueryValue> } = {},
): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(args.params?.[name])),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(args.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  const text = query.toString()
  return `${base}/v1${path}${text ? `?${text}` : ''}`
}
