/** `POST /oauth/token`: a code becomes an API key, once, for who proves to have asked for it. */
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { FastifyReply } from 'fastify'
import type { SessionActor } from '../ground/actor.ts'
import { createApiKey } from '../api-keys/create.ts'
import { deleteApiKeyById } from '../api-keys/delete.ts'
import { toUsd } from '../../domain/money/money.ts'
import { oauthLimits } from '../../contract/account/oauth.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'
import type { Verb } from '../ground/verb.ts'

const maxFormBytes = 10_000
const wrongCode = 'The code is wrong, was used, or has expired. Please start again.'

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
    await refuse(reply, 'invalid_grant', wrongCode)
    return
  }
  try {
    const person = personOf(granted.accountId)
    const body = {
      name: granted.name,
      expiresInDays: oauthLimits.keyDays,
      mode: 'live' as const,
      scopes: granted.scopes,
      spend_limit: { usd: granted.limitUsd, period: 'month' as const },
    }
    const { apiKey } = await createApiKey(ctx, person, { body }, { effectId: undefined })
    if (!(await linkKeyToCode(ctx, granted.sha256, apiKey.id))) {
      await deleteApiKeyById(ctx, person, { params: { id: apiKey.id } })
      await refuse(reply, 'invalid_grant', wrongCode)
      return
    }
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

/** Takes the code whoever brings it, so that a stolen one is worth nothing after the first try. */
async function takeCode(ctx: Context, form: URLSearchParams) {
  const sha256 = createHash('sha256')
    .update(form.get('code') ?? '')
    .digest()
  const row = await ctx.db
    .updateTable('oauth_codes')
    .set({ used_at: ctx.now() })
    .where('code_sha256', '=', sha256)
    .where('used_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!row) await endReused(ctx, sha256)
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
  return { sha256, accountId: row.account_id, name: client.name, scopes: row.scopes, limitUsd }
}

/**
 * Records which key the code was exchanged for. False if the code was replayed while its key was
 * being created.
 */
async function linkKeyToCode(ctx: Context, sha256: Buffer, keyId: string): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('oauth_codes')
    .set({ key_id: keyId })
    .where('code_sha256', '=', sha256)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Revokes the key of a code that is presented again: somebody else has seen the code. */
async function endReused(ctx: Context, sha256: Buffer): Promise<void> {
  const row = await ctx.db
    .deleteFrom('oauth_codes')
    .where('code_sha256', '=', sha256)
    .returning(['account_id', 'key_id'])
    .executeTakeFirst()
  if (!row?.key_id) return
  const params = { id: row.key_id }
  await deleteApiKeyById(ctx, personOf(row.account_id), { params })
}

/** The person who allowed it, as whom the key is made and ended. */
function personOf(accountId: string): SessionActor {
  return { kind: 'session', accountId, sessionId: '', tokenKind: 'session' }
}

/** The errors of RFC 6749, which clients know by these words. */
async function refuse(reply: FastifyReply, error: string, description: string): Promise<void> {
  await reply
    .status(400)
    .header('cache-control', 'no-store')
    .type('application/json')
    .send({ error, error_description: description })
}
