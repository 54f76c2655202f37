/** Security headers of every answer, and CORS for the allowed origins. */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../ground/config.ts'

const exposed = [
  'Content-Disposition',
  'Content-Location',
  'Location',
  'Retry-After',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'X-Request-Id',
].join(', ')

export function registerHeaders(app: FastifyInstance, config: Config): void {
  const policy = contentSecurityPolicy(config)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      'x-request-id': request.id,
    })
    if (config.publicUrl.startsWith('https:')) {
      reply.header('strict-transport-security', 'max-age=63072000; includeSubDomains')
    }
    const origin = request.headers.origin
    if (!request.url.startsWith('/v1/')) return
    reply.header('vary', 'Origin')
    if (origin === undefined || !config.allowedOrigins.has(origin)) return
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposed,
    })
    // The cookie is read only there: it shows which browser began the sign-in.
    if (request.url.split('?')[0] === '/v1/auth/session') {
      reply.header('access-control-allow-credentials', 'true')
    }
    const isPreflight =
      request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    if (!isPreflight) return
    return reply
      .status(204)
      .headers({
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers':
          request.headers['access-control-request-headers'] ?? 'authorization, content-type',
        'access-control-max-age': '600',
      })
      .send()
  })
}

/** Origins of the images of the sign-in providers' users. */
const githubImages = 'https://avatars.githubusercontent.com'
const googleImages = 'https://*.googleusercontent.com'
const stripeScripts = 'https://js.stripe.com'
const stripeSubdomains = 'https://*.js.stripe.com'

/**
 * Scripts from here and from the payment provider only; its frames and calls likewise. Images come
 * from here and from the sign-in providers, so that no injected one can carry data away. Why styles
 * may be inline: docs/decisions/0065-inline-styles.md.
 */
export function contentSecurityPolicy(
  config: Pick<Config, 'stripe' | 'github' | 'google' | 'allowedOrigins'>,
): string {
  const script = new URL(config.stripe.scriptUrl).origin
  const provider = [script, new URL(config.stripe.apiUrl).origin]
  // Stripe's script loads more of itself, and its frames, from subdomains that change.
  const scripts = script === stripeScripts ? [...provider, stripeSubdomains] : provider
  const images = [
    ...(config.github ? [new URL(config.github.url).origin, githubImages] : []),
    ...(config.google ? [new URL(config.google.issuer).origin, googleImages] : []),
  ]
  const unique = (...items: string[]): string => [...new Set(items)].join(' ')
  return [
    "default-src 'self'",
    `script-src ${unique("'self'", ...scripts)}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src ${unique("'self'", 'data:', 'blob:', ...images)}`,
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src ${unique("'self'", ...config.allowedOrigins, ...provider)}`,
    `frame-src ${unique(...scripts, 'https://hooks.stripe.com')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
