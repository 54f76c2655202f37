/**
 * Sessions. The redirect's token lives for 5 minutes and dies when it is exchanged; a session's
 * token lives for 30 days or until logout. Tokens are looked up by their hash.
 */
import type { SessionActor } from '../ground/actor.ts'
import type { Context } from '../ground/context.ts'
import type { Verb } from '../ground/verb.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import { noPrefetch, prepareCredential } from '../db/prefetch.ts'
import type { Prefetch } from '../db/prefetch.ts'
import { noticeSignIn } from './sign-in-place.ts'
import { takeSignInCookie } from './sign-in-cookie.ts'
import { hashToken, newToken } from './token.ts'

const redirectTokenMs = 5 * 60_000
const sessionMs = 30 * 24 * 3_600_000
const lastUsedStepMs = 60_000

export async function openRedirectSession(
  ctx: Context,
  input: { accountId: string; provider: string; browserSha256?: Buffer },
): Promise<string> {
  const { token, sha256 } = newToken()
  const now = ctx.now()
  await ctx.db
    .insertInto('sessions')
    .values({
      account_id: input.accountId,
      token_sha256: sha256,
      kind: 'redirect',
      browser_sha256: input.browserSha256 ?? null,
      provider: input.provider,
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + redirectTokenMs),
      user_agent: null,
      address: null,
    })
    .execute()
  return token
}

interface SessionRow {
  sought: Buffer
  session_id: string
  account_id: string
  token_kind: SessionActor['tokenKind']
  last_used_at: Date
}

const selectSession = prepareCredential<SessionRow>({
  name: 'session',
  columns: `s.token_sha256 as sought, s.id as session_id, s.account_id, s.kind as token_kind,
    s.last_used_at`,
  from: 'sessions s',
  account: 's.account_id',
  expiresAt: 's.expires_at',
  hash: 's.token_sha256',
})

export async function findSession(
  ctx: Context,
  token: string,
  prefetch: Prefetch = noPrefetch,
): Promise<SessionActor | null> {
  const now = ctx.now()
  const rows = await selectSession(ctx.db, { sha256: hashToken(token), now, prefetch })
  const [row] = rows
  if (!row) return null
  if (now.getTime() - row.last_used_at.getTime() > lastUsedStepMs) {
    await ctx.db
      .updateTable('sessions')
      .set({ last_used_at: now })
      .where('id', '=', row.session_id)
      .execute()
  }
  const { account_id: accountId, session_id: sessionId, token_kind: tokenKind } = row
  const actor: SessionActor = { kind: 'session', accountId, sessionId, tokenKind }
  prefetch.keep(actor, rows)
  return actor
}

export const exchangeToken: Verb<'exchangeToken'> = async (
  ctx,
  actor,
  _input,
  { request, reply },
) => {
  if (actor.tokenKind !== 'redirect') {
    throw new Refusal('conflict', 'This token is already a session token.')
  }
  const { browserSha256, ...session } = await openSession(ctx, {
    redirectSessionId: actor.sessionId,
    userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
    address: request.ip,
  })
  const cookie = browserSha256 && takeSignInCookie(ctx.config, { request, reply }, browserSha256)
  return { ...session, begun_here: cookie !== null }
}

async function openSession(
  ctx: Context,
  input: { redirectSessionId: string; userAgent: string | null; address: string },
): Promise<{ token: string; expires_at: string; browserSha256: Buffer | null }> {
  const { token, sha256 } = newToken()
  const now = ctx.now()
  const expiresAt = new Date(now.getTime() + sessionMs)
  const browserSha256 = await ctx.db.transaction().execute(async (trx) => {
    // Deleting the redirect's row decides which of two concurrent exchanges wins.
    const redirect = await trx
      .deleteFrom('sessions')
      .where('id', '=', input.redirectSessionId)
      .where('kind', '=', 'redirect')
      .returning(['account_id', 'provider', 'browser_sha256'])
      .executeTakeFirst()
    if (!redirect) {
      throw new Refusal('unauthenticated', 'This token was already used. Please log in again.')
    }
    const session = await trx
      .insertInto('sessions')
      .values({
        account_id: redirect.account_id,
        provider: redirect.provider,
        token_sha256: sha256,
        kind: 'session',
        created_at: now,
        last_used_at: now,
        expires_at: expiresAt,
        user_agent: input.userAgent,
        address: input.address,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await noticeSignIn(ctx, trx, {
      accountId: redirect.account_id,
      sessionId: session.id,
      provider: redirect.provider,
      userAgent: input.userAgent,
      address: input.address,
    })
    return redirect.browser_sha256
  })
  return { token, expires_at: expiresAt.toISOString(), browserSha256 }
}

/** A session made by the operator for an account, without a provider. */
export async function openOperatorSession(ctx: Context, accountId: string): Promise<string> {
  const { token, sha256 } = newToken()
  const now = ctx.now()
  await ctx.db
    .insertInto('sessions')
    .values({
      account_id: accountId,
      provider: 'operator',
      token_sha256: sha256,
      kind: 'session',
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + sessionMs),
      user_agent: 'operator',
      address: null,
    })
    .execute()
  return token
}

export const logout: Verb<'logout'> = async (ctx, actor) => {
  await ctx.db.deleteFrom('sessions').where('id', '=', actor.sessionId).execute()
  return { ok: true }
}

export const listSessions: Verb<'listSessions'> = async (ctx, actor) => {
  const rows = await ctx.db
    .selectFrom('sessions')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .where('kind', '=', 'session')
    .where('expires_at', '>', ctx.now())
    .orderBy('last_used_at', 'desc')
    .limit(100)
    .execute()
  return {
    sessions: rows.map((row) => ({
      id: row.id,
      provider: row.provider,
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_used_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
      user_agent: row.user_agent,
      address: row.address,
      current: row.id === actor.sessionId,
    })),
  }
}

export const endSession: Verb<'endSession'> = async (ctx, actor, { params }) => {
  const ended = await ctx.db
    .deleteFrom('sessions')
    .where('id', '=', params.id)
    .where('account_id', '=', actor.accountId)
    .returning('id')
    .executeTakeFirst()
  if (!ended) throw notFound('The session')
  return { ok: true }
}
