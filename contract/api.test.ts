import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { User } from './account/accounts.ts'
import { api } from './api.ts'
import { ApiKey } from './account/api-keys.ts'
import { BillingStats, Transaction } from './account/billing.ts'
import { ContentItem } from './footage/content.ts'
import { mayUse } from './endpoint.ts'
import type { Endpoint } from './endpoint.ts'
import { Job, ListedJob } from './footage/jobs.ts'
import { PaymentMethod } from './account/payments.ts'

/** Call, then the fields of what is sent and of what is answered. */
const calls: [string, { query?: string[]; body?: string[]; reply?: string[] }][] = [
  ['GET /auth/{provider}', { query: ['frontend_url'] }],
  ['GET /user/me', { reply: ['id', 'email'] }],
  ['GET /user/billing-stats', { reply: ['total_spent_usd'] }],
  ['GET /user/billing-history', { query: ['limit', 'type'], reply: ['transactions'] }],
  ['GET /content', { reply: ['content'] }],
  ['POST /content/upload', { reply: ['content'] }],
  ['POST /content/reference', { body: ['url', 'name'], reply: ['content'] }],
  ['DELETE /content/{id}', {}],
  ['GET /content/{id}/download', {}],
  ['GET /jobs', { query: ['limit'], reply: ['jobs'] }],
  ['POST /jobs', { body: ['content_url', 'workflow'], reply: ['job'] }],
  [
    'POST /payment/checkout',
    { body: ['credit_package_id', 'success_url', 'cancel_url'], reply: ['checkout_url'] },
  ],
  ['GET /payment/config', { reply: ['publishable_key'] }],
  ['POST /payment/setup-intent', { reply: ['client_secret'] }],
  ['POST /payment/confirm-setup-intent', { body: ['setup_intent_id'] }],
  ['GET /user/payment-methods', { reply: ['paymentMethods'] }],
  ['PUT /user/payment-methods/{id}/default', {}],
  ['DELETE /user/payment-methods/{id}', {}],
  ['PUT /user/auto-reload', { body: ['enabled', 'threshold_usd', 'amount_usd', 'package_id'] }],
  ['GET /api-keys', { reply: ['apiKeys'] }],
  ['POST /api-keys', { body: ['name', 'expiresInDays'], reply: ['apiKey'] }],
  ['DELETE /api-keys', { query: ['keyId'] }],
]

for (const [call, fields] of calls) {
  test(`the contract has ${call} with the specified fields (§3, §7)`, () => {
    const endpoint = Object.values<Endpoint>(api).find(
      ({ method, path }) => `${method} ${path}` === call,
    )
    assert.ok(endpoint, call)
    for (const part of ['query', 'body', 'reply'] as const) {
      const names = fieldsOf(endpoint[part])
      for (const name of fields[part] ?? []) assert.ok(names.includes(name), `${part}: ${name}`)
    }
  })
}

const entities: [string, z.ZodObject, string[]][] = [
  [
    'User',
    User,
    [
      ...['id', 'email', 'username', 'name', 'picture', 'createdAt', 'account_balance_usd'],
      ...['auto_reload_enabled', 'auto_reload_threshold_usd', 'auto_reload_amount_usd'],
      'auto_reload_consent_accepted_at',
    ],
  ],
  [
    'Billing stats',
    BillingStats,
    ['total_spent_usd', 'total_bonus_credits_usd', 'total_credits_purchased_usd'],
  ],
  [
    'Transaction',
    Transaction,
    [
      ...['id', 'description', 'amount_usd', 'created_at', 'metadata', 'job_id'],
      'credit_package_bonus_percentage',
    ],
  ],
  [
    'Content item',
    ContentItem,
    ['id', 'file_name', 'canonical_url', 'content_type', 'file_size', 'created_at'],
  ],
  ['Job', Job, ['id', 'status', 'content_url', 'created_at', 'workflow']],
  ['Job of a list', ListedJob, ['id', 'status', 'content_url', 'created_at', 'workflow']],
  ['API key', ApiKey, ['id', 'name', 'status', 'created_at', 'last_used_at', 'expires_at']],
  [
    'Payment method',
    PaymentMethod,
    ['id', 'card_brand', 'card_last4', 'card_exp_month', 'card_exp_year', 'is_default'],
  ],
]

for (const [name, schema, fields] of entities) {
  test(`${name} has the specified fields (§3)`, () => {
    const names = Object.keys(schema.shape)
    assert.deepEqual(
      fields.filter((field) => !names.includes(field)),
      [],
    )
  })
}

test('a content item is an upload, youtube or a url; a key is active or expired (§3)', () => {
  assert.deepEqual(ContentItem.shape.content_type.options, ['upload', 'youtube', 'url'])
  assert.deepEqual(ApiKey.shape.status.options, ['active', 'expired'])
})

test('a new key carries its full value (§3)', () => {
  const reply = api.createApiKey.reply.shape.apiKey
  assert.ok('key' in reply.shape && 'name' in reply.shape)
})

test('every endpoint that takes API keys names the scope that lets one in', () => {
  const open = Object.entries<Endpoint>(api).filter(
    ([, { auth, scope }]) => (auth === 'key' || auth === 'ticket') === (scope === undefined),
  )
  assert.deepEqual(
    open.map(([name]) => name),
    [],
  )
})

test('a scope to write includes the scope to read, and nothing else', () => {
  assert.ok(mayUse(['jobs:write'], 'jobs:read'))
  assert.ok(!mayUse(['jobs:read'], 'jobs:write'))
  assert.ok(!mayUse(['jobs:write'], 'content:read'))
  assert.ok(!mayUse(['search'], 'jobs:read'))
  assert.ok(mayUse(null, 'webhooks'))
  assert.ok(mayUse([], 'any'))
})

function fieldsOf(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}
