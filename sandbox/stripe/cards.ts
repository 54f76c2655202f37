/** The provider's well-known test numbers and how each behaves. No other number is accepted. */
import { createHmac } from 'node:crypto'
import { createId, nowSeconds } from '../ids.ts'
import { ApiError } from './errors.ts'
import type { CardError, PaymentMethod, Provider } from './objects.ts'
import { unusedFields } from './unused-fields.ts'

type Decline = { code: string; declineCode?: string; adviceCode?: string; message: string }

type TestCard = {
  brand: 'visa' | 'mastercard' | 'amex' | 'discover'
  name: string
  /** Refused already when it is saved to a customer. */
  onSave?: Decline
  onCharge?: Decline
  /** `unless_saved`: a card that was authenticated when saved is not asked again. */
  authentication?: 'unless_saved' | 'always'
}

const generic: Decline = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  adviceCode: 'try_again_later',
  message: 'Your card was declined.',
}

function declined(
  declineCode: string,
  adviceCode: string,
  message = 'Your card was declined.',
): Decline {
  return { code: 'card_declined', declineCode, adviceCode, message }
}

function always(brand: TestCard['brand'], name: string, decline: Decline): TestCard {
  return { brand, name, onSave: decline, onCharge: decline }
}

export const testCards: Record<string, TestCard> = {
  '4242424242424242': { brand: 'visa', name: 'Visa, succeeds' },
  '4000056655665556': { brand: 'visa', name: 'Visa debit, succeeds' },
  '5555555555554444': { brand: 'mastercard', name: 'Mastercard, succeeds' },
  '378282246310005': { brand: 'amex', name: 'American Express, succeeds' },
  '6011111111111117': { brand: 'discover', name: 'Discover, succeeds' },
  '4000000000000002': always('visa', 'Declined', generic),
  '4000000000009995': always(
    'visa',
    'Insufficient funds',
    declined('insufficient_funds', 'try_again_later', 'Your card has insufficient funds.'),
  ),
  '4000000000009987': always('visa', 'Lost card', declined('lost_card', 'do_not_try_again')),
  '4000000000009979': always('visa', 'Stolen card', declined('stolen_card', 'do_not_try_again')),
  '4000000000000069': always('visa', 'Expired card', {
    code: 'expired_card',
    declineCode: 'expired_card',
    adviceCode: 'do_not_try_again',
    message: 'Your card has expired.',
  }),
  '4000000000000127': always('visa', 'Wrong security code', {
    code: 'incorrect_cvc',
    declineCode: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
  }),
  '4000000000000119': always('visa', 'Processing error', {
    code: 'processing_error',
    declineCode: 'processing_error',
    adviceCode: 'try_again_later',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  }),
  '4000000000000341': {
    brand: 'visa',
    name: 'Can be saved, declines when charged',
    onCharge: generic,
  },
  '4100000000000019': {
    brand: 'visa',
    name: 'Can be saved, blocked as fraudulent when charged',
    onCharge: declined('fraudulent', 'do_not_try_again'),
  },
  '4000002500003155': {
    brand: 'visa',
    name: 'Asks for authentication once',
    authentication: 'unless_saved',
  },
  '4000002760003184': {
    brand: 'visa',
    name: 'Asks for authentication every time',
    authentication: 'always',
  },
  '4000000000003220': {
    brand: 'visa',
    name: '3D Secure 2 asks every time',
    authentication: 'always',
  },
}

/** The ids that stand for a fresh payment method of that kind in test mode. */
const testMethods: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_amex: '378282246310005',
  pm_card_discover: '6011111111111117',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_radarBlock: '4100000000000019',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_authenticationRequiredOnSetup: '4000002500003155',
}

export type CardInput = {
  number: string
  expMonth: string
  expYear: string
  cvc?: string
  name?: string
  email?: string
  country?: string
  postalCode?: string
}

