/** Google's side of a sign-in: OpenID Connect with discovery and signed id tokens. */
import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import type { JsonWebKey } from 'node:crypto'
import { answerJson, parseFields } from '../http.ts'
import type { Answer, Request, Route } from '../http.ts'
import { createId, nowSeconds } from '../ids.ts'
import { authorize, findToken, issuerOf, issueToken, redeemCode } from './grants.ts'
import type { Grant, SignIn } from './grants.ts'
import { avatarUrl, googleSubject } from './people.ts'
import type { Person } from './people.ts'

const path = '/google/o/oauth2/v2/auth'
const tokenLifeSeconds = 3599
const refusals = {
  client: [401, 'invalid_client', 'Unauthorized'],
  redirect_uri: [400, 'redirect_uri_mismatch', 'Bad Request'],
  verifier: [400, 'invalid_grant', 'Invalid code verifier.'],
  code: [400, 'invalid_grant', 'Malformed auth code.'],
} as const

export function googleRoutes(signIn: SignIn): Route[] {
  const choose = (request: Request): Answer => authorize(signIn, 'google', request)
  return [
    ['GET', '/google/.well-known/openid-configuration', () => describeProvider(signIn)],
    ['GET', '/google/oauth2/v3/certs', () => answerJson(200, { keys: [publicKey(signIn)] })],
    ['GET', path, choose],
    ['POST', path, choose],
    ['POST', '/google/token', (request) => exchangeCode(signIn, request)],
    ['GET', '/google/v1/userinfo', (request) => describeUser(signIn, request)],
  ]
}

function describeProvider(signIn: SignIn): Answer {
  const issuer = issuerOf(signIn, 'google')
  return answerJson(200, {
    issuer,
    authorization_endpoint: `${issuer}/o/oauth2/v2/auth`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/v1/userinfo`,
    jwks_uri: `${issuer}/oauth2/v3/certs`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    claims_supported: 'aud email email_verified exp iat iss name picture sub'.split(' '),
    code_challenge_methods_supported: ['S256'],
  })
}

function describeUser(signIn: SignIn, request: Request): Answer {
  const token = findToken(signIn, 'google', request)
  if (token !== undefined) return answerJson(200, claimsOf(signIn, token.person))
  const challenge = { 'www-authenticate': 'Bearer error="invalid_token"' }
  return refuse(401, 'invalid_request', 'Invalid Credentials', challenge)
}

function exchangeCode(signIn: SignIn, request: Request): Answer {
  const fields = parseFields(request.body)
  if (fields['grant_type'] !== 'authorization_code') {
    return refuse(400, 'unsupported_grant_type', 'Only authorization_code is offered.')
  }
  const basic = readBasic(request)
  const redeemed = redeemCode(signIn, 'google', {
    clientId: basic?.id ?? fields['client_id'] ?? '',
    clientSecret: basic?.secret ?? fields['client_secret'] ?? '',
    fields,
  })
  if (!redeemed.ok) {
    const [status, error, description] = refusals[redeemed.why]
    return refuse(status, error, description)
  }
  const accessToken = issueToken(signIn, redeemed.grant, {
    prefix: 'ya29.',
    lifeMs: tokenLifeSeconds * 1000,
  })
  return answerJson(200, {
    access_token: accessToken,
    expires_in: tokenLifeSeconds,
    scope: redeemed.grant.scope,
    token_type: 'Bearer',
    id_token: signIdToken(signIn, redeemed.grant, accessToken),
  })
}

function signIdToken(signIn: SignIn, grant: Grant, accessToken: string): string {
  const key = signingKey(signIn)
  const hash = createHash('sha256').update(accessToken).digest()
  const now = nowSeconds()
  const header = { alg: 'RS256', kid: key.kid, typ: 'JWT' }
  const payload = {
    iss: issuerOf(signIn, 'google'),
    azp: grant.client,
    aud: grant.client,
    ...claimsOf(signIn, grant.person),
    at_hash: hash.subarray(0, 16).toString('base64url'),
    ...(grant.nonce === null ? {} : { nonce: grant.nonce }),
    iat: now,
    exp: now + 3600,
  }
  const text = `${encode(header)}.${encode(payload)}`
  const privateKey = createPrivateKey({ key: key.jwk, format: 'jwk' })
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}

function claimsOf(signIn: SignIn, person: Person): object {
  const [givenName, ...rest] = person.name?.split(' ') ?? []
  return {
    sub: googleSubject(person),
    email: person.email,
    email_verified: person.isVerified,
    picture: avatarUrl(signIn.publicUrl(), person),
    ...(person.name === undefined ? {} : { name: person.name, given_name: givenName }),
    ...(rest.length === 0 ? {} : { family_name: rest.join(' ') }),
  }
}

function publicKey(signIn: SignIn): object {
  const { kid, jwk } = signingKey(signIn)
  return { kty: jwk.kty, n: jwk.n, e: jwk.e, kid, alg: 'RS256', use: 'sig' }
}

/** Made once and kept, so that tokens stay valid over a restart. */
function signingKey(signIn: SignIn): { kid: string; jwk: JsonWebKey } {
  const known = signIn.store.get('signing_key', 'google')
  if (known !== undefined) return known
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' })
  return signIn.store.put('signing_key', 'google', { kid: createId('', 20), jwk })
}

function readBasic(request: Request): { id: string; secret: string } | undefined {
  const [scheme = '', value = ''] = (request.headers.authorization ?? '').split(' ')
  if (scheme.toLowerCase() !== 'basic') return undefined
  const [id = '', secret = ''] = Buffer.from(value, 'base64').toString('utf8').split(':')
  return { id: decodeURIComponent(id), secret: decodeURIComponent(secret) }
}

function refuse(
  status: number,
  error: string,
  description: string,
  headers: Record<string, string> = {},
): Answer {
  return answerJson(status, { error, error_description: description }, headers)
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
