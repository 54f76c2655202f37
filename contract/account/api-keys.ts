import * as z from 'zod'
import {
  apiKeyExpiryDays,
  defaultApiKeyExpiryDays,
  spendLimits,
} from '../../domain/money/catalogue.ts'
import { defineEndpoints } from '../define-endpoints.ts'
import { scopes } from '../endpoint.ts'
import { Done, Timestamp, Usd } from '../fields.ts'
import { Id } from '../../domain/fields.ts'

const Mode = z
  .enum(['live', 'test'])
  .meta({ description: 'A test key costs nothing, analyses nothing and has objects of its own.' })

export const SpendLimit = z
  .strictObject({
    usd: z
      .number()
      .min(0)
      .max(spendLimits.maxUsd)
      .multipleOf(0.01)
      .meta({ description: 'US dollars and cents.' }),
    period: z
      .enum(['month', 'total'])
      .meta({ description: 'Per calendar month (UTC), or in all.' }),
  })
  .meta({ id: 'SpendLimit' })
export type SpendLimit = z.infer<typeof SpendLimit>

const Scopes = z
  .array(z.enum(scopes))
  .min(1, 'Please choose at least one scope, or none for all')
  .max(scopes.length)
const AddressRange = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  'Please enter addresses such as 203.0.113.7 or ranges such as 203.0.113.0/24',
)
const AddressRanges = z.array(AddressRange).min(1).max(50)

export const ApiKey = z
  .object({
    id: Id,
    name: z.string(),
    status: z.enum(['active', 'expired']),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable(),
    expires_at: Timestamp,
    hint: z.string().meta({ description: 'The first characters of the key.' }),
    mode: Mode,
    scopes: z
      .array(z.enum(scopes))
      .nullable()
      .meta({ description: 'Null: everything that keys may do.' }),
    spend_limit: z
      .object({ usd: Usd, period: SpendLimit.shape.period })
      .nullable()
      .meta({ description: 'Null: no limit of its own.' }),
    spent_usd: Usd.meta({
      description: 'Costs and holds of this key’s jobs: this month, or in all where its limit is.',
    }),
    allowed_addresses: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Where the key may be used from. Null: anywhere.' }),
    last_used_address: z.string().nullable(),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof ApiKey>

/** Settings of a key, when it is made and later. */
const options = {
  scopes: Scopes.nullable().optional(),
  spend_limit: SpendLimit.nullable().optional(),
  allowed_addresses: AddressRanges.nullable().optional(),
}
const name = z.string().trim().min(1, 'Please enter a key name').max(100)

export const apiKeyEndpoints = defineEndpoints('API keys', 'session', {
  listApiKeys: {
    method: 'GET',
    path: '/api-keys',
    summary: 'The account’s keys',
    reply: z.object({ apiKeys: z.array(ApiKey) }),
  },
  createApiKey: {
    method: 'POST',
    path: '/api-keys',
    summary: 'Create a key',
    description: 'The value is in this answer only; it is stored as a hash.',
    body: z.strictObject({
      name,
      expiresInDays: z.literal(apiKeyExpiryDays).default(defaultApiKeyExpiryDays),
      mode: Mode.default('live'),
      ...options,
    }),
    reply: z.object({ apiKey: ApiKey.extend({ key: z.string() }) }),
    status: 201,
    creates: true,
    refusals: ['limit_reached'],
    example: {
      body: {
        name: 'Ingest server',
        expiresInDays: 365,
        scopes: ['content:write', 'jobs:write'],
        spend_limit: { usd: 20, period: 'month' },
      },
    },
  },
  getCurrentApiKey: {
    method: 'GET',
    path: '/api-keys/current',
    summary: 'The key that calls: what it may do and spend',
    auth: 'key',
    scope: 'any',
    reply: z.object({ apiKey: ApiKey }),
    refusals: ['not_found'],
  },
  updateApiKey: {
    method: 'PATCH',
    path: '/api-keys/{id}',
    summary: 'Change a key’s name, expiry, scopes, limit or addresses',
    description:
      'Fields that are left out stay as they are; null removes a restriction. `expiresInDays` counts from now.',
    body: z.strictObject({
      name: name.optional(),
      expiresInDays: z.literal(apiKeyExpiryDays).optional(),
      ...options,
    }),
    reply: z.object({ apiKey: ApiKey }),
    example: { body: { spend_limit: { usd: 50, period: 'month' } } },
  },
  deleteApiKey: {
    method: 'DELETE',
    path: '/api-keys',
    summary: 'Delete a key',
    query: z.strictObject({ keyId: Id }),
    reply: Done,
    refusals: ['not_found'],
  },
  deleteApiKeyById: {
    method: 'DELETE',
    path: '/api-keys/{id}',
    summary: 'Delete a key',
    reply: Done,
  },
})