export function createPaymentMethod(provider: Provider, input: CardInput): PaymentMethod {
  const number = input.number.replaceAll(/[\s-]/g, '')
  const { card, expMonth, expYear } = checkCard(number, input)
  const id = createId('pm_1', 23)
  provider.store.put('card_behaviour', id, { card: number, authenticated: false })
  return provider.store.put('payment_method', id, {
    ...unusedFields.payment_method,
    id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: {
      address: {
        city: null,
        country: input.country ?? null,
        line1: null,
        line2: null,
        postal_code: input.postalCode ?? null,
        state: null,
      },
      email: input.email ?? null,
      name: input.name ?? null,
      phone: null,
      tax_id: null,
    },
    card: {
      ...unusedFields.saved_card,
      brand: card.brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: input.cvc === undefined ? 'unchecked' : 'pass',
      },
      country: 'US',
      display_brand: card.brand,
      exp_month: expMonth,
      exp_year: expYear,
      fingerprint: createHmac('sha256', provider.secretKey)
        .update(number)
        .digest('base64url')
        .slice(0, 16),
      funding: 'credit',
      generated_from: null,
      last4: number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: nowSeconds(),
    customer: null,
    livemode: false,
    metadata: {},
    type: 'card',
  })
}

/** Turns `pm_card_visa` and its like into a fresh payment method; other ids pass through. */
export function resolveTestMethod(provider: Provider, id: string): string {
  const number = Object.hasOwn(testMethods, id) ? testMethods[id] : undefined
  if (number === undefined) return id
  const expYear = String(new Date().getUTCFullYear() + 5)
  return createPaymentMethod(provider, { number, expMonth: '12', expYear, cvc: '123' }).id
}

export function behaviourOf(
  provider: Provider,
  method: PaymentMethod,
): TestCard & { authenticated: boolean } {
  const behaviour = provider.store.get('card_behaviour', method.id)
  const card = testCards[behaviour?.card ?? '']
  if (card === undefined || behaviour === undefined) {
    throw new Error(`no behaviour for ${method.id}`)
  }
  const { exp_month: month, exp_year: year } = method.card
  if (!isExpired(month, year)) return { ...card, authenticated: behaviour.authenticated }
  const expired: Decline = {
    code: 'expired_card',
    declineCode: 'expired_card',
    adviceCode: 'do_not_try_again',
    message: 'Your card has expired.',
  }
  return { ...card, onCharge: expired, authenticated: behaviour.authenticated }
}

export function cardError(decline: Decline, method?: PaymentMethod): CardError {
  return {
    type: 'card_error',
    code: decline.code,
    ...(decline.declineCode === undefined ? {} : { decline_code: decline.declineCode }),
    ...(decline.adviceCode === undefined ? {} : { advice_code: decline.adviceCode }),
    message: decline.message,
    doc_url: `https://stripe.com/docs/error-codes/${decline.code.replaceAll('_', '-')}`,
    ...(method === undefined ? {} : { payment_method: method }),
  }
}

export const authenticationRequired: Decline = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}

function checkCard(
  number: string,
  input: CardInput,
): { card: TestCard; expMonth: number; expYear: number } {
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) {
    throw refuse('incorrect_number', 'Your card number is incorrect.', 'number')
  }
  const expMonth = Number(input.expMonth)
  if (!Number.isInteger(expMonth) || expMonth < 1 || expMonth > 12) {
    throw refuse('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month')
  }
  const shortYear = Number(input.expYear)
  const expYear = shortYear < 100 ? 2000 + shortYear : shortYear
  const thisYear = new Date().getUTCFullYear()
  const yearKnown = Number.isInteger(expYear) && expYear <= thisYear + 50
  if (!yearKnown || isExpired(expMonth, expYear)) {
    throw refuse('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year')
  }
  if (input.cvc !== undefined && !/^\d{3,4}$/.test(input.cvc)) {
    throw refuse('invalid_cvc', "Your card's security code is invalid.", 'cvc')
  }
  const card = Object.hasOwn(testCards, number) ? testCards[number] : undefined
  if (card === undefined) {
    throw new ApiError(402, {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'test_mode_live_card',
      message:
        'Your card was declined. Your request was in test mode, but used a non test card. ' +
        'For a list of valid test cards, visit: https://stripe.com/docs/testing.',
    })
  }
  return { card, expMonth, expYear }
}

function refuse(code: string, message: string, param: string): ApiError {
  return new ApiError(402, { type: 'card_error', code, message, param })
}

function isExpired(month: number, year: number): boolean {
  const now = new Date()
  return year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1
}

function passesLuhn(number: string): boolean {
  let sum = 0
  for (let index = 0; index < number.length; index++) {
    const digit = Number(number[number.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
