/** Checkout sessions: open → complete (paid) | expired. A decline or a cancel leaves it open. */
import { createId, nowSeconds } from '../ids.ts'
import type { Call } from './call.ts'
import { createPaymentMethod } from './cards.ts'
import type { CardInput } from './cards.ts'
import { findCustomer, refuseUnknownCustomer } from './customers.ts'
import { invalidRequest, missingResource } from './errors.ts'
import { listPage, matching } from './list.ts'
import type { CheckoutSession, LineItem, PaymentIntent, Provider } from './objects.ts'
import type { Params } from './params.ts'
import { checkAmount, confirmIntent, draftIntent } from './payment-intents.ts'
import { readTypes } from './payment-methods.ts'
import { unusedFields } from './unused-fields.ts'
import { change } from './objects.ts'

export function createSession(provider: Provider, call: Call): CheckoutSession {
  const { params } = call
  if ((params.text('mode') ?? 'payment') !== 'payment') {
    throw invalidRequest('Only payment mode is offered here.', { param: 'mode' })
  }
  if ((params.text('ui_mode') ?? 'hosted_page') !== 'hosted_page') {
    throw invalidRequest('Only the hosted page is offered here.', { param: 'ui_mode' })
  }
  readTypes(params)
  const customer = params.text('customer') ?? null
  const email = params.text('customer_email') ?? null
  if (customer !== null && email !== null) {
    throw invalidRequest('You may only specify one of these parameters: customer, customer_email.')
  }
  if (customer !== null) findCustomer(provider, customer, 'customer')
  const items = params.objects('line_items').map(readLineItem)
  if (items.length === 0) {
    throw invalidRequest('Missing required param: line_items.', {
      code: 'parameter_missing',
      param: 'line_items',
    })
  }
  const intentData = readIntentData(params.object('payment_intent_data'))
  const id = createId('cs_test_', 58)
  const amount = items.reduce((sum, item) => sum + item.amount_total, 0)
  const session: CheckoutSession = {
    ...unusedFields.checkout_session,
    id,
    object: 'checkout.session',
    amount_subtotal: amount,
    amount_total: amount,
    billing_address_collection: params.text('billing_address_collection') ?? null,
    cancel_url: readUrl(params, 'cancel_url') ?? null,
    client_reference_id: params.text('client_reference_id') ?? null,
    client_secret: null,
    created: nowSeconds(),
    currency: items[0]?.currency ?? 'usd',
    customer,
    customer_creation: params.text('customer_creation') ?? null,
    customer_details: null,
    customer_email: email,
    expires_at: readExpiry(params.integer('expires_at')),
    livemode: false,
    locale: params.text('locale') ?? null,
    metadata: params.metadata('metadata') ?? {},
    mode: 'payment',
    payment_intent: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    status: 'open',
    submit_type: params.text('submit_type') ?? null,
    success_url: readUrl(params, 'success_url') ?? '',
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${provider.publicUrl()}/c/pay/${id}`,
  }
  params.refuseRest()
  if (session.success_url === '') params.requireText('success_url')
  checkAmount(amount, session.currency)
  provider.store.put('checkout_secret', id, { items, intentData })
  return provider.store.put('checkout_session', id, session)
}

export function retrieveSession(provider: Provider, call: Call): CheckoutSession {
  call.params.refuseRest()
  return findSession(provider, call.path['id'] ?? '')
}

export function listSessions(provider: Provider, call: Call): object {
  const { params } = call
  const customer = params.text('customer')
  if (customer !== undefined) refuseUnknownCustomer(provider, customer)
  const wanted = {
    customer,
    payment_intent: params.text('payment_intent'),
    status: params.text('status'),
  }
  const rows = provider.store.rows('checkout_session').map((row) => findSession(provider, row.id))
  return listPage(matching(rows, wanted), params, '/v1/checkout/sessions')
}

export function expireSession(provider: Provider, call: Call): CheckoutSession {
  call.params.refuseRest()
  const session = findSession(provider, call.path['id'] ?? '')
  if (session.status !== 'open') {
    throw invalidRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. ` +
        `This Checkout Session has a status of ${session.status}.`,
    )
  }
  return markExpired(provider, session)
}

/** Expires what is over time, so that its event is sent without anybody asking. */
export function expireOverdueSessions(provider: Provider): void {
  for (const session of provider.store.rows('checkout_session')) {
    if (isOverdue(session)) markExpired(provider, session)
  }
}

export function findSession(provider: Provider, id: string): CheckoutSession {
  const session = provider.store.get('checkout_session', id)
  if (session === undefined) throw missingResource('checkout.session', id)
  return isOverdue(session) ? markExpired(provider, session) : session
}

