import * as z from 'zod'
import { apiKeyExpiryDays, defaultApiKeyExpiryDays } from './catalogue.ts'
import { defineEndpoints } from './endpoint.ts'
import { Done, Id, idParams, Timestamp } from './fields.ts'

export const ApiKey = z
  .object({
    id: Id,
    name: z.string(),
    status: z.enum(['active', 'expired']),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable(),
    expires_at: Timestamp,
    hint: z.string().meta({ description: 'The first characters of the key.' }),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof ApiKey>

export const apiKeyEndpoints = defineEndpoints({
  listApiKeys: {
    method: 'GET',
    path: '/api-keys',
    tag: 'API keys',
    summary: 'The account’s keys',
    auth: 'session',
    reply: z.object({ apiKeys: z.array(ApiKey) }),
  },
  createApiKey: {
    method: 'POST',
    path: '/api-keys',
    tag: 'API keys',
    summary: 'Create a key',
    description: 'The value is in this answer only; it is stored as a hash.',
    auth: 'session',
    body: z.strictObject({
      name: z.string().trim().min(1, 'Please enter a key name').max(100),
      expiresInDays: z.literal(apiKeyExpiryDays).default(defaultApiKeyExpiryDays),
    }),
    reply: z.object({ apiKey: ApiKey.extend({ key: z.string() }) }),
    status: 201,
    creates: true,
    refusals: ['invalid'],
    example: { body: { name: 'Ingest server', expiresInDays: 365 } },
  },
  deleteApiKey: {
    method: 'DELETE',
    path: '/api-keys',
    tag: 'API keys',
    summary: 'Delete a key',
    auth: 'session',
    query: z.strictObject({ keyId: Id }),
    reply: Done,
    refusals: ['not_found'],
  },
  deleteApiKeyById: {
    method: 'DELETE',
    path: '/api-keys/{id}',
    tag: 'API keys',
    summary: 'Delete a key',
    auth: 'session',
    params: idParams,
    reply: Done,
    refusals: ['not_found'],
  },
})
