/** The typed client that a table of endpoints turns into. The web and the package both use it. */
import { addressOf, CallError } from '../contract/endpoint.ts'
import type { CallOptions, Client, Endpoint } from '../contract/endpoint.ts'
import type { ErrorAnswer } from '../contract/refusal.ts'

/** Runs a creating call with a key that stays the same until its answer has arrived. */
export type WithKey = <Answer>(
  request: string,
  call: (idempotencyKey: string) => Promise<Answer>,
) => Promise<Answer>

/** Makes one call, more than once where that is safe. */
export type Attempt = <Answer>(
  call: { name: string; endpoint: Endpoint; hasKey: boolean; signal?: AbortSignal },
  send: (signal?: AbortSignal) => Promise<Answer>,
) => Promise<Answer>

export interface ClientSettings {
  base: string
  token: () => string | null
  /** Called with the token that was refused, which may have been replaced meanwhile. */
  onUnauthenticated?: (token: string | null) => void
  /** Gives every creating call its `Idempotency-Key`, unless the caller brings one. */
  withKey?: WithKey
  attempt?: Attempt
  fetch?: typeof fetch
}

export function createClient<T extends Record<string, Endpoint>>(
  endpoints: T,
  settings: ClientSettings,
): Client<T> {
  const { withKey, attempt = (call, send) => send(call.signal) } = settings
  const call = (
    name: string,
    endpoint: Endpoint,
    args: CallArguments = {},
    options: CallOptions = {},
  ) => {
    const address = addressOf(settings.base, endpoint, args as Record<string, never>)
    const token = endpoint.auth === 'anyone' ? null : settings.token()
    const send = (idempotencyKey?: string) =>
      attempt(
        { name, endpoint, hasKey: idempotencyKey !== undefined, signal: options.signal },
        (attemptSignal) =>
          sendCall(
            { endpoint, address, token, body: args.body, fetch: settings.fetch, attemptSignal },
            { ...options, idempotencyKey },
          ),
      )
    const answer =
      withKey && endpoint.creates && !options.idempotencyKey
        ? withKey(`${endpoint.method} ${address} ${JSON.stringify(args.body ?? null)}`, send)
        : send(options.idempotencyKey)
    return answer.catch((error: unknown) => {
      if (error instanceof CallError && error.status === 401) settings.onUnauthenticated?.(token)
      throw error
    })
  }
  const entries = Object.entries<Endpoint>(endpoints)
    .filter(([, endpoint]) => endpoint.reply)
    .map(([name, endpoint]) => [
      name,
      (args?: object, options?: CallOptions) => call(name, endpoint, args, options),
    ])
  return Object.fromEntries(entries) as Client<T>
}

type CallArguments = { params?: object; query?: object; body?: object }

async function sendCall(
  request: {
    endpoint: Endpoint
    address: string
    token: string | null
    body?: object
    fetch?: typeof fetch
    attemptSignal?: AbortSignal
  },
  { signal, idempotencyKey, keepalive }: CallOptions,
): Promise<unknown> {
  const headers: Record<string, string> = {}
  if (request.token) headers.authorization = `Bearer ${request.token}`
  if (request.body) headers['content-type'] = 'application/json'
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey
  const lost = (cause: unknown): never => {
    if (signal?.aborted) throw cause
    throw new CallError(0, { message: 'Network error. Please check your connection.' })
  }
  const response = await (request.fetch ?? fetch)(request.address, {
    method: request.endpoint.method,
    headers,
    signal: request.attemptSignal,
    keepalive,
    ...(request.endpoint.cookies ? { credentials: 'include' as const } : {}),
    body: request.body ? JSON.stringify(request.body) : undefined,
  }).catch(lost)
  // A body that breaks off is a lost answer, whatever its status said.
  const text = await response.text().catch(lost)
  const answer = readJson(text)
  if (response.ok) return answer
  throw errorOf(response, answer)
}

export function errorOf(response: Response, answer: Partial<ErrorAnswer> | null): CallError {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new CallError(
    response.status,
    answer ?? {},
    Number.isFinite(seconds) ? seconds : undefined,
  )
}

/** Null for what is no JSON: a proxy's own page, or an empty body. */
export function readJson(text: string): Partial<ErrorAnswer> | null {
  try {
    return JSON.parse(text) as Partial<ErrorAnswer>
  } catch {
    return null
  }
}
