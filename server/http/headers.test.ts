import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../ground/config.ts'
import { contentSecurityPolicy } from './headers.ts'

const keys = {
  DATABASE_URL: 'postgres://localhost/nothing',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}

function sources(directive: string, environment: Record<string, string> = {}): string[] {
  const policy = contentSecurityPolicy(readConfig({ ...keys, ...environment }))
  const rule = policy.split('; ').find((part) => part.startsWith(`${directive} `))
  return rule?.split(' ').slice(1) ?? []
}

test('images come from here and from the sign-in providers alone', () => {
  assert.deepEqual(sources('img-src'), ["'self'", 'data:', 'blob:'])
  assert.deepEqual(
    sources('img-src', {
      ...{ GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' },
      ...{ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' },
    }),
    [
      ...[
        "'self'",
        'data:',
        'blob:',
        'https://github.com',
        'https://avatars.githubusercontent.com',
      ],
      ...['https://accounts.google.com', 'https://*.googleusercontent.com'],
    ],
  )
})

test('the card form may load what Stripe lists (docs.stripe.com/security/guide)', () => {
  const listed = {
    'script-src': ['https://js.stripe.com', 'https://*.js.stripe.com'],
    'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
    'connect-src': ['https://api.stripe.com'],
  }
  for (const [directive, wanted] of Object.entries(listed)) {
    const allowed = new Set(sources(directive))
    assert.deepEqual(
      wanted.filter((source) => !allowed.has(source)),
      [],
      directive,
    )
  }
  const own = sources('script-src', { STRIPE_SCRIPT_URL: 'https://pay.example/v3.js' })
  assert.ok(!own.includes('https://*.js.stripe.com'))
})
