/**
 * The proxies of links. One is asked for when a link is made, or opened after its ranges have
 * changed. A background task renders what is due (render.ts); pg-boss runs one at a time and starts
 * it again where its worker died.
 *
 * STATES                                   made by
 *   (none)  -> waiting                     requestProxy
 *   waiting -> making                      claimProxy
 *   making  -> making                      claimProxy, of a task that follows a dead one
 *           -> ready                       keepProxy, which drops others of the link
 *           -> waiting | failed            giveUpProxy
 *   any     -> (none)                      the link ends, is withdrawn or plays something else
 *
 * INVARIANTS
 *  1. A link plays only files of its own ready proxy, and only while its present cut plays all of
 *     their frames.
 *  2. A worker that lost its claim writes nothing: every write checks the fence.
 *  3. Proxies requested by an account on one day play at most `limits.shareSecondsPerDay`, whatever
 *     becomes of them.
 */
import { sql } from 'kysely'
import type { Selectable, Transaction } from 'kysely'
import type { SharedProxy, ShareProxyState } from '../../contract/footage/shares.ts'
import type { RenderedProxy } from '../../engine/render-proxy.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import type { Db } from '../ground/database.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { Fenced } from '../work/claim.ts'
import type { StoredFile } from '../results/store-result.ts'
import { keysOf } from '../results/store-result.ts'
import { writerOf } from '../jobs/writer.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'
import { abandonWrites, ownObjects } from '../storage/unowned-objects.ts'
import { isWithin } from './played.ts'
import type { Plan } from './played.ts'

export const renderQueue = 'render-share-proxy'

const maxAttempts = 3
const failedSentence = 'The copy could not be made. Revoke this link and make a new one.'
const noPreviewSentence =
  'None of these clips has a preview yet. Run Thumbnails on them, then open the link again.'

type ProxyRow = Selectable<Tables['share_proxies']>
type Summary = Pick<
  ProxyRow,
  'id' | 'version' | 'state' | 'progress' | 'bytes' | 'made' | 'began_at' | 'seconds'
>

const summaryColumns = [
  ...(['id', 'share_id', 'version', 'state', 'progress', 'bytes', 'made', 'began_at'] as const),
  ...(['seconds', 'plan_sha256'] as const),
] as const

/** Throws where the account has used up its day. */
export async function requestProxy(
  ctx: Context,
  trx: Transaction<Tables>,
  wanted: { shareId: string; accountId: string; version: number; plan: Plan },
): Promise<void> {
  const { shareId, accountId, version, plan } = wanted
  const added = await trx
    .insertInto('share_proxies')
    .values({
      share_id: shareId,
      version,
      plan: JSON.stringify(plan.order),
      plan_sha256: plan.sha256,
      seconds: plan.seconds,
      state: 'waiting',
      created_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) return
  const { used } = await trx
    .insertInto('share_days')
    .values({ account_id: accountId, day: dayOf(ctx), seconds: plan.seconds })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'day'])
        .doUpdateSet({ seconds: sql<number>`share_days.seconds + excluded.seconds` }),
    )
    .returning('seconds as used')
    .executeTakeFirstOrThrow()
  const { shareSecondsPerDay: max } = ctx.config.limits
  if (used > max) {
    const hours = Math.round((max / 3600) * 10) / 10
    throw new Refusal(
      'limit_reached',
      plan.seconds > max
        ? `A link plays at most ${hours} hours. Please share a part of it.`
        : `The links of a day play at most ${hours} hours. Please try again tomorrow.`,
    )
  }
  await ctx.queue.send(renderQueue, {}, { trx })
}

const dayOf = (ctx: Context): string => ctx.now().toISOString().slice(0, 10)

export function listProxies(db: Db, shareIds: readonly string[]) {
  return db
    .selectFrom('share_proxies')
    .select(summaryColumns)
    .where('share_id', 'in', shareIds)
    .orderBy('created_at', 'desc')
    .execute()
}

