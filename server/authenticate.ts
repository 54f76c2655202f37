/** Finds out who calls: a session, an API key, else the bearer of a ticket, or nobody. */
import type { FastifyRequest } from 'fastify'
import { apiKeyPrefix, testKeyPrefix } from '../domain/money/catalogue.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { findSession } from './sign-in/session.ts'
import { refuseOutOfScope } from './api-keys/scopes.ts'
import { verifyApiKey } from './api-keys/verify.ts'
import { networkOf } from './http/rate-limit.ts'
import type { Actor } from './ground/actor.ts'
import type { Context } from './ground/context.ts'
import { Refusal } from './ground/refusal.ts'
import { noPrefetch } from './db/prefetch.ts'
import type { Prefetcher } from './db/prefetch.ts'
import { verifyTicket } from './ground/ticket.ts'

export async function authenticate(
  ctx: Context,
  endpoint: Endpoint,
  request: FastifyRequest,
  prefetcher?: Prefetcher,
): Promise<Actor> {
  if (endpoint.auth === 'anyone') {
    return { kind: 'anyone', accountId: null, network: networkOf(request.ip) }
  }
  const ticket = (request.query as { ticket?: unknown }).ticket
  // A proxy's own Basic header says nothing about who calls us.
  const isBearer = /^Bearer /i.test(request.headers.authorization ?? '')
  if (endpoint.ticket && typeof ticket === 'string' && !isBearer) {
    const objectId = (request.params as { id?: string }).id ?? ''
    const bearer = await verifyTicket(ctx, ticket, { scope: endpoint.ticket, objectId })
    if (bearer) return bearer
    throw new Refusal('unauthenticated', 'This link has expired. Please request a new one.')
  }
  const token = bearerToken(request)
  const prefetch = prefetcher?.(ctx, request.query) ?? noPrefetch
  if (token.startsWith(apiKeyPrefix) || token.startsWith(testKeyPrefix)) {
    const actor = await verifyApiKey(ctx, token, { address: request.ip, prefetch })
    if (!actor) throw new Refusal('unauthenticated', 'This API key is not valid or has expired.')
    if (endpoint.auth === 'session') {
      throw new Refusal('forbidden', 'An API key may not do this. Please sign in and use the site.')
    }
    refuseOutOfScope(actor, endpoint)
    return actor
  }
  const actor = await findSession(ctx, token, prefetch)
  if (!actor) throw new Refusal('unauthenticated', 'Your session has ended. Please log in again.')
  if (actor.tokenKind === 'redirect' && !endpoint.redirectToken) {
    throw new Refusal('forbidden', 'This token only completes a login. Exchange it for a session.')
  }
  return actor
}

function bearerToken(request: FastifyRequest): string {
  const header = request.headers.authorization
  if (header === undefined) throw new Refusal('unauthenticated', 'Please log in first')
  const match = /^Bearer ([\w-]{1,500})$/i.exec(header.trim())
  if (!match?.[1]) {
    throw new Refusal('unauthenticated', 'The Authorization header must be "Bearer" and a token.')
  }
  return match[1]
}
