/**
 * Sign-in: frontend → /auth/{provider} → provider → /auth/{provider}/callback → frontend.
 * A sign-in under way is a row that is found by the hash of its state, belongs to one browser by a
 * cookie, lives for 10 minutes and is deleted by the callback that uses it.
 */
import type { Provider } from '../../contract/account/accounts.ts'
import type { Context } from '../ground/context.ts'
import type { Verb } from '../ground/verb.ts'
import { Refusal } from '../ground/refusal.ts'
import { findOrCreateAccount } from './find-or-create.ts'
import { authorizationUrl, identify, newSecrets } from './providers.ts'
import { openRedirectSession } from './session.ts'
import { setSignInCookie, signInCookieHash } from './sign-in-cookie.ts'
import { hashToken } from './token.ts'

const signInMs = 10 * 60_000

export const signIn: Verb<'signIn'> = async (
  ctx,
  _actor,
  { params, query },
  { request, reply },
) => {
  const frontendUrl = allowedOrigin(ctx, query.frontend_url)
  const secrets = newSecrets(params.provider)
  const address = await authorizationUrl(ctx, params.provider, secrets)
  const cookieSha256 = setSignInCookie(
    ctx.config,
    { request, reply },
    { state: secrets.state, lifeMs: signInMs },
  )
  const now = ctx.now()
  await ctx.db
    .insertInto('sign_ins')
    .values({
      state_sha256: hashToken(secrets.state),
      provider: params.provider,
      cookie_sha256: cookieSha256,
      code_verifier: secrets.codeVerifier,
      nonce: secrets.nonce,
      frontend_url: frontendUrl,
      expires_at: new Date(now.getTime() + signInMs),
    })
    .execute()
  reply.redirect(address.href)
}

export const signInCallback: Verb<'signInCallback'> = async (
  ctx,
  _actor,
  { params, query },
  { request, reply },
) => {
  const { provider } = params
  const state = query.state ?? ''
  const cookieSha256 = signInCookieHash(ctx.config, request, state)
  const pending = await takeSignIn(ctx, { provider, state, cookieSha256 })
  reply.header('cache-control', 'no-store')
  if (!pending) {
    reply.redirect(failureUrl(ctx.config.publicUrl, provider, 'invalid_state'))
    return
  }
  if (query.error === 'access_denied') {
    reply.redirect(new URL('/?login=cancelled', pending.frontend_url).href)
    return
  }
  const search = request.url.split('?')[1] ?? ''
  const identity = await identify(ctx, provider, {
    query: search,
    secrets: {
      state,
      codeVerifier: pending.code_verifier,
      nonce: pending.nonce,
    },
  }).catch((error: unknown) => {
    // The provider's words may hold a code or an address, so only the kind of failure is logged.
    request.log.warn({ provider, failure: (error as Error).name }, 'sign-in refused')
    return null
  })
  if (!identity) {
    reply.redirect(failureUrl(pending.frontend_url, provider, 'access_denied'))
    return
  }
  const account = await findOrCreateAccount(ctx, identity)
  const token = await openRedirectSession(ctx, {
    accountId: account.id,
    provider,
    browserSha256: cookieSha256,
  })
  const back = new URL('/', pending.frontend_url)
  back.search = new URLSearchParams({ token, provider, email: account.email }).toString()
  reply.redirect(back.href)
}

/** Exactly an allowed origin: no path, no credentials, no other spelling of it. */
function allowedOrigin(ctx: Context, address: string): string {
  const origin = address.endsWith('/') ? address.slice(0, -1) : address
  if (ctx.config.allowedOrigins.has(origin)) return origin
  throw new Refusal('invalid', 'The frontend_url is not an allowed origin.', {
    field: 'frontend_url',
  })
}

async function takeSignIn(
  ctx: Context,
  answer: { provider: Provider; state: string; cookieSha256: Buffer },
): Promise<{ code_verifier: string; nonce: string | null; frontend_url: string } | undefined> {
  return ctx.db
    .deleteFrom('sign_ins')
    .where('state_sha256', '=', hashToken(answer.state))
    .where('cookie_sha256', '=', answer.cookieSha256)
    .where('provider', '=', answer.provider)
    .where('expires_at', '>', ctx.now())
    .returning(['code_verifier', 'nonce', 'frontend_url'])
    .executeTakeFirst()
}

function failureUrl(frontendUrl: string, provider: Provider, error: string): string {
  const url = new URL('/oauth/callback', frontendUrl)
  url.search = new URLSearchParams({ provider, error }).toString()
  return url.href
}
