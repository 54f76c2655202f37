/** The payment provider's own client, and what its failures mean to a person. */
import { Stripe } from 'stripe'
import { microsPerCent } from '../../contract/money.ts'
import type { Config } from '../process/config.ts'
import type { Context } from '../process/context.ts'
import { Refusal } from '../refusal.ts'

export function openPayments(config: Config): Stripe {
  const { secretKey, apiUrl } = config.stripe
  const url = new URL(apiUrl)
  return new Stripe(secretKey, {
    host: url.hostname,
    ...(url.port ? { port: url.port } : {}),
    protocol: url.protocol === 'http:' ? 'http' : 'https',
    maxNetworkRetries: 2,
    timeout: 20_000,
    telemetry: false,
  })
}

export function providerOf(ctx: Context): Stripe {
  return ctx.payments
}

/** For calls that a person waits for: a provider that cannot be asked is said to be so. */
export async function askProvider<T>(
  ctx: Context,
  ask: (provider: Stripe) => Promise<T>,
): Promise<T> {
  try {
    return await ask(providerOf(ctx))
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError) || isMissing(error)) throw error
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

export function isMissing(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
  )
}

/** The id of something that the provider gives either as an id or as the object. */
export function idOf(value: string | { id: string } | null | undefined): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null)
}

export function toCents(micros: number): number {
  if (micros % microsPerCent !== 0) throw new RangeError(`Not whole cents: ${micros}`)
  return micros / microsPerCent
}
