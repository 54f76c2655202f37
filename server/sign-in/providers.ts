/**
 * GitHub and Google through openid-client. Both speak the authorization code flow with PKCE;
 * Google adds an id_token with a nonce, GitHub a call for the user and one for the addresses.
 */
import * as oidc from 'openid-client'
import * as z from 'zod'
import type { Provider } from '../../contract/account/accounts.ts'
import type { Config } from '../ground/config.ts'
import type { Context } from '../ground/context.ts'
import { openOnce } from '../ground/open-once.ts'
import { Refusal } from '../ground/refusal.ts'

export interface Identity {
  provider: Provider
  subject: string
  email: string | null
  emailVerified: boolean
  username: string
  name: string | null
  picture: string | null
}

export interface SignInSecrets {
  state: string
  codeVerifier: string
  nonce: string | null
}

export function newSecrets(provider: Provider): SignInSecrets {
  return {
    state: oidc.randomState(),
    codeVerifier: oidc.randomPKCECodeVerifier(),
    nonce: provider === 'google' ? oidc.randomNonce() : null,
  }
}

export async function authorizationUrl(
  { config, signIn }: Pick<Context, 'config' | 'signIn'>,
  provider: Provider,
  secrets: SignInSecrets,
): Promise<URL> {
  const client = await signIn[provider]()
  return oidc.buildAuthorizationUrl(client, {
    redirect_uri: redirectUri(config, provider),
    scope: provider === 'google' ? 'openid email profile' : 'read:user user:email',
    state: secrets.state,
    code_challenge: await oidc.calculatePKCECodeChallenge(secrets.codeVerifier),
    code_challenge_method: 'S256',
    ...(secrets.nonce ? { nonce: secrets.nonce } : {}),
  })
}

/** Turns the provider's answer into an identity; throws when the exchange is refused. */
export async function identify(
  { config, signIn }: Pick<Context, 'config' | 'signIn'>,
  provider: Provider,
  answer: { query: string; secrets: SignInSecrets },
): Promise<Identity> {
  const client = await signIn[provider]()
  const current = new URL(`${redirectUri(config, provider)}?${answer.query}`)
  const tokens = await oidc.authorizationCodeGrant(client, current, {
    pkceCodeVerifier: answer.secrets.codeVerifier,
    expectedState: answer.secrets.state,
    ...(answer.secrets.nonce ? { expectedNonce: answer.secrets.nonce, idTokenExpected: true } : {}),
  })
  return provider === 'google'
    ? googleIdentity(tokens.claims() ?? {})
    : githubIdentity(config, tokens.access_token)
}

function redirectUri(config: Config, provider: Provider): string {
  return `${config.publicUrl}/v1/auth/${provider}/callback`
}

/** The providers' clients; Google's own settings are read at the first sign-in. */
export function openSignIn(config: Config): Context['signIn'] {
  return {
    github: openOnce(() => githubClient(config)),
    google: openOnce(() => googleClient(config)),
  }
}

async function googleClient(config: Config): Promise<oidc.Configuration> {
  const google = config.google ?? notConfigured('Google')
  const issuer = new URL(google.issuer)
  return oidc.discovery(issuer, google.clientId, google.clientSecret, undefined, {
    execute: issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
    timeout: 10,
  })
}

async function githubClient(config: Config): Promise<oidc.Configuration> {
  const github = config.github ?? notConfigured('GitHub')
  const client = new oidc.Configuration(
    {
      // Its answers name it so (RFC 9207), and another name is refused.
      issuer: `${github.url}/login/oauth`,
      authorization_endpoint: `${github.url}/login/oauth/authorize`,
      token_endpoint: `${github.url}/login/oauth/access_token`,
    },
    github.clientId,
    github.clientSecret,
    oidc.ClientSecretPost(github.clientSecret),
  )
  client.timeout = 10
  if (github.url.startsWith('http:')) oidc.allowInsecureRequests(client)
  return client
}

function notConfigured(name: string): never {
  throw new Refusal('unavailable', `Signing in with ${name} is not available here.`)
}

const GoogleClaims = z.object({
  sub: z.string(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
  picture: z.string().optional(),
})

function googleIdentity(claims: object): Identity {
  const google = GoogleClaims.parse(claims)
  return {
    provider: 'google',
    subject: google.sub,
    email: google.email ?? null,
    emailVerified: google.email_verified === true && google.email !== undefined,
    username: google.email?.split('@')[0] ?? google.sub,
    name: google.name ?? null,
    picture: google.picture ?? null,
  }
}

const GithubUser = z.object({
  id: z.number(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.string().nullish(),
})
const GithubEmails = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
)

async function githubIdentity(config: Config, accessToken: string): Promise<Identity> {
  const [user, emails] = await Promise.all([
    callGithub(config, '/user', accessToken).then((answer) => GithubUser.parse(answer)),
    callGithub(config, '/user/emails', accessToken).then((answer) => GithubEmails.parse(answer)),
  ])
  // The primary address speaks for the person; GitHub's own no-reply one is verified but nobody's.
  const email = emails.find((item) => item.primary) ?? emails[0]
  return {
    provider: 'github',
    subject: String(user.id),
    email: email?.email ?? null,
    emailVerified: email?.verified ?? false,
    username: user.login,
    name: user.name ?? null,
    picture: user.avatar_url ?? null,
  }
}

async function callGithub(config: Config, path: string, accessToken: string): Promise<unknown> {
  const response = await fetch(`${config.github?.apiUrl}${path}`, {
    headers: {
      authorization: `Bearer ${accessToken}`,
      accept: 'application/vnd.github+json',
      'user-agent': 'cutindex',
    },
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) throw new Error(`GitHub answered ${response.status} to ${path}`)
  return response.json()
}
