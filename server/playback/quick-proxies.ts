/**
 * Copies of clips that no browser plays, made when somebody wants to see one: free, small and
 * deleted again. Their segments are served while the rest is made.
 *
 * STATES                       there is                          made by
 *   (none)  -> making          a row and its work                placeQuickProxy
 *   making  -> ready           a row with its frames             keepQuickProxy
 *           -> failed          a row without work                giveUp, expireLease
 *   any     -> (none)                                            the clip goes, expireQuickProxies
 *
 * INVARIANTS
 *  1. Those asked for by an account on one day last at most `limits.previewSecondsPerDay`, whatever
 *     becomes of them.
 *  2. A segment that was kept stays as it is: an attempt that starts over makes the same ones,
 *     since key frames are where the frame's number says, and keeps those that are new.
 *  3. Segments are written under the fence of the work alone.
 */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { QuickProxy } from '../../engine/quick-proxy.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import { notify } from '../db/notify.ts'
import type { Context } from '../ground/context.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { Refusal } from '../ground/refusal.ts'
import { placeQuickProxyWork } from '../jobs/work-rows.ts'
import { ownObjects, sweepObjects } from '../storage/unowned-objects.ts'

interface Clip {
  contentId: string
  accountId: string
  seconds: number
}

/** Throws where the account has used up its day. */
export async function placeQuickProxy(ctx: Context, clip: Clip): Promise<void> {
  const { contentId, accountId, seconds } = clip
  await ctx.db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId)
    const added = await trx
      .insertInto('quick_proxies')
      .values({ content_id: contentId, account_id: accountId, used_at: ctx.now() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('content_id')
      .executeTakeFirst()
    if (!added) return
    await useDay(ctx, trx, { accountId, seconds })
    await placeQuickProxyWork(trx, clip)
    await notify(trx, 'job_waiting', {})
  })
}

async function useDay(
  ctx: Context,
  trx: Transaction<Tables>,
  { accountId, seconds }: Omit<Clip, 'contentId'>,
): Promise<void> {
  const { used } = await trx
    .insertInto('quick_proxy_days')
    .values({ account_id: accountId, day: dayOf(ctx), seconds })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'day'])
        .doUpdateSet({ seconds: sql<number>`quick_proxy_days.seconds + excluded.seconds` }),
    )
    .returning('seconds as used')
    .executeTakeFirstOrThrow()
  const { previewSecondsPerDay: max } = ctx.config.limits
  if (used <= max) return
  const minutes = Math.round(max / 6) / 10
  throw new Refusal(
    'limit_reached',
    seconds > max
      ? `Browsers cannot play this file, and it is longer than the ${minutes} minutes of free previews a day. Analyse it to get a proxy.`
      : `Browsers cannot play this file, and today’s ${minutes} minutes of free previews are used up. More are available from 00:00 UTC; analysing it makes a proxy at any time.`,
  )
}

const dayOf = (ctx: Context): string => ctx.now().toISOString().slice(0, 10)

export interface QuickProxyState {
  state: 'making' | 'ready' | 'failed'
  frames: number | null
  frame_rate: string | null
  progress: number
  segments: number
}

export async function findQuickProxy(
  ctx: Context,
  contentId: string,
): Promise<QuickProxyState | null> {
  const row = await ctx.db
    .selectFrom('quick_proxies as q')
    .leftJoin('work as w', 'w.content_id', 'q.content_id')
    .select(['q.frames', 'q.frame_rate', 'w.id', 'w.progress'])
    .select(
      sql<number>`(select count(*)::int from quick_proxy_segments s
        where s.content_id = q.content_id and s.position > 0)`.as('segments'),
    )
    .where('q.content_id', '=', contentId)
    .executeTakeFirst()
  if (!row) return null
  const { id, frames, frame_rate, segments } = row
  const isReady = frames !== null
  const state = isReady ? 'ready' : id === null ? 'failed' : 'making'
  return { state, frames, frame_rate, segments, progress: isReady ? 1 : (row.progress ?? 0) }
}

/** As long as the media of the account's turn and of those before it takes. */
export async function guessStart(ctx: Context, contentId: string): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(sum(other.seconds * (1 - other.progress)), 0) as seconds
    from work own join work other on other.kind = 'quick-proxy' and other.id <> own.id
      and (other.turn, other.seq) < (own.turn, own.seq)
    where own.content_id = ${contentId} and own.state = 'waiting'`.execute(ctx.db)
  return Math.ceil(startSeconds + (rows[0]?.seconds ?? 0) * secondsPerSecond)
}

/** Until the first segment of a clip whose turn it is, and for each second of those before it. */
const startSeconds = 5
const secondsPerSecond = 0.4

export interface KeptSegment {
  position: number
  seconds: number
  storage_key: string
  bytes: number
}

/** Under the fence of its work. */
export async function keepSegments(
  trx: Transaction<Tables>,
  contentId: string,
  segments: readonly KeptSegment[],
): Promise<void> {
  await ownObjects(
    trx,
    segments.map((segment) => segment.storage_key),
  )
  await trx
    .insertInto('quick_proxy_segments')
    .values(segments.map((segment) => ({ content_id: contentId, ...segment })))
    .execute()
}

/** Under the fence of its work, which ends with it. */
export async function keepQuickProxy(
  trx: Transaction<Tables>,
  contentId: string,
  { frames, rate }: QuickProxy,
): Promise<void> {
  await trx
    .updateTable('quick_proxies')
    .set({ frames, frame_rate: rate })
    .where('content_id', '=', contentId)
    .execute()
}

export async function listSegments(ctx: Context, contentId: string): Promise<KeptSegment[]> {
  return ctx.db
    .selectFrom('quick_proxy_segments')
    .select(['position', 'seconds', 'storage_key', 'bytes'])
    .where('content_id', '=', contentId)
    .orderBy('position')
    .execute()
}

const touchStepMs = 3_600_000

/** Written once an hour. */
export async function touchQuickProxy(ctx: Context, contentId: string): Promise<void> {
  const now = ctx.now()
  await ctx.db
    .updateTable('quick_proxies')
    .set({ used_at: now })
    .where('content_id', '=', contentId)
    .where('used_at', '<', new Date(now.getTime() - touchStepMs))
    .execute()
}

export async function expireQuickProxies(ctx: Context, usedBefore: Date): Promise<number> {
  const gone = await ctx.db
    .deleteFrom('quick_proxies')
    .where('used_at', '<', usedBefore)
    .executeTakeFirst()
  await ctx.db.deleteFrom('quick_proxy_days').where('day', '<', dayOf(ctx)).execute()
  await sweepObjects(ctx)
  return Number(gone.numDeletedRows)
}

export async function eraseQuickProxies(ctx: Context, accountId: string): Promise<void> {
  await ctx.db.deleteFrom('quick_proxies').where('account_id', '=', accountId).execute()
  await ctx.db.deleteFrom('quick_proxy_days').where('account_id', '=', accountId).execute()
}
