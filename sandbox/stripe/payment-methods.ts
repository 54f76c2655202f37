import type { Call } from './call.ts'
import { behaviourOf, cardError, createPaymentMethod, resolveTestMethod } from './cards.ts'
import { findCustomer } from './customers.ts'
import { ApiError, invalidRequest, missingResource } from './errors.ts'
import { listPage, matching } from './list.ts'
import type { PaymentMethod, Provider } from './objects.ts'
import type { Params } from './params.ts'
import { change } from './objects.ts'

export function attachMethod(provider: Provider, call: Call): PaymentMethod {
  const method = findMethod(provider, resolveTestMethod(provider, call.path['id'] ?? ''))
  const customer = findCustomer(provider, call.params.requireText('customer'), 'customer')
  call.params.refuseRest()
  return saveMethod(provider, method, customer.id)
}

export function detachMethod(provider: Provider, call: Call): PaymentMethod {
  call.params.refuseRest()
  const method = findMethod(provider, call.path['id'] ?? '')
  if (method.customer === null) {
    throw invalidRequest(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
      { code: 'payment_method_not_attached' },
    )
  }
  const detached = { customer: null }
  return change(provider, 'payment_method', method, detached, 'payment_method.detached')
}

/** A method that was detached once is of no more use. */
export function wasDetached(provider: Provider, { id }: PaymentMethod): boolean {
  return provider.store
    .rows('event')
    .some(
      ({ type, data }) =>
        type === 'payment_method.detached' && (data.object as { id: string }).id === id,
    )
}

export function retrieveMethod(provider: Provider, call: Call): PaymentMethod {
  call.params.refuseRest()
  return findMethod(provider, call.path['id'] ?? '', 'payment_method')
}

export function listMethods(provider: Provider, call: Call): object {
  const customer = findCustomer(provider, call.params.requireText('customer'), 'customer')
  const wanted = { customer: customer.id, type: call.params.text('type') }
  const rows = provider.store.rows('payment_method')
  return listPage(matching(rows, wanted), call.params, '/v1/payment_methods')
}

export function findMethod(provider: Provider, id: string, param?: string): PaymentMethod {
  const method = provider.store.get('payment_method', id)
  if (method === undefined) throw missingResource('PaymentMethod', id, param)
  return method
}

/** Ties a method to a customer, or declines as the card does when it is saved. */
export function saveMethod(
  provider: Provider,
  method: PaymentMethod,
  customerId: string,
): PaymentMethod {
  if (method.customer === customerId) return method
  if (method.customer !== null) {
    throw invalidRequest(
      'The payment method you provided has already been attached to a customer.',
      { code: 'payment_method_unexpected_state' },
    )
  }
  const decline = behaviourOf(provider, method).onSave
  if (decline !== undefined) throw new ApiError(402, { ...cardError(decline, method) })
  const attached = { customer: customerId }
  return change(provider, 'payment_method', method, attached, 'payment_method.attached')
}

/** Card numbers come from the provider's own form only, never from a merchant's server. */
export function readCard(provider: Provider, call: Call, params: Params): PaymentMethod {
  if (params.requireText('type') !== 'card') {
    throw invalidRequest('Only cards are offered here.', { param: 'type' })
  }
  const card = params.object('card')
  if (card === undefined) {
    throw invalidRequest('Missing required param: card.', {
      code: 'parameter_missing',
      param: 'card',
    })
  }
  if (call.caller === 'secret') {
    throw new ApiError(402, {
      type: 'card_error',
      code: 'card_declined',
      message:
        'Sending credit card numbers directly to the Stripe API is generally unsafe. ' +
        'We suggest you use test tokens that map to the test card you are using.',
    })
  }
  const details = params.object('billing_details')
  const address = details?.object('address')
  return createPaymentMethod(provider, {
    number: card.requireText('number'),
    expMonth: card.requireText('exp_month'),
    expYear: card.requireText('exp_year'),
    cvc: card.text('cvc'),
    name: details?.text('name') || undefined,
    email: details?.text('email') || undefined,
    country: address?.text('country') || undefined,
    postalCode: address?.text('postal_code') || undefined,
  })
}

/** Reads which kinds of payment method are allowed; null leaves it to the provider. */
export function readTypes(params: Params): string[] | null {
  const types = params.texts('allowed_payment_method_types')
  if (types.some((type) => type !== 'card')) {
    throw invalidRequest('Only cards are offered here.', { param: 'allowed_payment_method_types' })
  }
  return types.length > 0 ? types : null
}

export function readAutomatic(
  params: Params,
): { enabled: boolean; allow_redirects: string } | null {
  const automatic = params.object('automatic_payment_methods')
  if (automatic === undefined) return null
  return {
    enabled: automatic.boolean('enabled') ?? false,
    allow_redirects: automatic.text('allow_redirects') ?? 'always',
  }
}
