/**
 * Room in an account's library. Every upload takes its room before its bytes are kept: a resumable
 * one by its row, a plain one by a reservation that grows where the length is not known. Taking
 * room is one transaction under the account's lock, so that uploads at the same time never get more
 * than there is. `settle` gives the reserved room up in the transaction that stores the item.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import { testObjects } from '../../domain/money/catalogue.ts'
import { isTestAccount } from '../accounts/test-account.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import type { Tables } from '../ground/generated-tables.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'
import { uploadsOf } from './state.ts'

export interface Room {
  settle(trx: Transaction<Tables>, contentId: string): Promise<void>
}

export interface ReservedRoom extends Room {
  /** Passes the bytes on and takes more room where they are more than expected. */
  fill(source: AsyncIterable<Buffer>): AsyncIterable<Buffer>
  /** After a failure; after `settle` there is nothing left to give back. */
  release(): Promise<void>
}

const lifeMs = 15 * 60_000
const renewMs = 5 * 60_000
/** Room reserved at a time if the size of the file is unknown. */
const stepBytes = 16 * 1024 * 1024

export async function reserveRoom(
  ctx: Context,
  accountId: string,
  /** Known length of the file before it is there. */
  expected: { minBytes: number; maxBytes: number | null },
): Promise<ReservedRoom> {
  const id = randomUUID()
  const take = (neededBytes: number): Promise<number> => {
    const wantedBytes = expected.maxBytes ?? neededBytes + stepBytes
    return uploadsOf(ctx).rooms.run(accountId, () =>
      takeRoom(ctx, { id, accountId }, { neededBytes, wantedBytes }),
    )
  }
  let bytes = await take(Math.max(expected.minBytes, 1))
  const mine = (db: Context['db']) => db.deleteFrom('content_reservations').where('id', '=', id)
  return {
    async *fill(source) {
      let seenBytes = 0
      let renewedAtMs = Date.now()
      for await (const chunk of source) {
        seenBytes += chunk.length
        if (seenBytes > bytes || Date.now() - renewedAtMs > renewMs) {
          bytes = await take(Math.max(bytes, seenBytes))
          renewedAtMs = Date.now()
        }
        yield chunk
      }
    },
    async settle(trx) {
      await mine(trx).execute()
    },
    async release() {
      await mine(ctx.db).execute()
    },
  }
}

/** Takes what is wanted or, where there is less, at least what is needed; refuses below that. */
async function takeRoom(
  ctx: Context,
  reservation: { id: string; accountId: string },
  { neededBytes, wantedBytes }: { neededBytes: number; wantedBytes: number },
): Promise<number> {
  const { id, accountId } = reservation
  return ctx.db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId)
    await trx.deleteFrom('content_reservations').where('id', '=', id).execute()
    const freeBytes = await refuseBeyondQuota(ctx, trx, { accountId, moreBytes: neededBytes })
    const bytes = Math.max(neededBytes, Math.min(wantedBytes, freeBytes))
    const expires_at = new Date(ctx.now().getTime() + lifeMs)
    await trx
      .insertInto('content_reservations')
      .values({ id, account_id: accountId, bytes, expires_at })
      .execute()
    return bytes
  })
}

/** To be called under the account's lock. Returns how many bytes are free. */
export async function refuseBeyondQuota(
  ctx: Context,
  trx: Transaction<Tables>,
  { accountId, moreBytes }: { accountId: string; moreBytes: number },
): Promise<number> {
  const { rows } = await sql<{ stored: number; coming: number }>`
    select
      (select coalesce(sum(file_size), 0)::bigint from content
        where account_id = ${accountId} and content_type = 'upload') as stored,
      (select coalesce(sum(size_bytes), 0)::bigint from content_resumables
        where account_id = ${accountId} and content_id is null)
      + (select coalesce(sum(bytes), 0)::bigint from content_reservations
        where account_id = ${accountId} and expires_at > ${ctx.now()}) as coming`.execute(trx)
  const { stored, coming } = rows[0] ?? { stored: 0, coming: 0 }
  const isTest = await isTestAccount(trx, accountId)
  const accountBytes = ctx.config.limits.accountQuotaBytes
  const quotaBytes = isTest ? Math.min(accountBytes, testObjects.maxBytes) : accountBytes
  if (stored + moreBytes > quotaBytes) {
    throw new Refusal(
      'too_large',
      'Your library is full. Please delete content that you no longer need and try again.',
    )
  }
  if (stored + coming + moreBytes > quotaBytes) {
    throw new Refusal(
      'too_large',
      'Your library has no room beside the uploads under way. Please finish or cancel some of them.',
    )
  }
  return quotaBytes - stored - coming
}
