/**
 * Payment intents: requires_payment_method → requires_confirmation → (requires_action →)
 * succeeded, or back to requires_payment_method after a decline; canceled from any open state.
 */
import type { Stripe } from 'stripe'
import { createId, nowSeconds } from '../ids.ts'
import { chargeFee, recordMovement } from './balance-transactions.ts'
import type { Call } from './call.ts'
import { authenticationRequired, behaviourOf, cardError, resolveTestMethod } from './cards.ts'
import { findCustomer, refuseUnknownCustomer } from './customers.ts'
import { ApiError, invalidRequest, missingResource } from './errors.ts'
import { listPage, matching } from './list.ts'
import type {
  CardError,
  Charge,
  PaymentIntent,
  PaymentMethod,
  PaymentTables,
  Provider,
} from './objects.ts'
import { findMethod, readAutomatic, readTypes, saveMethod, wasDetached } from './payment-methods.ts'
import { unusedFields } from './unused-fields.ts'
import { change } from './objects.ts'

export function createPaymentIntent(provider: Provider, call: Call): PaymentIntent {
  const { params } = call
  const amount = params.requireInteger('amount')
  const currency = params.requireText('currency').toLowerCase()
  const customer = params.text('customer')
  if (customer !== undefined) findCustomer(provider, customer, 'customer')
  const methodId = params.text('payment_method')
  const confirm = params.boolean('confirm') ?? false
  const offSession = params.boolean('off_session') ?? false
  const returnUrl = params.text('return_url')
  params.boolean('error_on_requires_action')
  const intent = draftIntent({ amount, currency, customer: customer ?? null })
  intent.description = params.text('description') ?? null
  intent.metadata = params.metadata('metadata') ?? {}
  intent.receipt_email = params.text('receipt_email') ?? null
  intent.setup_future_usage = params.text('setup_future_usage') ?? null
  intent.statement_descriptor = params.text('statement_descriptor') ?? null
  intent.statement_descriptor_suffix = params.text('statement_descriptor_suffix') ?? null
  intent.automatic_payment_methods = readAutomatic(params)
  intent.allowed_payment_method_types = readTypes(params)
  params.refuseRest()
  checkAmount(amount, currency)
  if (offSession && !confirm) {
    throw invalidRequest('off_session can only be used when confirm is true.', {
      param: 'off_session',
    })
  }
  if (methodId !== undefined) useMethod(provider, intent, methodId)
  provider.store.put('payment_intent', intent.id, intent)
  provider.emit('payment_intent.created', intent)
  return confirm ? confirmIntent(provider, intent, { offSession, returnUrl }) : intent
}

export function listPaymentIntents(provider: Provider, call: Call): object {
  const customer = call.params.text('customer')
  if (customer !== undefined) refuseUnknownCustomer(provider, customer)
  const rows = matching(provider.store.rows('payment_intent'), { customer })
  return listPage(rows, call.params, '/v1/payment_intents')
}

export function draftIntent(input: {
  amount: number
  currency: string
  customer: string | null
}): PaymentIntent {
  const id = createId('pi_3', 23)
  return {
    ...unusedFields.payment_intent,
    id,
    object: 'payment_intent',
    amount: input.amount,
    amount_capturable: 0,
    amount_received: 0,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: createId(`${id}_secret_`, 25),
    confirmation_method: 'automatic',
    created: nowSeconds(),
    currency: input.currency,
    customer: input.customer,
    description: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: {},
    next_action: null,
    payment_method: null,
    allowed_payment_method_types: null,
    payment_method_types: ['card'],
    receipt_email: null,
    setup_future_usage: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
  }
}

export function checkAmount(amount: number, currency: string): void {
  if (!/^[a-z]{3}$/.test(currency)) {
    throw invalidRequest(`Invalid currency: ${currency}.`, { param: 'currency' })
  }
  if (amount < 50) {
    throw invalidRequest('Amount must be at least $0.50 usd', {
      code: 'amount_too_small',
      param: 'amount',
    })
  }
  if (amount > 99_999_999) {
    throw invalidRequest('Amount must be no more than $999,999.99', {
      code: 'amount_too_large',
      param: 'amount',
    })
  }
}

