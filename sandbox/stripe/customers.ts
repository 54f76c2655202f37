import { createId, nowSeconds } from '../ids.ts'
import type { Call } from './call.ts'
import { invalidRequest, missingResource } from './errors.ts'
import type { Customer, Provider } from './objects.ts'
import { unusedFields } from './unused-fields.ts'

export function createCustomer(provider: Provider, { params }: Call): Customer {
  const email = params.text('email') || null
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw invalidRequest(`Invalid email address: ${email}`, {
      code: 'email_invalid',
      param: 'email',
    })
  }
  const id = createId('cus_', 14)
  const customer: Customer = {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created: nowSeconds(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: params.text('description') || null,
    email,
    invoice_prefix: createId('', 8).toUpperCase(),
    invoice_settings: { ...unusedFields.customer, default_payment_method: null },
    livemode: false,
    metadata: params.metadata('metadata') ?? {},
    name: params.text('name') || null,
    phone: params.text('phone') || null,
    preferred_locales: [],
    shipping: null,
  }
  params.refuseRest()
  provider.store.put('customer', id, customer)
  provider.emit('customer.created', customer)
  return customer
}

export function retrieveCustomer(provider: Provider, call: Call): object {
  call.params.refuseRest()
  const id = call.path['id'] ?? ''
  const customer = provider.store.get('customer', id)
  if (customer === undefined) throw missingResource('customer', id)
  return customer.deleted === true ? { id, object: 'customer', deleted: true } : customer
}

export function deleteCustomer(provider: Provider, call: Call): object {
  const customer = findCustomer(provider, call.path['id'] ?? '')
  for (const method of provider.store.rows('payment_method')) {
    if (method.customer === customer.id) {
      provider.store.put('payment_method', method.id, { ...method, customer: null })
    }
  }
  provider.store.put('customer', customer.id, { ...customer, deleted: true })
  provider.emit('customer.deleted', customer)
  return { id: customer.id, object: 'customer', deleted: true }
}

/** Lists of one that was deleted are still given. */
export function refuseUnknownCustomer(provider: Provider, id: string): void {
  if (provider.store.get('customer', id) === undefined) {
    throw missingResource('customer', id, 'customer')
  }
}

export function findCustomer(provider: Provider, id: string, param = 'id'): Customer {
  const customer = provider.store.get('customer', id)
  if (customer === undefined || customer.deleted === true) {
    throw missingResource('customer', id, param)
  }
  return customer
}