/** Pays as the hosted page's button does. Throws the decline; the session then stays open. */
export function paySession(
  provider: Provider,
  session: CheckoutSession,
  card: CardInput,
): PaymentIntent {
  const method = createPaymentMethod(provider, card)
  const secret = provider.store.get('checkout_secret', session.id)
  const existing =
    session.payment_intent === null
      ? undefined
      : provider.store.get('payment_intent', session.payment_intent)
  const intent: PaymentIntent = {
    ...(existing ??
      draftIntent({
        amount: session.amount_total,
        currency: session.currency,
        customer: session.customer,
      })),
    ...secret?.intentData,
    payment_method: method.id,
    status: 'requires_confirmation',
  }
  provider.store.put('payment_intent', intent.id, intent)
  if (existing === undefined) provider.emit('payment_intent.created', intent)
  provider.store.put('checkout_session', session.id, {
    ...session,
    payment_intent: intent.id,
    customer_details: {
      ...unusedFields.customer_details,
      email: card.email ?? session.customer_email,
      name: card.name ?? null,
    },
  })
  const confirmed = confirmIntent(provider, intent, {})
  if (confirmed.status === 'succeeded') completeSession(provider, session.id)
  return confirmed
}

/** Called when the session's payment succeeded, with or without authentication. */
export function completeSession(provider: Provider, id: string): CheckoutSession {
  const session = findSession(provider, id)
  if (session.status === 'complete') return session
  const complete = { status: 'complete', payment_status: 'paid', url: null } as const
  return change(provider, 'checkout_session', session, complete, 'checkout.session.completed')
}

export function successUrlOf(session: CheckoutSession): string {
  return session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id)
}

function isOverdue(session: CheckoutSession): boolean {
  return session.status === 'open' && session.expires_at <= nowSeconds()
}

function markExpired(provider: Provider, session: CheckoutSession): CheckoutSession {
  const expired = { status: 'expired', url: null } as const
  return change(provider, 'checkout_session', session, expired, 'checkout.session.expired')
}

function readLineItem(params: Params): LineItem {
  const quantity = params.integer('quantity') ?? 1
  const price = params.object('price_data')
  if (price === undefined) {
    throw invalidRequest('Only price_data is offered here, no stored prices.', { param: 'price' })
  }
  const currency = price.requireText('currency').toLowerCase()
  const unitAmount = price.requireInteger('unit_amount')
  const product = price.object('product_data')
  if (product === undefined) {
    throw invalidRequest('Missing required param: product_data.', {
      code: 'parameter_missing',
      param: 'line_items[0][price_data][product_data]',
    })
  }
  const name = product.requireText('name')
  product.text('description')
  product.metadata('metadata')
  if (quantity < 1 || quantity > 999_999 || unitAmount < 0) {
    throw invalidRequest('This value must be greater than or equal to 1.', { param: 'quantity' })
  }
  return {
    ...unusedFields.line_item,
    id: createId('li_1', 23),
    object: 'item',
    amount_discount: 0,
    amount_subtotal: unitAmount * quantity,
    amount_tax: 0,
    amount_total: unitAmount * quantity,
    currency,
    description: name,
    price: {
      ...unusedFields.price,
      id: createId('price_1', 23),
      object: 'price',
      active: false,
      created: nowSeconds(),
      currency,
      product: createId('prod_', 14),
      type: 'one_time',
      unit_amount: unitAmount,
      unit_amount_decimal: String(unitAmount),
    },
    quantity,
  }
}

function readIntentData(params: Params | undefined) {
  return {
    metadata: params?.metadata('metadata') ?? {},
    description: params?.text('description') ?? null,
    receipt_email: params?.text('receipt_email') ?? null,
    setup_future_usage: params?.text('setup_future_usage') ?? null,
    statement_descriptor_suffix: params?.text('statement_descriptor_suffix') ?? null,
  }
}

function readExpiry(seconds: number | undefined): number {
  const now = nowSeconds()
  if (seconds === undefined) return now + 24 * 3600
  // A minute of grace on both sides: clocks differ.
  if (seconds < now + 29 * 60 || seconds > now + 24 * 3600 + 60) {
    throw invalidRequest(
      'The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from now.',
      { param: 'expires_at' },
    )
  }
  return seconds
}

function readUrl(params: Params, name: string): string | undefined {
  const url = params.text(name)
  if (url === undefined || url === '') return undefined
  if (/^https?:/.test(url) && URL.canParse(url)) return url
  throw invalidRequest('Not a valid URL', { code: 'url_invalid', param: name })
}
