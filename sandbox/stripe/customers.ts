import { createId, nowSeconds } from '../ids.ts'
import type { Call } from './call.ts'
import { invalidRequest, missingResource } from './errors.ts'
import { listPage } from './list.ts'
import type { Customer, Provider } from './objects.ts'
import type { Params } from './params.ts'

export function createCustomer(provider: Provider, call: Call): Customer {
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
    description: null,
    email: null,
    invoice_prefix: createId('', 8).toUpperCase(),
    invoice_settings: { default_payment_method: null },
    livemode: false,
    metadata: {},
    name: null,
    phone: null,
    preferred_locales: [],
    shipping: null,
  }
  const changed = changeCustomer(provider, customer, call.params)
  provider.store.put('customer', id, changed)
  provider.emit('customer.created', changed)
  return changed
}

export function updateCustomer(provider: Provider, call: Call): Customer {
  const customer = findCustomer(provider, call.path['id'] ?? '')
  const changed = changeCustomer(provider, customer, call.params)
  provider.store.put('customer', customer.id, changed)
  provider.emit('customer.updated', changed)
  return changed
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

export function listCustomers(provider: Provider, call: Call): object {
  const email = call.params.text('email')
  const rows = provider.store
    .rows('customer')
    .filter((row) => row.deleted !== true && (email === undefined || row.email === email))
  return listPage(rows, call.params, '/v1/customers')
}

export function findCustomer(provider: Provider, id: string, param = 'id'): Customer {
  const customer = provider.store.get('customer', id)
  if (customer === undefined || customer.deleted === true) {
    throw missingResource('customer', id, param)
  }
  return customer
}

function changeCustomer(provider: Provider, customer: Customer, params: Params): Customer {
  const email = params.text('email')
  if (email !== undefined && email !== '' && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw invalidRequest(`Invalid email address: ${email}`, {
      code: 'email_invalid',
      param: 'email',
    })
  }
  const settings = params.object('invoice_settings')
  const method = settings?.text('default_payment_method')
  if (method !== undefined && method !== '') {
    const owner = provider.store.get('payment_method', method)?.customer
    if (owner !== customer.id) {
      throw invalidRequest(
        `The customer does not have a payment method with the ID ${method}. ` +
          'The payment method must be attached to the customer.',
        { code: 'resource_missing', param: 'invoice_settings[default_payment_method]' },
      )
    }
  }
  const changed: Customer = {
    ...customer,
    email: email === undefined ? customer.email : email || null,
    name: textOr(params, 'name', customer.name),
    description: textOr(params, 'description', customer.description),
    phone: textOr(params, 'phone', customer.phone),
    metadata: mergeMetadata(customer.metadata, params.metadata('metadata')),
    invoice_settings: {
      default_payment_method:
        method === undefined
          ? customer.invoice_settings.default_payment_method
          : method === ''
            ? null
            : method,
    },
  }
  params.refuseRest()
  return changed
}

function textOr(params: Params, name: string, current: string | null): string | null {
  const found = params.text(name)
  return found === undefined ? current : found || null
}

/** An empty value deletes its key, as with the provider. */
function mergeMetadata(
  current: Record<string, string>,
  change: Record<string, string> | undefined,
): Record<string, string> {
  const merged = { ...current, ...change }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''))
}
