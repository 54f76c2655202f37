/** The payment provider's own client, and what its failures mean to a person. */
import type { Stripe } from 'stripe'
import { microsPerCent } from '../../domain/money/money.ts'
import type { Config } from '../ground/config.ts'
import type { Context } from '../ground/context.ts'
import { openOnce } from '../ground/open-once.ts'
import { Refusal } from '../ground/refusal.ts'

/** Loaded with the first call: its 200 modules would be a quarter of a worker's start. */
export function openPayments(config: Config): () => Promise<Stripe> {
  const { secretKey, apiUrl } = config.stripe
  const url = new URL(apiUrl)
  return openOnce(async () => {
    const stripe = await import('stripe')
    return new stripe.Stripe(secretKey, {
      host: url.hostname,
      ...(url.port ? { port: url.port } : {}),
      protocol: url.protocol === 'http:' ? 'http' : 'https',
      maxNetworkRetries: 2,
      timeout: 20_000,
      telemetry: false,
    })
  })
}

export function providerOf(ctx: Context): Promise<Stripe> {
  return ctx.payments()
}

/** For calls that a person waits for: a provider that cannot be asked is said to be so. */
export async function askProvider<T>(
  ctx: Context,
  ask: (provider: Stripe) => Promise<T>,
): Promise<T> {
  try {
    return await ask(await providerOf(ctx))
  } catch (error) {
    if (!isProviderError(error) || isMissing(error)) throw error
    // The provider's message may quote what a person typed, so only its kind is logged.
    const { type, code, statusCode, requestId } = error
    ctx.log.error({ type, code, statusCode, requestId }, 'payment provider failed')
    throw new Refusal(
      'unavailable',
      'The payment provider is not responding. You were not charged; please try again.',
      { retryAfterSeconds: 5 },
    )
  }
}

interface ProviderErrors {
  StripeAPIError: Stripe.errors.StripeAPIError
  StripeAuthenticationError: Stripe.errors.StripeAuthenticationError
  StripeCardError: Stripe.errors.StripeCardError
  StripeConnectionError: Stripe.errors.StripeConnectionError
  StripeInvalidRequestError: Stripe.errors.StripeInvalidRequestError
  StripePermissionError: Stripe.errors.StripePermissionError
  StripeRateLimitError: Stripe.errors.StripeRateLimitError
  StripeSignatureVerificationError: Stripe.errors.StripeSignatureVerificationError
}

/** Recognises errors of the client by the type that each has, without loading the client. */
export function isProviderError(error: unknown): error is Stripe.errors.StripeError {
  return typeOf(error).startsWith('Stripe')
}

export function isProviderErrorOf<Type extends keyof ProviderErrors>(
  error: unknown,
  type: Type,
): error is ProviderErrors[Type] {
  return typeOf(error) === type
}

function typeOf(error: unknown): string {
  return error instanceof Error && 'type' in error ? String(error.type) : ''
}

export function isMissing(error: unknown): boolean {
  return isProviderErrorOf(error, 'StripeInvalidRequestError') && error.code === 'resource_missing'
}

/** The id of something that the provider gives either as an id or as the object. */
export function idOf(value: string | { id: string } | null | undefined): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null)
}

export function toCents(micros: number): number {
  if (micros % microsPerCent !== 0) throw new RangeError(`Not whole cents: ${micros}`)
  return micros / microsPerCent
}