/** The proxy of what a link shows now first, then older ones that hold no other frames. */
export async function findPlayable(db: Db, shareId: string, plan: Plan): Promise<Summary[]> {
  const ready = await db
    .selectFrom('share_proxies')
    .select([...summaryColumns, 'plan'])
    .where('share_id', '=', shareId)
    .where('state', '=', 'ready')
    .orderBy(sql`plan_sha256 = ${plan.sha256}`, 'desc')
    .orderBy('created_at', 'desc')
    .execute()
  return ready.filter((row) => isWithin(row.plan, plan.order))
}

/**
 * Returns the proxy that a link plays and the progress of the next one. A request while another is
 * being made, or within a minute of a save, waits for a later opening: an editor saves often.
 */
export async function bringProxy(
  ctx: Context,
  share: { id: string; accountId: string },
  wanted: { version: number; savedAt: Date; plan: Plan | null },
): Promise<{ shown: Summary | null; current: Summary | null; problem: string | null }> {
  const { plan } = wanted
  if (!plan) return { shown: null, current: null, problem: noPreviewSentence }
  const rows = await listProxies(ctx.db, [share.id])
  const [shown = null] = await findPlayable(ctx.db, share.id, plan)
  const current = rows.find((row) => row.plan_sha256.equals(plan.sha256))
  if (current) return { shown, current, problem: null }
  const isBusy = rows.some((row) => row.state === 'waiting' || row.state === 'making')
  const isFresh = ctx.now().getTime() - wanted.savedAt.getTime() < quietMs
  if (rows.length > 0 && (isBusy || isFresh)) return { shown, current: null, problem: null }
  try {
    await ctx.db.transaction().execute(async (trx) => {
      await lockAccount(trx, share.accountId)
      await requestProxy(ctx, trx, { shareId: share.id, ...share, version: wanted.version, plan })
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { shown, current: null, problem: error.message }
  }
  return { shown, current: null, problem: null }
}

const quietMs = 60_000

/** The state shown to the owner and on the page of the link. */
export function stateOf(
  ctx: Context,
  row: Summary | null,
  problem: string | null,
): ShareProxyState {
  const { state, progress, bytes } = row ?? { state: 'waiting' as const, progress: 0, bytes: 0 }
  const tookMs = row?.began_at ? ctx.now().getTime() - row.began_at.getTime() : 0
  const isMaking = state === 'making' && progress > 0
  return {
    state: problem ? 'failed' : state,
    progress: state === 'ready' ? 1 : progress,
    seconds_left: isMaking ? Math.ceil((tookMs * (1 - progress)) / progress / 1000) : null,
    // As much as it will be, while it is made.
    bytes: state === 'ready' ? bytes : isMaking ? Math.round(bytes / progress) : null,
    message: problem ?? (state === 'failed' ? failedSentence : null),
  }
}

/** Addresses of what was made. */
export function describeProxy(
  made: RenderedProxy,
  addressOf: (file: string) => string,
): Omit<SharedProxy, keyof ShareProxyState> {
  const { proxy, poster, sprite, waveform } = made
  return {
    proxy: {
      url: addressOf(proxy.file),
      width: proxy.width,
      height: proxy.height,
      frame_rate: proxy.frame_rate,
      frames: proxy.frames,
      start_frame: 0,
    },
    poster_url: poster && addressOf(poster),
    sprite: sprite && {
      urls: sprite.files.map(addressOf),
      tile_width: sprite.tileWidth,
      tile_height: sprite.tileHeight,
      columns: sprite.columns,
      rows: sprite.rows,
      interval_frames: sprite.intervalFrames,
      count: Math.ceil(proxy.frames / sprite.intervalFrames),
      start_frame: 0,
    },
    waveform: waveform && {
      url: addressOf(waveform.file),
      peaks_per_second: waveform.peaksPerSecond,
      channels: 1,
      count: waveform.count,
      start: 0,
    },
  }
}

export interface ClaimedProxy {
  id: string
  shareId: string
  plan: ProxyRow['plan']
  seconds: number
  fence: number
  attempt: number
}

/** The shortest first, so that a long one keeps few others waiting. */
export async function claimProxy(
  ctx: Context,
  without: readonly string[] = [],
): Promise<ClaimedProxy | null> {
  return ctx.db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('share_proxies')
      .set({
        state: 'making',
        fence: sql<number>`fence + 1`,
        attempt: sql<number>`attempt + 1`,
        began_at: ctx.now(),
        progress: 0,
        bytes: 0,
      })
      .where('id', '=', (build) =>
        build
          .selectFrom('share_proxies')
          .select('id')
          .where('state', 'in', ['waiting', 'making'])
          .where(sql<boolean>`id <> all (${without}::uuid[])`)
          .orderBy('seconds')
          .orderBy('created_at')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'share_id', 'plan', 'seconds', 'fence', 'attempt'])
      .executeTakeFirst()
    if (!row) return null
    const { id, plan, seconds, fence, attempt } = row
    await abandonWrites(trx, [writerOf({ id, fence: fence - 1 })])
    return { id, shareId: row.share_id, plan, seconds, fence, attempt }
  })
}

