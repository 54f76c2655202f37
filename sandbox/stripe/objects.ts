/** The provider's objects as far as they are served here, with their wire names. */
import type { Store } from '../store.ts'

export type Metadata = Record<string, string>

export type Customer = {
  id: string
  object: 'customer'
  address: null
  balance: number
  created: number
  currency: string | null
  default_source: null
  delinquent: boolean
  description: string | null
  email: string | null
  invoice_prefix: string
  invoice_settings: { default_payment_method: string | null }
  livemode: false
  metadata: Metadata
  name: string | null
  phone: string | null
  preferred_locales: string[]
  shipping: null
  deleted?: true
}

export type PaymentMethod = {
  id: string
  object: 'payment_method'
  allow_redisplay: 'unspecified'
  billing_details: {
    address: {
      city: null
      country: string | null
      line1: null
      line2: null
      postal_code: string | null
      state: null
    }
    email: string | null
    name: string | null
    phone: string | null
    tax_id: null
  }
  card: {
    brand: string
    checks: {
      address_line1_check: null
      address_postal_code_check: null
      cvc_check: 'pass' | 'unchecked'
    }
    country: string
    display_brand: string
    exp_month: number
    exp_year: number
    fingerprint: string
    funding: 'credit'
    generated_from: null
    last4: string
    networks: { available: string[]; preferred: null }
    three_d_secure_usage: { supported: true }
    wallet: null
  }
  created: number
  customer: string | null
  livemode: false
  metadata: Metadata
  type: 'card'
}

export type CardError = {
  type: 'card_error'
  code: string
  decline_code?: string
  advice_code?: string
  message: string
  doc_url: string
  charge?: string
  payment_method?: PaymentMethod
}

export type NextAction = {
  type: 'use_stripe_sdk' | 'redirect_to_url'
  use_stripe_sdk?: { type: string; stripe_js: string }
  redirect_to_url?: { url: string; return_url: string }
}

export type PaymentIntent = {
  id: string
  object: 'payment_intent'
  allowed_payment_method_types: string[] | null
  amount: number
  amount_capturable: number
  amount_received: number
  automatic_payment_methods: { enabled: boolean; allow_redirects?: string } | null
  canceled_at: number | null
  cancellation_reason: string | null
  capture_method: 'automatic_async'
  client_secret: string
  confirmation_method: 'automatic'
  created: number
  currency: string
  customer: string | null
  description: string | null
  last_payment_error: CardError | null
  latest_charge: string | null
  livemode: false
  metadata: Metadata
  next_action: NextAction | null
  payment_method: string | null
  payment_method_types: string[]
  receipt_email: string | null
  setup_future_usage: string | null
  statement_descriptor: string | null
  statement_descriptor_suffix: string | null
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'processing'
    | 'succeeded'
    | 'canceled'
}

export type Charge = {
  id: string
  object: 'charge'
  amount: number
  amount_captured: number
  amount_refunded: number
  balance_transaction: string | null
  billing_details: PaymentMethod['billing_details']
  calculated_statement_descriptor: string
  captured: boolean
  created: number
  currency: string
  customer: string | null
  description: string | null
  disputed: boolean
  failure_code: string | null
  failure_message: string | null
  livemode: false
  metadata: Metadata
  outcome: {
    network_status: string
    reason: string | null
    risk_level: string
    seller_message: string
    type: string
  }
  paid: boolean
  payment_intent: string
  payment_method: string
  payment_method_details: {
    type: 'card'
    card: Omit<
      PaymentMethod['card'],
      'display_brand' | 'generated_from' | 'networks' | 'three_d_secure_usage'
    > & { network: string }
  }
  receipt_email: string | null
  receipt_url: string | null
  refunded: boolean
  status: 'succeeded' | 'failed'
}

export type SetupIntent = {
  id: string
  object: 'setup_intent'
  allowed_payment_method_types: string[] | null
  automatic_payment_methods: { enabled: boolean; allow_redirects?: string } | null
  cancellation_reason: string | null
  client_secret: string
  created: number
  customer: string | null
  description: string | null
  last_setup_error: CardError | null
  latest_attempt: null
  livemode: false
  mandate: null
  metadata: Metadata
  next_action: NextAction | null
  payment_method: string | null
  payment_method_types: string[]
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled'
  usage: string
}

