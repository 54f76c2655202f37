/** `POST /oauth/token`: a code becomes an API key, once, for who proves to have asked for it. */
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { FastifyReply } from 'fastify'
import { createApiKey } from '../api-keys/create.ts'
import { toUsd } from '../../contract/money.ts'
import { oauthLimits } from '../../contract/oauth.ts'
import type { Context } from '../process/context.ts'
import { Refusal } from '../refusal.ts'
import type { Verb } from '../verb.ts'

const maxFormBytes = 10_000

export const exchangeOauthCode: Verb<'exchangeOauthCode'> = async (ctx, _actor, _input, call) => {
  const { request, reply } = call
  if (Number(request.headers['content-length'] ?? Infinity) > maxFormBytes) {
    await refuse(reply, 'invalid_request', 'Send a short form with its length.')
    return
  }
  const form = new URLSearchParams(await text(request.raw))
  if (form.get('grant_type') !== 'authorization_code') {
    await refuse(reply, 'unsupported_grant_type', 'Only authorization_code is known.')
    return
  }
  const granted = await takeCode(ctx, form)
  if (!granted) {
    const message = 'The code is wrong, was used, or has expired. Please start again.'
    await refuse(reply, 'invalid_grant', message)
    return
  }
  try {
    const { apiKey } = await createApiKey(
      ctx,
      { kind: 'session', accountId: granted.accountId, sessionId: '', tokenKind: 'session' },
      {
        body: {
          name: granted.name,
          expiresInDays: oauthLimits.keyDays,
          mode: 'live',
          scopes: granted.scopes,
          spend_limit: { usd: granted.limitUsd, period: 'month' },
        },
      },
      { effectId: undefined },
    )
    await reply
      .header('cache-control', 'no-store')
      .type('application/json')
      .send({
        access_token: apiKey.key,
        token_type: 'Bearer',
        expires_in: oauthLimits.keyDays * 24 * 3600,
        scope: granted.scopes.join(' '),
      })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await refuse(reply, 'invalid_grant', error.message)
  }
}

/** Removes the code whoever brings it, so that a stolen one is worth nothing after the first try. */
async function takeCode(ctx: Context, form: URLSearchParams) {
  const sha256 = createHash('sha256')
    .update(form.get('code') ?? '')
    .digest()
  const row = await ctx.db
    .deleteFrom('oauth_codes')
    .where('code_sha256', '=', sha256)
    .returningAll()
    .executeTakeFirst()
  const verifier = form.get('code_verifier') ?? ''
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const isRight =
    row !== undefined &&
    row.expires_at > ctx.now() &&
    row.client_id === form.get('client_id') &&
    row.redirect_uri === form.get('redirect_uri') &&
    /^[\w.~-]{43,128}$/.test(verifier) &&
    row.challenge === challenge
  if (!isRight) return null
  const client = await ctx.db
    .updateTable('oauth_clients')
    .set({ last_used_at: ctx.now() })
    .where('id', '=', row.client_id)
    .returning('name')
    .executeTakeFirstOrThrow()
  const limitUsd = toUsd(row.monthly_limit_micros)
  return { accountId: row.account_id, name: client.name, scopes: row.scopes, limitUsd }
}

/** The errors of RFC 6749, which clients know by these words. */
async function refuse(reply: FastifyReply, error: string, description: string): Promise<void> {
  await reply
    .status(400)
    .header('cache-control', 'no-store')
    .type('application/json')
    .send({ error, error_description: description })
}
