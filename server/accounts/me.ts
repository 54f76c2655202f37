import { creditPackages } from '../../contract/catalogue.ts'
import { toUsd } from '../../contract/money.ts'
import { readBalance } from '../billing/balance.ts'
import { grantFreeCredit } from '../billing/grant.ts'
import type { Verb } from '../verb.ts'

/** The signed-in user. The month's free credit is granted at the first touch, so before reading. */
export const getMe: Verb<'getMe'> = async (ctx, actor) => {
  const at = { accountId: actor.accountId, now: ctx.now() }
  const granted = await grantFreeCredit(ctx.db, at)
  const [account, balance] = await Promise.all([
    ctx.db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', actor.accountId)
      .executeTakeFirstOrThrow(),
    readBalance(ctx.db, at),
  ])
  const chosen = creditPackages.find((item) => item.id === account.auto_reload_package_id)
  const threshold = account.auto_reload_threshold_micros
  return {
    id: account.id,
    email: account.email,
    username: account.username,
    name: account.name,
    picture: account.picture,
    createdAt: account.created_at.toISOString(),
    account_balance_usd: toUsd(balance.availableMicros),
    auto_reload_enabled: account.auto_reload_enabled,
    auto_reload_threshold_usd: threshold === null ? null : toUsd(threshold),
    auto_reload_amount_usd: chosen ? toUsd(chosen.priceMicros) : null,
    auto_reload_consent_accepted_at: account.auto_reload_consent_accepted_at?.toISOString() ?? null,
    auto_reload_package_id: account.auto_reload_package_id,
    auto_reload_off_reason: account.auto_reload_off_reason,
    balance: {
      available_usd: toUsd(balance.availableMicros),
      held_usd: toUsd(balance.heldMicros),
      free_usd: toUsd(balance.freeMicros),
      bonus_usd: toUsd(balance.bonusMicros),
      paid_usd: toUsd(balance.paidMicros),
      free_expires_at: balance.freeExpiresAt?.toISOString() ?? null,
    },
    free_credit_withheld: granted.ok ? null : granted.reason,
  }
}
