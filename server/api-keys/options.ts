/** The options of a key as columns of its row: scopes, spend limit, addresses and expiry. */
import type { SpendLimit } from '../../contract/account/api-keys.ts'
import type { Scope } from '../../contract/endpoint.ts'
import { fromUsdNumber } from '../../domain/money/money.ts'
import type { Context } from '../ground/context.ts'

interface KeyOptions {
  scopes?: Scope[] | null | undefined
  spend_limit?: SpendLimit | null | undefined
  allowed_addresses?: string[] | null | undefined
}

/** The columns of the options that were sent; what was left out stays as it is. */
export function columnsOf({ scopes, spend_limit: limit, allowed_addresses: ranges }: KeyOptions) {
  return {
    ...(scopes === undefined ? {} : { scopes: scopes && [...new Set(scopes)] }),
    ...(limit === undefined
      ? {}
      : {
          spend_limit_micros: limit && fromUsdNumber(limit.usd),
          spend_limit_period: limit && limit.period,
        }),
    ...(ranges === undefined ? {} : { allowed_addresses: ranges }),
  }
}

export function expiryOf(ctx: Context, days: number): Date {
  return new Date(ctx.now().getTime() + days * 24 * 3_600_000)
}