/** Charges the intent's method: throws the decline, or returns succeeded or requires_action. */
export function confirmIntent(
  provider: Provider,
  intent: PaymentIntent,
  options: { offSession?: boolean; returnUrl?: string; authenticated?: boolean },
): PaymentIntent {
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    throw unexpectedState(intent, 'You cannot confirm this PaymentIntent')
  }
  if (intent.payment_method === null) {
    throw unexpectedState(
      intent,
      'You cannot confirm this PaymentIntent because it is missing a payment method',
    )
  }
  const method = findMethod(provider, intent.payment_method)
  const behaviour = behaviourOf(provider, method)
  const asks =
    behaviour.authentication === 'always' ||
    (behaviour.authentication === 'unless_saved' && !behaviour.authenticated)
  if (asks && options.authenticated !== true) {
    if (options.offSession === true) {
      throw failIntent(provider, intent, cardError(authenticationRequired, method))
    }
    return askForAction(provider, intent, options.returnUrl)
  }
  if (behaviour.onCharge !== undefined) {
    throw failIntent(provider, intent, cardError(behaviour.onCharge, method))
  }
  return succeed(provider, intent, method)
}

/** The person did not pass the authentication. */
export function failAuthentication(provider: Provider, intent: PaymentIntent): ApiError {
  const method = findMethod(provider, intent.payment_method ?? '')
  return failIntent(provider, intent, {
    type: 'card_error',
    code: 'payment_intent_authentication_failure',
    message: 'We are unable to authenticate your payment method. Please choose another one.',
    doc_url: 'https://stripe.com/docs/error-codes/payment-intent-authentication-failure',
    payment_method: method,
  })
}

function succeed(provider: Provider, intent: PaymentIntent, method: PaymentMethod): PaymentIntent {
  const charge = recordCharge(provider, intent, method, undefined)
  const succeeded: PaymentIntent = {
    ...intent,
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: charge.id,
    last_payment_error: null,
    next_action: null,
  }
  provider.store.put('payment_intent', intent.id, succeeded)
  if (intent.setup_future_usage !== null && intent.customer !== null) {
    saveMethod(provider, method, intent.customer)
  }
  provider.emit('charge.succeeded', charge)
  provider.emit('payment_intent.succeeded', succeeded)
  return succeeded
}

function failIntent(provider: Provider, intent: PaymentIntent, error: CardError): ApiError {
  const method = findMethod(provider, intent.payment_method ?? '')
  const charge = recordCharge(provider, intent, method, error)
  const failed: PaymentIntent = {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    latest_charge: charge.id,
    last_payment_error: { ...error, charge: charge.id },
    next_action: null,
  }
  provider.store.put('payment_intent', intent.id, failed)
  provider.emit('charge.failed', charge)
  provider.emit('payment_intent.payment_failed', failed)
  return new ApiError(402, { ...error, charge: charge.id, payment_intent: failed })
}

function askForAction(
  provider: Provider,
  intent: PaymentIntent,
  returnUrl?: string,
): PaymentIntent {
  const next_action = askBank(provider, intent, returnUrl)
  const waiting = { status: 'requires_action' as const, next_action }
  return change(provider, 'payment_intent', intent, waiting, 'payment_intent.requires_action')
}

/** Sends a person to the bank's page, within the provider's script or by way of the browser. */
export function askBank(
  provider: Provider,
  intent: { id: string; client_secret: string },
  returnUrl: string | undefined,
): Stripe.PaymentIntent.NextAction & Stripe.SetupIntent.NextAction {
  const secret = encodeURIComponent(intent.client_secret)
  const url = `${provider.publicUrl()}/authenticate/${intent.id}?client_secret=${secret}`
  if (returnUrl !== undefined) {
    return { type: 'redirect_to_url', redirect_to_url: { url, return_url: returnUrl } }
  }
  const useScript = { type: 'three_d_secure_redirect', stripe_js: url } as const
  return { type: 'use_stripe_sdk', use_stripe_sdk: useScript }
}

