/** Webhooks by standardwebhooks.com: signed, at least once, in order for one object. */
import * as z from 'zod'
import { webhookEvents } from '../../domain/money/catalogue.ts'
import { defineEndpoints } from '../define-endpoints.ts'
import { Cursor, Done, limitOf, NextCursor, Timestamp } from '../fields.ts'
import { Id } from '../../domain/fields.ts'

export const Webhook = z
  .object({
    id: Id,
    url: z.string(),
    description: z.string(),
    events: z.array(z.enum(webhookEvents)),
    enabled: z.boolean(),
    off_reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the service switched it off, if it did.' }),
    failing_since: Timestamp.nullable(),
    previous_secret_until: Timestamp.nullable().meta({
      description: 'Until then the secret from before the rotation signs too.',
    }),
    created_at: Timestamp,
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof Webhook>

const WithSecret = Webhook.extend({
  secret: z.string().meta({ description: 'Shown in this answer only.', example: 'whsec_…' }),
})

export const WebhookDelivery = z
  .object({
    id: Id,
    event_id: Id.meta({ description: 'The `webhook-id` header, the same for every attempt.' }),
    type: z.string(),
    state: z.enum(['waiting', 'delivered', 'failed']),
    created_at: Timestamp,
    next_at: Timestamp.nullable().meta({ description: 'When the next attempt is due.' }),
    body: z.string().meta({ description: 'The JSON text that is sent and signed.' }),
    attempts: z
      .array(
        z.object({
          at: Timestamp,
          ms: z.int(),
          status: z.int().nullable().meta({ description: 'Null: no answer came.' }),
          answer: z.string().meta({ description: 'The first 1,024 bytes of the answer.' }),
        }),
      )
      .meta({ description: 'Newest first, at most 20.' }),
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

const url = z
  .string()
  .trim()
  .min(1, 'Please enter a URL')
  .max(2000)
  .meta({ example: 'https://example.com/hooks/cutindex' })
const events = z
  .array(z.enum(webhookEvents))
  .min(1, 'Please choose at least one event')
  .max(webhookEvents.length)
const description = z.string().trim().max(200)

export const webhookEndpoints = defineEndpoints('Webhooks', 'key', {
  listWebhooks: {
    method: 'GET',
    path: '/webhooks',
    summary: 'The account’s webhooks',
    scope: 'webhooks',
    reply: z.object({ webhooks: z.array(Webhook) }),
  },
  createWebhook: {
    method: 'POST',
    path: '/webhooks',
    summary: 'Add a webhook',
    description:
      'The secret is in this answer only. Every event is a signed POST with `webhook-id`, `webhook-timestamp` and `webhook-signature`; any answer from 200 to 299 within 10 seconds counts as received. Redirects are not followed.',
    scope: 'webhooks',
    body: z.strictObject({ url, events, description: description.default('') }),
    reply: z.object({ webhook: WithSecret }),
    status: 201,
    creates: true,
    refusals: ['limit_reached'],
    example: {
      body: { url: 'https://example.com/hooks/cutindex', events: ['job.completed', 'job.failed'] },
    },
  },
  updateWebhook: {
    method: 'PATCH',
    path: '/webhooks/{id}',
    summary: 'Change a webhook, or switch it on or off',
    description: 'Fields that are left out stay as they are.',
    scope: 'webhooks',
    body: z.strictObject({
      url: url.optional(),
      events: events.optional(),
      description: description.optional(),
      enabled: z.boolean().optional(),
    }),
    reply: z.object({ webhook: Webhook }),
    example: { body: { enabled: true } },
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/webhooks/{id}',
    summary: 'Delete a webhook with its deliveries',
    scope: 'webhooks',
    reply: Done,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/webhooks/{id}/rotate',
    summary: 'Make a new secret',
    description: 'For 24 hours deliveries carry two signatures: of the new secret and of the old.',
    scope: 'webhooks',
    reply: z.object({ webhook: WithSecret }),
    creates: true,
  },
  testWebhook: {
    method: 'POST',
    path: '/webhooks/{id}/test',
    summary: 'Send a test event',
    description: 'Sends `webhook.test` to this webhook alone, whichever events it has chosen.',
    scope: 'webhooks',
    reply: z.object({ delivery_id: Id }),
    status: 202,
    creates: true,
    refusals: ['conflict'],
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    summary: 'What was sent and answered, newest first',
    scope: 'webhooks',
    query: z.strictObject({ limit: limitOf(20), cursor: Cursor }),
    reply: z.object({ deliveries: z.array(WebhookDelivery), next_cursor: NextCursor }),
  },
  redeliverWebhook: {
    method: 'POST',
    path: '/webhooks/{id}/redeliver',
    summary: 'Send one delivery again, or everything since a time',
    description:
      '`since` also sends events that happened while the webhook was switched off. Events are kept for 30 days.',
    scope: 'webhooks',
    body: z
      .strictObject({ delivery_id: Id.optional(), since: Timestamp.optional() })
      .refine(
        (body) => (body.delivery_id === undefined) !== (body.since === undefined),
        'Please name either delivery_id or since',
      ),
    reply: z.object({ redelivered: z.int() }),
    status: 202,
    refusals: ['conflict'],
    example: { body: { since: '2025-10-22T09:30:00.000Z' } },
  },
})
