import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../process/config.ts'
import { contentSecurityPolicy } from './headers.ts'

const keys = {
  DATABASE_URL: 'postgres://localhost/nothing',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}

function imageSources(environment: Record<string, string>): string[] {
  const policy = contentSecurityPolicy(readConfig({ ...keys, ...environment }))
  const rule = policy.split('; ').find((part) => part.startsWith('img-src '))
  return rule?.split(' ').slice(1) ?? []
}

test('images come from here and from the sign-in providers alone', () => {
  assert.deepEqual(imageSources({}), ["'self'", 'data:', 'blob:'])
  assert.deepEqual(
    imageSources({
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
