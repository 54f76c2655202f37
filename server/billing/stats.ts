import { sql } from 'kysely'
import { toUsd } from '../../domain/money/money.ts'
import type { Verb } from '../ground/verb.ts'

interface Sums {
  charged_micros: number
  bonus_micros: number
  usage_micros: number
  jobs: number
  seconds: number
}

/**
 * Totals of a lifetime (net of what went back to cards) and of the current UTC month. A job that
 * cost nothing is one of the month by the release of its hold.
 */
export const getBillingStats: Verb<'getBillingStats'> = async (ctx, actor) => {
  const now = ctx.now()
  const monthStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const { rows } = await sql<Sums>`
    select coalesce(w.charged_micros, 0) as charged_micros,
      coalesce(w.bonus_micros, 0) as bonus_micros, m.usage_micros, m.jobs, m.seconds
    from (
      select coalesce(-sum(amount_micros) filter (where kind = 'capture'), 0)::bigint as usage_micros,
        count(distinct job_id) as jobs,
        coalesce(sum((metadata ->> 'seconds')::numeric), 0)::float8 as seconds
      from (
        select kind, job_id, amount_micros, metadata from ledger_transactions
        where account_id = ${actor.accountId} and amount_micros <> 0 and kind = 'capture'
          and created_at >= ${monthStart}
        union all
        select kind, job_id, amount_micros, metadata from ledger_transactions
        where account_id = ${actor.accountId} and kind = 'release' and created_at >= ${monthStart}
      ) ended
    ) m left join ledger_wallets w on w.account_id = ${actor.accountId}`.execute(ctx.db)
  const sums = rows[0]
  if (!sums) throw new Error('The sums of an account answered nothing.')
  return {
    total_spent_usd: toUsd(sums.charged_micros),
    total_bonus_credits_usd: toUsd(sums.bonus_micros),
    total_credits_purchased_usd: toUsd(sums.charged_micros + sums.bonus_micros),
    month_usage_usd: toUsd(sums.usage_micros),
    month_jobs: sums.jobs,
    month_seconds: sums.seconds,
  }
}
