import type { Api } from '../../contract/api.ts'
import { autoReload, creditPackages } from '../../domain/money/catalogue.ts'
import type { Input } from '../../contract/endpoint.ts'
import { microsPerUsd, toUsd } from '../../domain/money/money.ts'
import { Refusal } from '../ground/refusal.ts'
import { checkAutoReload } from './auto-reload.ts'
import type { Verb } from '../ground/verb.ts'

type Settings = Input<Api['saveAutoReload']>['body']

/** Saves the settings. Enabling needs a card, a known package and consent. */
export const saveAutoReload: Verb<'saveAutoReload'> = async (ctx, actor, { body }) => {
  const saved = await ctx.db.transaction().execute(async (trx) => {
    const account = await trx
      .selectFrom('accounts')
      .select('auto_reload_consent_accepted_at')
      .where('id', '=', actor.accountId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const card = await trx
      .selectFrom('cards')
      .select('id')
      .where('account_id', '=', actor.accountId)
      .where('is_default', '=', true)
      .executeTakeFirst()
    const consentAt = account.auto_reload_consent_accepted_at
    if (body.enabled) {
      requireReady(body, card !== undefined)
    }
    return trx
      .updateTable('accounts')
      .set({
        auto_reload_enabled: body.enabled,
        auto_reload_off_reason: null,
        ...choiceOf(body),
        ...(body.enabled && consentAt === null
          ? { auto_reload_consent_accepted_at: ctx.now() }
          : {}),
      })
      .where('id', '=', actor.accountId)
      .returning([
        'auto_reload_enabled',
        'auto_reload_threshold_micros',
        'auto_reload_package_id',
        'auto_reload_consent_accepted_at',
        'auto_reload_off_reason',
      ])
      .executeTakeFirstOrThrow()
  })
  await checkAutoReload(ctx, actor.accountId)
  const threshold = saved.auto_reload_threshold_micros
  const chosen = creditPackages.find((item) => item.id === saved.auto_reload_package_id)
  return {
    auto_reload_enabled: saved.auto_reload_enabled,
    auto_reload_threshold_usd: threshold === null ? null : toUsd(threshold),
    auto_reload_amount_usd: chosen ? toUsd(chosen.priceMicros) : null,
    auto_reload_package_id: saved.auto_reload_package_id,
    auto_reload_consent_accepted_at: saved.auto_reload_consent_accepted_at?.toISOString() ?? null,
    auto_reload_off_reason: saved.auto_reload_off_reason,
  }
}

/** The form asks for consent before it sends, so that only an explicit no is one. */
function requireReady(body: Settings, hasCard: boolean): void {
  if (!hasCard) throw new Refusal('invalid', 'Please add a payment method first')
  if (body.consent_accepted === false) {
    throw new Refusal('invalid', 'Please accept the authorization agreement', {
      field: 'consent_accepted',
    })
  }
  const chosen = creditPackages.find((item) => item.id === body.package_id)
  if (!chosen) {
    throw new Refusal('invalid', 'Please select a reload package', { field: 'package_id' })
  }
  if (!isThreshold(body.threshold_usd)) {
    const choices = autoReload.thresholdsUsd.map((usd) => `$${usd}`).join(', ')
    throw new Refusal('invalid', `Please choose one of these thresholds: ${choices}`, {
      field: 'threshold_usd',
    })
  }
  if (body.amount_usd !== toUsd(chosen.priceMicros)) {
    throw new Refusal('invalid', 'The amount must be the price of the reload package.', {
      field: 'amount_usd',
    })
  }
}

/** Switching off keeps a sensible choice for the next time and drops any other. */
function choiceOf(body: Settings): {
  auto_reload_threshold_micros?: number
  auto_reload_package_id?: string
} {
  const chosen = creditPackages.find((item) => item.id === body.package_id)
  return {
    ...(isThreshold(body.threshold_usd)
      ? { auto_reload_threshold_micros: body.threshold_usd * microsPerUsd }
      : {}),
    ...(chosen ? { auto_reload_package_id: chosen.id } : {}),
  }
}

function isThreshold(usd: number): boolean {
  return (autoReload.thresholdsUsd as readonly number[]).includes(usd)
}
