import * as z from 'zod'
import { defineEndpoints } from '../define-endpoints.ts'
import { Done, Usd } from '../fields.ts'
import { Id } from '../../domain/fields.ts'

export const PaymentMethod = z
  .object({
    id: Id,
    card_brand: z.string(),
    card_last4: z.string(),
    card_exp_month: z.int(),
    card_exp_year: z.int(),
    is_default: z.boolean(),
  })
  .meta({ id: 'PaymentMethod' })
export type PaymentMethod = z.infer<typeof PaymentMethod>

export const AutoReloadSettings = z
  .object({
    auto_reload_enabled: z.boolean(),
    auto_reload_threshold_usd: Usd.nullable(),
    auto_reload_amount_usd: Usd.nullable(),
    auto_reload_package_id: z.string().nullable(),
    auto_reload_consent_accepted_at: z.string().nullable(),
    auto_reload_off_reason: z.string().nullable(),
  })
  .meta({ id: 'AutoReloadSettings' })

export const paymentEndpoints = defineEndpoints('Payments', 'session', {
  createCheckout: {
    method: 'POST',
    path: '/payment/checkout',
    summary: 'Start buying a credit package',
    description:
      'The browser is sent to `checkout_url`, the payment provider’s hosted page. `success_url` and `cancel_url` are on an allowed origin; a bare path is one of the page’s origin.',
    body: z.strictObject({
      credit_package_id: z.string().max(100),
      success_url: z.string().max(2000),
      cancel_url: z.string().max(2000),
    }),
    reply: z.object({ checkout_url: z.string(), session_id: z.string() }),
    status: 201,
    creates: true,
    refusals: ['unavailable'],
    example: {
      body: {
        credit_package_id: 'pkg-power-50',
        success_url: 'https://cutindex.example/payment/success',
        cancel_url: 'https://cutindex.example/payment/cancel',
      },
    },
  },
  getPaymentSession: {
    method: 'GET',
    path: '/payment/session/{id}',
    summary: 'Whether a checkout has been paid and credited',
    params: z.object({ id: z.string().max(200) }),
    reply: z.object({
      session_id: z.string(),
      status: z.enum(['pending', 'credited', 'canceled']),
      credit_package_id: z.string(),
      price_usd: Usd,
      credits_usd: Usd,
    }),
  },
  getPaymentConfig: {
    method: 'GET',
    path: '/payment/config',
    summary: 'What the browser needs to load the card form',
    reply: z.object({
      publishable_key: z.string(),
      script_url: z.string().meta({ description: 'Where the provider’s browser script lives.' }),
    }),
  },
  createSetupIntent: {
    method: 'POST',
    path: '/payment/setup-intent',
    summary: 'Start saving a card',
    reply: z.object({ client_secret: z.string() }),
    status: 201,
    creates: true,
    refusals: ['conflict', 'limit_reached', 'unavailable'],
  },
  confirmSetupIntent: {
    method: 'POST',
    path: '/payment/confirm-setup-intent',
    summary: 'Save a confirmed card',
    body: z.strictObject({ setup_intent_id: z.string().max(200) }),
    reply: z.object({ paymentMethod: PaymentMethod }),
    status: 201,
    creates: true,
    refusals: ['not_found', 'conflict', 'limit_reached', 'unavailable'],
  },
  listPaymentMethods: {
    method: 'GET',
    path: '/user/payment-methods',
    summary: 'Saved cards',
    reply: z.object({ paymentMethods: z.array(PaymentMethod) }),
  },
  setDefaultPaymentMethod: {
    method: 'PUT',
    path: '/user/payment-methods/{id}/default',
    summary: 'Make a card the default',
    reply: z.object({ paymentMethod: PaymentMethod }),
  },
  deletePaymentMethod: {
    method: 'DELETE',
    path: '/user/payment-methods/{id}',
    summary: 'Remove a card',
    description:
      'Removing the default card makes the most recently added remaining card the default; removing the last one turns auto-reload off.',
    reply: Done,
    refusals: ['unavailable'],
  },
  saveAutoReload: {
    method: 'PUT',
    path: '/user/auto-reload',
    summary: 'Save the auto-reload settings',
    body: z.strictObject({
      enabled: z.boolean(),
      threshold_usd: z.number(),
      amount_usd: z.number(),
      package_id: z.string().max(100).nullish(),
      consent_accepted: z.boolean().optional(),
    }),
    reply: AutoReloadSettings,
    example: {
      body: {
        enabled: true,
        threshold_usd: 10,
        amount_usd: 50,
        package_id: 'pkg-power-50',
        consent_accepted: true,
      },
    },
  },
  receivePaymentWebhook: {
    method: 'POST',
    path: '/payment/webhook',
    summary: 'Signed events of the payment provider',
    auth: 'anyone',
    rawBody: { contentType: 'application/json', schema: { type: 'object' } },
    reply: z.object({ received: z.literal(true) }),
    refusals: ['invalid_signature', 'malformed'],
  },
})
