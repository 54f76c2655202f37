/** Setup intents: requires_payment_method → (requires_action →) succeeded | canceled. */
import { createId, nowSeconds } from '../ids.ts'
import type { Call } from './call.ts'
import { behaviourOf, cardError, resolveTestMethod } from './cards.ts'
import { findCustomer } from './customers.ts'
import { ApiError, invalidRequest } from './errors.ts'
import type { CardError, PaymentMethod, Provider, SetupIntent } from './objects.ts'
import { askBank, readOwn } from './payment-intents.ts'
import { findMethod, readAutomatic, readCard, readTypes, saveMethod } from './payment-methods.ts'
import { unusedFields } from './unused-fields.ts'
import { change } from './objects.ts'

export function createSetupIntent(provider: Provider, call: Call): SetupIntent {
  const { params } = call
  const customer = params.text('customer') ?? null
  if (customer !== null) findCustomer(provider, customer, 'customer')
  const methodId = params.text('payment_method')
  const confirm = params.boolean('confirm') ?? false
  const returnUrl = params.text('return_url')
  const id = createId('seti_1', 23)
  const intent: SetupIntent = {
    ...unusedFields.setup_intent,
    id,
    object: 'setup_intent',
    automatic_payment_methods: readAutomatic(params),
    cancellation_reason: null,
    client_secret: createId(`${id}_secret_`, 32),
    created: nowSeconds(),
    customer,
    description: params.text('description') ?? null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: params.metadata('metadata') ?? {},
    next_action: null,
    payment_method: null,
    allowed_payment_method_types: readTypes(params),
    payment_method_types: ['card'],
    status: 'requires_payment_method',
    usage: params.text('usage') ?? 'off_session',
  }
  params.refuseRest()
  provider.store.put('setup_intent', id, intent)
  provider.emit('setup_intent.created', intent)
  if (!confirm) return intent
  const method = findMethod(provider, resolveTestMethod(provider, methodId ?? ''), 'payment_method')
  return confirmSetup(provider, intent, method, { returnUrl })
}

export function confirmSetupIntent(provider: Provider, call: Call): SetupIntent {
  const intent = readOwn(provider, call, 'setup_intent')
  const { params } = call
  const returnUrl = params.text('return_url')
  params.text('use_stripe_sdk')
  const methodId = params.text('payment_method')
  const data = params.object('payment_method_data')
  requireOpen(intent)
  const method =
    data === undefined
      ? findMethod(provider, resolveTestMethod(provider, methodId ?? ''), 'payment_method')
      : readCard(provider, call, data)
  params.refuseRest()
  return confirmSetup(provider, intent, method, { returnUrl })
}

/** Ends the authentication that a setup intent waits for. */
export function authenticateSetup(
  provider: Provider,
  intent: SetupIntent,
  hasPassed: boolean,
): SetupIntent {
  const method = findMethod(provider, intent.payment_method ?? '')
  if (!hasPassed) {
    failSetup(provider, intent, {
      type: 'card_error',
      code: 'setup_intent_authentication_failure',
      message: 'We are unable to authenticate your payment method. Please choose another one.',
      doc_url: 'https://stripe.com/docs/error-codes/setup-intent-authentication-failure',
      payment_method: method,
    })
    return provider.store.get('setup_intent', intent.id) ?? intent
  }
  const behaviour = provider.store.get('card_behaviour', method.id)
  if (behaviour !== undefined) {
    provider.store.put('card_behaviour', method.id, { ...behaviour, authenticated: true })
  }
  return succeedSetup(provider, intent, method)
}

function confirmSetup(
  provider: Provider,
  intent: SetupIntent,
  method: PaymentMethod,
  options: { returnUrl?: string },
): SetupIntent {
  const behaviour = behaviourOf(provider, method)
  if (behaviour.onSave !== undefined) {
    throw failSetup(provider, intent, cardError(behaviour.onSave, method))
  }
  if (behaviour.authentication === undefined) return succeedSetup(provider, intent, method)
  const waiting = {
    status: 'requires_action' as const,
    payment_method: method.id,
    next_action: askBank(provider, intent, options.returnUrl),
  }
  return change(provider, 'setup_intent', intent, waiting, 'setup_intent.requires_action')
}

function succeedSetup(provider: Provider, intent: SetupIntent, method: PaymentMethod): SetupIntent {
  if (intent.customer !== null) saveMethod(provider, method, intent.customer)
  const ended = { last_setup_error: null, next_action: null }
  const succeeded = { ...ended, status: 'succeeded' as const, payment_method: method.id }
  return change(provider, 'setup_intent', intent, succeeded, 'setup_intent.succeeded')
}

function failSetup(provider: Provider, intent: SetupIntent, error: CardError): ApiError {
  const ended = { last_setup_error: error, next_action: null, payment_method: null }
  const changes = { ...ended, status: 'requires_payment_method' as const }
  const failed = change(provider, 'setup_intent', intent, changes, 'setup_intent.setup_failed')
  return new ApiError(402, { ...error, setup_intent: failed })
}

function requireOpen(intent: SetupIntent): void {
  if (intent.status !== 'succeeded' && intent.status !== 'canceled') return
  throw invalidRequest(
    `You cannot confirm this SetupIntent because it has a status of ${intent.status}.`,
    { code: 'setup_intent_unexpected_state', setup_intent: intent },
  )
}
