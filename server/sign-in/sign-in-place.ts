/** Reports a sign-in from a browser or a network that the account has not used before. */
import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { deviceOf } from '../../domain/device.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { networkOf } from '../http/rate-limit.ts'
import { newSignInMail } from '../mail/messages.ts'
import { queueMail } from '../mail/queue.ts'
import type { Context } from '../ground/context.ts'

export async function noticeSignIn(
  ctx: Context,
  trx: Transaction<Tables>,
  signIn: {
    accountId: string
    sessionId: string
    provider: string
    userAgent: string | null
    address: string
  },
): Promise<void> {
  const { accountId, address } = signIn
  const now = ctx.now()
  const browser = deviceOf(signIn.userAgent)
  const known = await trx
    .selectFrom('sign_in_places')
    .select('place_sha256')
    .where('account_id', '=', accountId)
    .execute()
  // Salted by the account, so that equal places of two people do not look alike.
  const place = createHash('sha256')
    .update(`${accountId} ${browser} ${placeOf(address)}`)
    .digest()
  await trx
    .insertInto('sign_in_places')
    .values({ account_id: accountId, place_sha256: place, last_seen_at: now })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'place_sha256']).doUpdateSet({ last_seen_at: now }),
    )
    .execute()
  // The first place of an account is where it was opened.
  if (known.length === 0 || known.some((row) => row.place_sha256.equals(place))) return
  await queueMail(ctx, trx, {
    accountId,
    kind: 'security',
    cause: `session:${signIn.sessionId}`,
    content: newSignInMail({ provider: signIn.provider, browser, address, at: now }),
  })
}

/** A home's address changes at night, its first three numbers rarely do. */
function placeOf(address: string): string {
  return networkOf(address).replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1')
}
