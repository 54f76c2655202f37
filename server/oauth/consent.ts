/**
 * Endpoints behind the OAuth consent page: what the client asks for, and the authorization code
 * once the user allows it.
 */
/** The page that asks the person: what the client wants, and the code that says yes. */
import { createHash, randomBytes } from 'node:crypto'
import { scopes } from '../../contract/endpoint.ts'
import type { Scope } from '../../contract/endpoint.ts'
import { fromUsdNumber } from '../../domain/money/money.ts'
import { oauthLimits } from '../../contract/account/oauth.ts'
import { Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'
import { findClient } from './client.ts'

/** Asked for if the client names no scope: enough for every tool; none reads payments. */
const defaultScopes: readonly Scope[] = [
  'content:read',
  'content:write',
  'jobs:read',
  'jobs:write',
  'search',
]

export const readOauthRequest: Verb<'readOauthRequest'> = async (ctx, _actor, { query }) => {
  const client = await findClient(ctx, query)
  const { protocol, host } = new URL(query.redirect_uri)
  return {
    client_name: client.name,
    returns_to: host || protocol.replace(/:$/, ''),
    scopes: askedScopes(query.scope),
  }
}

export const allowOauthRequest: Verb<'allowOauthRequest'> = async (ctx, actor, { body }) => {
  const client = await findClient(ctx, body)
  const asked = askedScopes(body.scope)
  if (!body.scopes.every((scope) => asked.includes(scope))) {
    throw new Refusal('invalid', 'The app did not request this scope.', { field: 'scopes' })
  }
  const code = randomBytes(32).toString('base64url')
  const now = ctx.now()
  await ctx.db
    .insertInto('oauth_codes')
    .values({
      code_sha256: createHash('sha256').update(code).digest(),
      client_id: client.id,
      account_id: actor.accountId,
      redirect_uri: body.redirect_uri,
      challenge: body.code_challenge,
      scopes: body.scopes,
      monthly_limit_micros: fromUsdNumber(body.monthly_limit_usd),
      expires_at: new Date(now.getTime() + oauthLimits.codeSeconds * 1000),
    })
    .execute()
  const address = new URL(body.redirect_uri)
  address.searchParams.set('code', code)
  if (body.state !== undefined) address.searchParams.set('state', body.state)
  address.searchParams.set('iss', ctx.config.publicUrl)
  return { redirect_to: address.href }
}

function askedScopes(text: string | undefined): Scope[] {
  const words = (text ?? '').split(' ').filter(Boolean)
  const known = scopes.filter((scope) => words.includes(scope))
  return known.length > 0 ? known : [...defaultScopes]
}
