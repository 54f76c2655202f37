/**
 * Shared by both sign-in providers: the authorize page, codes that work once, PKCE, tokens.
 *
 * A code is bound to its client, redirect address and challenge. It dies at its first use, also
 * when that use fails.
 */
import type { JsonWebKey } from 'node:crypto'
import { answerRedirect, parseFields } from '../http.ts'
import type { Answer, Request } from '../http.ts'
import { createId, isSame, sha256 } from '../ids.ts'
import { answerPage, banner, html } from '../page.ts'
import type { Store } from '../store.ts'
import { avatarUrl, demoPeople } from './people.ts'
import type { Person } from './people.ts'

export type ProviderName = 'github' | 'google'

export type Client = { id: string; secret: string; redirectUris: string[] }

export type Grant = {
  provider: ProviderName
  client: string
  redirectUri: string
  challenge: string
  nonce: string | null
  scope: string
  person: Person
  expiresAtMs: number
}

export type Token = {
  provider: ProviderName
  person: Person
  scope: string
  expiresAtMs: number | null
}

export type SignInTables = {
  /** By the hash of the code. */
  grant: Grant
  /** By the hash of the access token. */
  token: Token
  signing_key: { kid: string; jwk: JsonWebKey }
}

export type SignIn = {
  store: Store<SignInTables>
  publicUrl(): string
  clients: Record<ProviderName, Client>
  codeLifeMs: number
}

const labels: Record<ProviderName, string> = { github: 'GitHub', google: 'Google' }
const issuerPaths: Record<ProviderName, string> = {
  github: '/github/login/oauth',
  google: '/google',
}

/** Who a provider says it is: its answers carry it (RFC 9207), GitHub's since April 2026. */
export function issuerOf(signIn: SignIn, provider: ProviderName): string {
  return signIn.publicUrl() + issuerPaths[provider]
}

/** GET shows the people; POST is the person's choice. Both check the whole request again. */
export function authorize(signIn: SignIn, provider: ProviderName, request: Request): Answer {
  const asked = request.url.searchParams
  const client = signIn.clients[provider]
  const redirectUri = asked.get('redirect_uri') ?? ''
  const redirectBack = (values: Record<string, string>): Answer =>
    answerRedirect(
      withAnswer(redirectUri, asked, { ...values, iss: issuerOf(signIn, provider) }).href,
    )
  if (asked.get('client_id') !== client.id) {
    return refusePage(provider, 'The client_id is unknown.')
  }
  // An address that was not registered is never redirected to, not even with an error.
  if (!client.redirectUris.includes(redirectUri)) {
    return refusePage(provider, 'redirect_uri_mismatch: this redirect_uri is not registered.')
  }
  const problem = findProblem(provider, asked)
  if (problem !== undefined) {
    return redirectBack({ error: 'invalid_request', error_description: problem })
  }
  if (request.method !== 'POST') return choosePage(signIn, provider, request.url)
  const choice = readChoice(parseFields(request.body))
  if (choice === 'refused') {
    return redirectBack({
      error: 'access_denied',
      error_description: 'The user has denied your application access.',
    })
  }
  if (choice === undefined) {
    return choosePage(signIn, provider, request.url, 'Type an e-mail address.')
  }
  const code = createId(provider === 'google' ? '4/0A' : '', 40)
  signIn.store.put('grant', sha256(code), {
    provider,
    client: client.id,
    redirectUri,
    challenge: asked.get('code_challenge') ?? '',
    nonce: asked.get('nonce'),
    scope: asked.get('scope') ?? '',
    person: choice,
    expiresAtMs: Date.now() + signIn.codeLifeMs,
  })
  const extras = { scope: asked.get('scope') ?? '', authuser: '0', prompt: 'consent' }
  return redirectBack({ code, ...(provider === 'google' ? extras : {}) })
}

export type Redeemed =
  | { ok: true; grant: Grant }
  | { ok: false; why: 'client' | 'code' | 'redirect_uri' | 'verifier' }

export function redeemCode(
  signIn: SignIn,
  provider: ProviderName,
  input: { clientId: string; clientSecret: string; fields: Record<string, string> },
): Redeemed {
  const client = signIn.clients[provider]
  const isClient = isSame(input.clientId, client.id) && isSame(input.clientSecret, client.secret)
  if (!isClient) return { ok: false, why: 'client' }
  const { fields } = input
  const key = sha256(fields['code'] ?? '')
  const grant = signIn.store.get('grant', key)
  if (grant === undefined || grant.provider !== provider) return { ok: false, why: 'code' }
  signIn.store.remove('grant', key)
  if (grant.expiresAtMs < Date.now()) return { ok: false, why: 'code' }
  if (fields['redirect_uri'] !== grant.redirectUri) return { ok: false, why: 'redirect_uri' }
  const verifier = fields['code_verifier'] ?? ''
  const isProven =
    /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) &&
    isSame(sha256(verifier, 'base64url'), grant.challenge)
  return isProven ? { ok: true, grant } : { ok: false, why: 'verifier' }
}

