/**
 * OAuth 2.1 for agents that cannot be given a key by hand: a client registers itself (RFC 7591), a
 * person allows it on our page, and the code is exchanged with PKCE for a token, which is an API
 * key with scopes and a limit. The metadata (RFC 8414, RFC 9728) stand under /.well-known.
 */
import * as z from 'zod'
import { spendLimits } from '../../domain/money/catalogue.ts'
import { defineEndpoints } from '../define-endpoints.ts'
import { formOf, scopes } from '../endpoint.ts'

export const oauthLimits = { redirectUris: 10, keyDays: 90, codeSeconds: 60 } as const

const RedirectUri = z.string().max(2000).refine(isAllowedRedirect, {
  message:
    'A redirect address is https, http on this machine, an app’s own scheme with a dot, or one of a known editor.',
})

/** The client's request, as it stands in the address of the consent page. */
const OauthRequest = z.strictObject({
  client_id: z.uuid(),
  redirect_uri: RedirectUri,
  response_type: z.literal('code'),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  code_challenge_method: z.literal('S256'),
  scope: z.string().max(500).optional(),
  state: z.string().max(2000).optional(),
  resource: z.string().max(2000).optional(),
})

export const oauthEndpoints = defineEndpoints('API keys', 'session', {
  registerOauthClient: {
    method: 'POST',
    path: '/oauth/register',
    summary: 'Register an OAuth client (RFC 7591)',
    auth: 'anyone',
    // The standard asks to ignore what is not known.
    body: z.object({
      redirect_uris: z.array(RedirectUri).min(1).max(oauthLimits.redirectUris),
      client_name: z.string().trim().min(1).max(100).optional(),
    }),
    reply: z.object({
      client_id: z.uuid(),
      client_id_issued_at: z.int(),
      client_name: z.string(),
      redirect_uris: z.array(z.string()),
      token_endpoint_auth_method: z.literal('none'),
      grant_types: z.array(z.string()),
      response_types: z.array(z.string()),
    }),
    status: 201,
    refusals: ['limit_reached'],
    example: {
      body: { client_name: 'My agent', redirect_uris: ['http://localhost:8090/callback'] },
    },
  },
  readOauthRequest: {
    method: 'GET',
    path: '/oauth/request',
    summary: 'What an OAuth client asks for, for the page that asks the person',
    query: OauthRequest,
    reply: z.object({
      client_name: z.string(),
      returns_to: z.string().meta({ description: 'Where the person is sent back to.' }),
      scopes: z.array(z.enum(scopes)),
    }),
    refusals: ['not_found'],
  },
  allowOauthRequest: {
    method: 'POST',
    path: '/oauth/allow',
    summary: 'Allow what an OAuth client asks for',
    body: OauthRequest.extend({
      scopes: z.array(z.enum(scopes)).min(1, 'Please allow at least one thing'),
      monthly_limit_usd: z.number().min(0).max(spendLimits.maxUsd).multipleOf(0.01),
    }),
    reply: z.object({ redirect_to: z.string() }),
    refusals: ['not_found'],
  },
  exchangeOauthCode: {
    method: 'POST',
    path: '/oauth/token',
    summary: 'Exchange an OAuth code for a token (RFC 6749, PKCE)',
    description:
      'Form-encoded. The token is an API key; it ends after 90 days or when it is deleted in the profile.',
    auth: 'anyone',
    rawBody: {
      contentType: 'application/x-www-form-urlencoded',
      schema: formOf({
        grant_type: 'Always `authorization_code`.',
        code: 'From the address that the person was sent back to.',
        client_id: 'From the registration.',
        redirect_uri: 'The one that the code was asked for with.',
        code_verifier: 'The secret behind the code’s challenge (PKCE).',
      }),
    },
    rawReply: {
      contentType: 'application/json',
      description: 'The token.',
      schema: {
        type: 'object',
        required: ['access_token', 'token_type', 'expires_in', 'scope'],
        properties: {
          access_token: { type: 'string' },
          token_type: { const: 'Bearer' },
          expires_in: { type: 'integer', description: 'Seconds.' },
          scope: { type: 'string', description: 'Joined by spaces.' },
        },
      },
      refused: {
        type: 'object',
        required: ['error', 'error_description'],
        properties: {
          error: { enum: ['invalid_request', 'unsupported_grant_type', 'invalid_grant'] },
          error_description: { type: 'string' },
        },
      },
    },
  },
})

/** Editors whose schemes have no dot; every other app brings its own as RFC 8252 asks. */
const editors = 'cursor|vscode|vscode-insiders|vscodium|windsurf|zed|jetbrains'

/** A scheme that starts with a domain of the app's maker: no system's own scheme has this form. */
const appSchemes = new RegExp(`^(?:[a-z]+(?:\\.[a-z0-9-]+)+|${editors}):$`)

/** https, http on the person's own machine (RFC 8252), or the scheme of an app. */
function isAllowedRedirect(text: string): boolean {
  if (!URL.canParse(text) || /[\s<>"']/.test(text)) return false
  const { protocol, hostname, hash, username, password } = new URL(text)
  if (hash || username || password) return false
  if (protocol === 'https:') return true
  if (protocol === 'http:') return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return appSchemes.test(protocol)
}