/** Shows the progress; false where it is no longer ours. */
export async function reportProxy(
  ctx: Context,
  { id, fence }: ClaimedProxy,
  made: { progress: number; bytes: number },
): Promise<boolean> {
  const row = await ctx.db
    .updateTable('share_proxies')
    .set(made)
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('state', '=', 'making')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function underProxyFence(
  ctx: Context,
  { id, fence }: ClaimedProxy,
  write: (trx: Transaction<Tables>) => Promise<void>,
): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    const ours = await trx
      .selectFrom('share_proxies')
      .select('id')
      .where('id', '=', id)
      .where('fence', '=', fence)
      .where('state', '=', 'making')
      .forUpdate()
      .executeTakeFirst()
    if (!ours) throw new Fenced(`The proxy ${id} is no longer ours.`)
    await write(trx)
  })
}

export async function keepProxy(
  ctx: Context,
  claimed: ClaimedProxy,
  made: RenderedProxy,
  files: readonly StoredFile[],
): Promise<void> {
  await underProxyFence(ctx, claimed, async (trx) => {
    await ownObjects(trx, keysOf(files))
    await trx
      .insertInto('share_proxy_files')
      .values(files.map((file) => ({ proxy_id: claimed.id, ...file })))
      .execute()
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    await trx
      .updateTable('share_proxies')
      .set({ state: 'ready', made: JSON.stringify(made), progress: 1, bytes })
      .where('id', '=', claimed.id)
      .execute()
    const others = await trx
      .selectFrom('share_proxies')
      .select(['id', 'plan', 'state'])
      .where('share_id', '=', claimed.shareId)
      .where('id', '!=', claimed.id)
      .where('state', 'in', ['ready', 'failed'])
      .orderBy('created_at', 'desc')
      .execute()
    // Somebody may still watch the one before.
    const before = others.find(
      ({ plan, state }) => state === 'ready' && isWithin(plan, claimed.plan),
    )
    for (const { id } of others) {
      if (id !== before?.id) await trx.deleteFrom('share_proxies').where('id', '=', id).execute()
    }
  })
}

/** Again after a fault, until it has failed as often as may be. */
export async function giveUpProxy(
  ctx: Context,
  { id, fence, attempt }: ClaimedProxy,
  fault: string,
): Promise<void> {
  await ctx.db
    .updateTable('share_proxies')
    .set({
      state: attempt >= maxAttempts ? 'failed' : 'waiting',
      last_fault: fault.slice(0, 2000),
    })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('state', '=', 'making')
    .execute()
}

/** With their files; what is being made is dropped by its fence. */
export async function dropProxies(db: Db, shareId: string): Promise<void> {
  await db.deleteFrom('share_proxies').where('share_id', '=', shareId).execute()
}

/** Enqueues what no task is about, and drops what an ended link no longer plays. */
export async function sweepProxies(ctx: Context): Promise<{ ended: number; isDue: boolean }> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('share_proxies')
    .where('share_id', 'in', (build) =>
      build.selectFrom('shares').select('id').where('expires_at', '<', ctx.now()),
    )
    .executeTakeFirst()
  await ctx.db.deleteFrom('share_days').where('day', '<', dayOf(ctx)).execute()
  const due = await ctx.db
    .selectFrom('share_proxies')
    .select('id')
    .where('state', 'in', ['waiting', 'making'])
    .limit(1)
    .executeTakeFirst()
  if (due) await ctx.queue.send(renderQueue, {})
  return { ended: Number(numDeletedRows), isDue: due !== undefined }
}