export function issueToken(
  signIn: SignIn,
  grant: Grant,
  options: { prefix: string; lifeMs: number | null },
): string {
  const value = createId(options.prefix, 36)
  signIn.store.put('token', sha256(value), {
    provider: grant.provider,
    person: grant.person,
    scope: grant.scope,
    expiresAtMs: options.lifeMs === null ? null : Date.now() + options.lifeMs,
  })
  return value
}

export function findToken(
  signIn: SignIn,
  provider: ProviderName,
  request: Request,
): Token | undefined {
  const [scheme = '', value = ''] = (request.headers.authorization ?? '').split(' ')
  if (!['bearer', 'token'].includes(scheme.toLowerCase())) return undefined
  const token = signIn.store.get('token', sha256(value))
  if (token === undefined || token.provider !== provider) return undefined
  return token.expiresAtMs !== null && token.expiresAtMs < Date.now() ? undefined : token
}

function findProblem(provider: ProviderName, asked: URLSearchParams): string | undefined {
  const type = asked.get('response_type')
  if (provider === 'google' && type !== 'code') return 'response_type must be code.'
  if (asked.get('code_challenge_method') !== 'S256') return 'code_challenge_method must be S256.'
  if (!/^[A-Za-z0-9_-]{43}$/.test(asked.get('code_challenge') ?? '')) {
    return 'code_challenge must be the base64url of a SHA-256 hash.'
  }
  const scopes = (asked.get('scope') ?? '').split(/[ ,]/)
  if (provider === 'google' && !scopes.includes('openid')) return 'scope must contain openid.'
  return undefined
}

function readChoice(fields: Record<string, string>): Person | 'refused' | undefined {
  if (fields['answer'] === 'refuse') return 'refused'
  const demo = demoPeople.find((person) => person.email === fields['person'])
  if (demo !== undefined) {
    const { about: _about, ...person } = demo
    return person
  }
  const email = (fields['email'] ?? '').trim().toLowerCase()
  if (!/^[^\s@]{1,64}@[^\s@]{1,190}$/.test(email)) return undefined
  const name = (fields['name'] ?? '').trim().slice(0, 80)
  return {
    email,
    isVerified: fields['verified'] === 'on',
    ...(name === '' ? {} : { name }),
  }
}

function choosePage(signIn: SignIn, provider: ProviderName, url: URL, problem?: string): Answer {
  const label = labels[provider]
  const action = `${url.pathname}${url.search}`
  const people = demoPeople.map(
    (person) =>
      html`<li>
        <button class="person" name="person" value="${person.email}">
          <img src="${avatarUrl('', person)}" alt="" />
          <span
            ><strong>${person.name ?? person.email}</strong
            ><small>${person.email} · ${person.about}</small></span
          >
        </button>
      </li>`,
  )
  return answerPage(problem === undefined ? 200 : 422, {
    title: `Sign in with ${label} (sandbox)`,
    content: html`${banner}
      <main class="card">
        <h1>Sign in with ${label}</h1>
        <p>
          Choose who you are. ${new URL(url.searchParams.get('redirect_uri') ?? '').host} will see
          the name, picture and e-mail address.
        </p>
        <form method="post" action="${action}">
          <ul class="people">
            ${people}
          </ul>
        </form>
        <hr />
        <form method="post" action="${action}">
          <h2>Somebody else</h2>
          <p role="alert" class="error">${problem}</p>
          <label for="email">E-mail</label>
          <input id="email" name="email" type="email" autocomplete="email" required />
          <label for="name">Name (optional)</label>
          <input id="name" name="name" autocomplete="name" maxlength="80" />
          <label class="tick"
            ><input type="checkbox" name="verified" checked /> This e-mail address is
            verified</label
          >
          <button>Continue</button>
        </form>
        <form method="post" action="${action}">
          <button name="answer" value="refuse" class="quiet">Refuse and go back</button>
        </form>
      </main>`,
  })
}

function refusePage(provider: ProviderName, message: string): Answer {
  return answerPage(400, {
    title: 'Sign-in refused',
    content: html`${banner}
      <main class="card">
        <h1>${labels[provider]} refuses this request</h1>
        <p role="alert">${message}</p>
      </main>`,
  })
}

function withAnswer(
  redirectUri: string,
  asked: URLSearchParams,
  values: Record<string, string>,
): URL {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value)
  const state = asked.get('state')
  if (state !== null) url.searchParams.set('state', state)
  return url
}
