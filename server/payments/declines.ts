/** Decides by a declined charge whether the next one is tried. */
import type { Stripe } from 'stripe'

export interface Decline {
  code: string
  /** Another try with this card cannot succeed. */
  isHard: boolean
  /** A sentence for the settings, with the card's name put in. */
  explain(card: string): string
}

const hardCodes: Record<string, (card: string) => string> = {
  authentication_required: (card) =>
    `The bank wants you to approve every payment with ${card}, so it cannot be charged automatically.`,
  expired_card: (card) => `${card} has expired.`,
  lost_card: (card) => `The bank refuses ${card}.`,
  stolen_card: (card) => `The bank refuses ${card}.`,
  pickup_card: (card) => `The bank refuses ${card}.`,
  fraudulent: (card) => `The payment with ${card} was blocked.`,
  merchant_blacklist: (card) => `The payment with ${card} was blocked.`,
  security_violation: (card) => `The bank refuses ${card}.`,
  restricted_card: (card) => `The bank does not allow this payment with ${card}.`,
  card_not_supported: (card) => `${card} does not support this kind of payment.`,
  currency_not_supported: (card) => `${card} does not support payments in US dollars.`,
  transaction_not_allowed: (card) => `The bank does not allow this payment with ${card}.`,
  invalid_account: (card) => `The account of ${card} is closed or not valid.`,
  new_account_information_available: (card) => `${card} was replaced by a new one.`,
  stop_payment_order: (card) => `You asked the bank to stop payments with ${card}.`,
  revocation_of_authorization: (card) => `You asked the bank to stop payments with ${card}.`,
  revocation_of_all_authorizations: (card) => `You asked the bank to stop payments with ${card}.`,
  card_unusable: (card) => `${card} can no longer be used.`,
}

export function readDecline(
  error: Partial<
    Pick<Stripe.PaymentIntent.LastPaymentError, 'code' | 'decline_code' | 'advice_code'>
  > | null,
): Decline {
  const code = error?.decline_code ?? error?.code ?? 'generic_decline'
  const known = hardCodes[code]
  const isHard = known !== undefined || error?.advice_code === 'do_not_try_again'
  return {
    code,
    isHard,
    explain: known ?? ((card) => `The bank declined the payment with ${card}.`),
  }
}