function recordCharge(
  provider: Provider,
  intent: PaymentIntent,
  method: PaymentMethod,
  error: CardError | undefined,
): Charge {
  const id = createId('ch_3', 23)
  const isPaid = error === undefined
  const movement =
    isPaid && !provider.levers.areMovementsLate
      ? recordMovement(provider, {
          amount: intent.amount,
          currency: intent.currency,
          source: id,
          reporting_category: 'charge',
          fee: chargeFee(intent.amount),
          description: intent.description,
        })
      : null
  return provider.store.put('charge', id, {
    ...unusedFields.charge,
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: isPaid ? intent.amount : 0,
    amount_refunded: 0,
    balance_transaction: movement?.id ?? null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'SANDBOX',
    captured: isPaid,
    created: nowSeconds(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: error?.code ?? null,
    failure_message: error?.message ?? null,
    livemode: false,
    metadata: intent.metadata,
    outcome: {
      ...unusedFields.outcome,
      network_status: isPaid ? 'approved_by_network' : 'declined_by_network',
      reason: error?.decline_code ?? null,
      risk_level: error?.decline_code === 'fraudulent' ? 'highest' : 'normal',
      seller_message: isPaid ? 'Payment complete.' : 'The bank declined the payment.',
      type: isPaid ? 'authorized' : 'issuer_declined',
    },
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: 'card', card: chargedCard(method) },
    receipt_email: intent.receipt_email,
    receipt_url: isPaid ? `${provider.publicUrl()}/receipts/${id}` : null,
    refunded: false,
    status: isPaid ? 'succeeded' : 'failed',
  })
}

/** A charge shows less of its card than the saved method does. */
function chargedCard({ card }: PaymentMethod): Charge['payment_method_details']['card'] {
  return {
    ...unusedFields.charged_card,
    brand: card.brand,
    checks: card.checks,
    country: card.country,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    fingerprint: card.fingerprint,
    funding: card.funding,
    last4: card.last4,
    network: card.brand,
    wallet: null,
  }
}

function useMethod(provider: Provider, intent: PaymentIntent, methodId: string): void {
  const method = findMethod(provider, resolveTestMethod(provider, methodId), 'payment_method')
  if (method.customer !== null && method.customer !== intent.customer) {
    throw invalidRequest(
      intent.customer === null
        ? `The PaymentMethod '${method.id}' belongs to a Customer. Provide that Customer.`
        : `The PaymentMethod '${method.id}' does not belong to the Customer '${intent.customer}'.`,
      { param: 'payment_method' },
    )
  }
  if (method.customer === null && wasDetached(provider, method)) {
    throw invalidRequest(
      'The provided PaymentMethod was detached from a Customer. It may not be used again.',
    )
  }
  intent.payment_method = method.id
  intent.status = 'requires_confirmation'
}

function unexpectedState(intent: PaymentIntent, text: string): ApiError {
  return invalidRequest(`${text}: it has a status of ${intent.status}.`, {
    code: 'payment_intent_unexpected_state',
    payment_intent: intent,
  })
}

/** Returns an intent to the merchant, or to a caller that knows its secret. */
export function readOwn<Table extends 'payment_intent' | 'setup_intent'>(
  provider: Provider,
  call: Call,
  table: Table,
): PaymentTables[Table] {
  const id = call.path['id'] ?? ''
  const intent = provider.store.get(table, id)
  const secret = call.params.text('client_secret')
  const isOwn = secret === undefined ? call.caller === 'secret' : secret === intent?.client_secret
  if (intent !== undefined && isOwn) return intent
  throw missingResource(table === 'setup_intent' ? 'setupintent' : table, id, 'intent')
}

/** Answers with an intent as it is. */
export function retrieveOwn(table: 'payment_intent' | 'setup_intent') {
  return (provider: Provider, call: Call): object => {
    const intent = readOwn(provider, call, table)
    call.params.refuseRest()
    return intent
  }
}
