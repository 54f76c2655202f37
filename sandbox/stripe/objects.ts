/** The provider's objects as far as they are served here, with their wire names. */
import type { Stripe } from 'stripe'
import type { Store } from '../store.ts'

/** As the client's types, with each object that could be expanded as its id. */
type Plain<T> = { [K in keyof T]: string extends T[K] ? Exclude<T[K], { id: string }> : T[K] }

export type Metadata = Record<string, string>
export type Customer = Omit<Plain<Stripe.Customer>, 'deleted'> & { deleted?: true }
export type PaymentMethod = Plain<Stripe.PaymentMethod> & { card: Stripe.PaymentMethod.Card }
export type Charge = Plain<Stripe.Charge> & {
  payment_intent: string
  payment_method: string
  payment_method_details: { card: Stripe.Charge.PaymentMethodDetails.Card }
}
export type CardError = Stripe.PaymentIntent.LastPaymentError & { message: string }
export type PaymentIntent = Plain<Stripe.PaymentIntent> & { client_secret: string }
export type SetupIntent = Plain<Stripe.SetupIntent> & { client_secret: string }
export type CheckoutSession = Plain<Stripe.Checkout.Session> & {
  amount_total: number
  currency: string
  success_url: string
}
export type Refund = Plain<Stripe.Refund> & { charge: string }
export type Dispute = Plain<Stripe.Dispute> & { charge: string }
/** One movement of the merchant's balance. `amount` is gross, `net` is less the provider's fee. */
export type BalanceTransaction = Plain<Stripe.BalanceTransaction> & {
  source: string
  reporting_category: 'charge' | 'refund' | 'refund_failure' | 'dispute' | 'dispute_reversal'
}
export type LineItem = Omit<Stripe.LineItem, 'price'> & {
  price: object
  description: string
  quantity: number
}
export type Event = Omit<Stripe.Event, 'data' | 'type'> & {
  data: { object: unknown }
  type: string
}

/** Details of a session that the provider keeps to itself. */
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
  /** Behaviour of a saved card: its row in the table of test cards. */
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
  /** Set by tests: how refunds begin, and whether a charge's movement is booked later. */
  levers: { refundStatus: Exclude<Refund['status'], 'failed'>; areMovementsLate: boolean }
  /** Records an event and hands it to the webhook deliveries. */
  emit(type: string, object: unknown): void
}

export const apiVersion = '2026-10-28.endive'

/** Keeps an object with the changes and reports that. */
export function change<Table extends keyof PaymentTables>(
  provider: Provider,
  table: Table,
  row: PaymentTables[Table] & { id: string },
  changes: Partial<PaymentTables[Table]>,
  event: string,
): PaymentTables[Table] {
  const changed = provider.store.put(table, row.id, { ...row, ...changes })
  provider.emit(event, changed)
  return changed
}