export type LineItem = {
  id: string
  object: 'item'
  amount_discount: 0
  amount_subtotal: number
  amount_tax: 0
  amount_total: number
  currency: string
  description: string
  price: {
    id: string
    object: 'price'
    active: false
    created: number
    currency: string
    product: string
    type: 'one_time'
    unit_amount: number
    unit_amount_decimal: string
  }
  quantity: number
}

export type CheckoutSession = {
  id: string
  object: 'checkout.session'
  amount_subtotal: number
  amount_total: number
  billing_address_collection: string | null
  cancel_url: string | null
  client_reference_id: string | null
  client_secret: null
  created: number
  currency: string
  customer: string | null
  customer_creation: string | null
  customer_details: { email: string | null; name: string | null } | null
  customer_email: string | null
  expires_at: number
  livemode: false
  locale: string | null
  metadata: Metadata
  mode: 'payment'
  payment_intent: string | null
  payment_method_types: string[]
  payment_status: 'paid' | 'unpaid'
  status: 'open' | 'complete' | 'expired'
  submit_type: string | null
  success_url: string
  total_details: { amount_discount: 0; amount_shipping: 0; amount_tax: 0 }
  ui_mode: 'hosted_page'
  url: string | null
}

export type Refund = {
  id: string
  object: 'refund'
  amount: number
  charge: string
  created: number
  currency: string
  customer: string | null
  metadata: Metadata
  payment_intent: string
  payment_method: string
  reason: string | null
  status: 'pending' | 'requires_action' | 'succeeded' | 'failed'
  /** Null until the money has left. */
  balance_transaction: string | null
  failure_balance_transaction?: string
  failure_reason?: string
}

export type Dispute = {
  id: string
  object: 'dispute'
  amount: number
  /** The money that it took and, where it was won, the money that came back. */
  balance_transactions: BalanceTransaction[]
  charge: string
  created: number
  currency: string
  is_charge_refundable: boolean
  livemode: false
  metadata: Metadata
  payment_intent: string
  reason: string
  status: 'needs_response' | 'won' | 'lost' | 'warning_needs_response' | 'warning_closed'
}

/** One movement of the merchant's balance. `amount` is gross, `net` is less the provider's fee. */
export type BalanceTransaction = {
  id: string
  object: 'balance_transaction'
  amount: number
  available_on: number
  balance_type: 'payments'
  created: number
  currency: string
  description: string | null
  exchange_rate: null
  fee: number
  fee_details: {
    amount: number
    application: null
    currency: string
    description: string
    type: 'stripe_fee'
  }[]
  net: number
  reporting_category: 'charge' | 'refund' | 'refund_failure' | 'dispute' | 'dispute_reversal'
  source: string
  status: 'available' | 'pending'
  type: 'charge' | 'refund' | 'refund_failure' | 'adjustment'
}

export type Event = {
  id: string
  object: 'event'
  api_version: string
  created: number
  data: { object: unknown }
  livemode: false
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null }
  type: string
}

/** What the provider keeps to itself about a session. */
export type CheckoutSecret = {
  items: LineItem[]
  intentData: {
    metadata: Metadata
    description: string | null
    receipt_email: string | null
    setup_future_usage: string | null
    statement_descriptor_suffix: string | null
  }
}

export type Delivery = {
  id: string
  event: string
  status: 'pending' | 'delivered' | 'dropped' | 'abandoned'
  attempts: number
  nextAtMs: number
  lastStatus: number | null
  lastError: string | null
  createdAtMs: number
}

export type StoredAnswer = {
  request: string
  status: number
  body: string
  createdAtMs: number
}

export type PaymentTables = {
  customer: Customer
  payment_method: PaymentMethod
  /** How a saved card behaves: its place in the table of test cards. */
  card_behaviour: { card: string; authenticated: boolean }
  payment_intent: PaymentIntent
  charge: Charge
  setup_intent: SetupIntent
  checkout_session: CheckoutSession
  checkout_secret: CheckoutSecret
  refund: Refund
  dispute: Dispute
  balance_transaction: BalanceTransaction
  event: Event
  delivery: Delivery
  stored_answer: StoredAnswer
}

export type Provider = {
  store: Store<PaymentTables>
  publicUrl(): string
  secretKey: string
  publishableKey: string
  /** What tests change: how refunds begin, and whether a charge's movement is booked later. */
  levers: { refundStatus: Exclude<Refund['status'], 'failed'>; areMovementsLate: boolean }
  /** Records an event and hands it to the webhook deliveries. */
  emit(type: string, object: unknown): void
}

export const apiVersion = '2026-10-28.endive'
