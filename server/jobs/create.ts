import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import { priceVersion, syncPrice } from '../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { Job } from '../../contract/footage/jobs.ts'
import {
  formatBalanceUsd,
  formatNeedUsd,
  formatUsd,
  microsPerUsd,
  toUsd,
} from '../../domain/money/money.ts'
import type { Micros } from '../../domain/money/money.ts'
import type { Member } from '../ground/actor.ts'
import { grantFreeCredit } from '../billing/grant.ts'
import { placeHold } from '../billing/hold.ts'
import type { Held, NotHeld } from '../billing/hold.ts'
import { touchContent, uploadIdOf } from '../content/open.ts'
import type { Context } from '../ground/context.ts'
import { refuseUnlocked } from '../ground/isolation.ts'
import { refuseClosed } from '../accounts/lock-account.ts'
import { notify } from '../db/notify.ts'
import type { Db } from '../ground/database.ts'
import type { Tables } from '../ground/generated-tables.ts'
import type { Verb } from '../ground/verb.ts'
import { checkAutoReload } from '../payments/auto-reload.ts'
import { Refusal } from '../ground/refusal.ts'
import { emitEvent } from '../webhooks/emit.ts'
import { skipReason } from './applies.ts'
import { endJob } from './end.ts'
import { addPrepared } from './sample-results.ts'
import { addRehearsed, endRehearsed, wantedFailure } from './test-mode.ts'
import { planJob, pricePlan } from './quote.ts'
import type { JobPlan, PricedPlan } from './quote.ts'
import { readQuoteId, staleQuote } from './quote-id.ts'
import type { Source } from './source.ts'
import { findJob, readJob } from './read.ts'
import { lockResults } from '../results/reuse.ts'
import { placeWork } from './work-rows.ts'

/** Waiting jobs of one account; more than this is a mistake of a script, not a day's footage. */
const maxWaiting = 2000

export const createJob: Verb<'createJob'> = async (ctx, actor, input, { effectId }) => {
  const { accountId } = actor
  const placed = effectId ? await findJob(ctx.db, { id: effectId, accountId }) : null
  if (placed) return { job: placed }
  const { quote_id: quoteId, ...request } = input.body
  const maxMicros = quoteId ? await readQuoteId(ctx, quoteId, { accountId, request }) : undefined
  const plan = await planJob(ctx, accountId, request)
  return { job: await placeJob(ctx, plan, { id: effectId, keyId: keyOf(actor), maxMicros }) }
}

/**
 * Places quote, hold, job row and queue entry in one transaction. If a job was already placed under
 * the given id, that job is returned.
 */
export async function placeJob(
  ctx: Context,
  plan: JobPlan,
  placing: {
    id?: string | undefined
    retryOf?: string | null
    keyId?: string | null
    /** The quoted price; a job that would cost more is refused. */
    maxMicros?: number | undefined
  } = {},
): Promise<Job> {
  const { id = randomUUID(), retryOf = null, keyId = null } = placing
  refuseUnlocked(ctx.isolation)
  const { accountId } = plan
  const now = ctx.now()
  // Before the transaction: a refusal must not undo the month's grant.
  await grantFreeCredit(ctx.db, { accountId, now })
  await ctx.db.transaction().execute(async (trx) => {
    await lockResults(trx, accountId)
    if (await findJob(trx, { id, accountId })) return
    const prepared = plan.isTest
      ? await rehearse(ctx, trx, plan)
      : await addPrepared(ctx, trx, plan)
    const priced = await pricePlan(trx, plan, prepared)
    if (priced.totalMicros > (placing.maxMicros ?? Infinity)) throw staleQuote()
    const held = await placePriced(ctx, trx, {
      id,
      plan,
      priced,
      retryOf,
      keyId,
      batchId: null,
      now,
    })
    if (!held.ok) throw notHeld(held)
    await checkAutoReload(ctx, accountId, trx)
  })
  if (plan.source.contentId) await touchContent(ctx, plan.source.contentId)
  return readJob(ctx.db, { id, accountId })
}

interface PricedJob {
  id: string
  plan: JobPlan
  priced: PricedPlan
  retryOf: string | null
  /** The API key that places the job; null: a person. */
  keyId: string | null
  batchId: string | null
  now: Date
}

/**
 * Places one job in the caller's transaction, which holds the lock of the account's results.
 * Nothing is written if the credit does not suffice.
 */
export async function placePriced(
  ctx: Context,
  trx: Transaction<Tables>,
  job: PricedJob,
): Promise<Held> {
  const { id, plan, priced, keyId, now } = job
  const { accountId } = plan
  const amountMicros = priced.totalMicros
  await refuseClosed(trx, accountId)
  // Locks the account's wallet from here on, so its jobs are placed one after the other.
  const held = await placeHold(trx, { accountId, jobId: id, amountMicros, keyId, now })
  if (!held.ok) return held
  await refuseTooManyWaiting(trx, accountId)
  await reportLowBalance(ctx, trx, { accountId, held })
  await insertJob(trx, job)
  const isOver = priced.lines.every((line) => line.reused || !line.applies)
  if (plan.isTest) await endRehearsed(ctx, trx, { id, name: plan.source.name })
  else if (isOver) await endJob(ctx, trx, { jobId: id, reason: 'finished' })
  else await notify(trx, 'job_waiting', {})
  await notify(trx, 'account_changed', { accountId, jobId: id, balance: true })
  return held
}

export interface SyncJob {
  id: string
  accountId: string
  keyId: string | null
  name: string
  items: readonly SyncJobItem[]
  now: Date
}

export interface SyncJobItem {
  source: Source & { contentId: string }
  seconds: number
  micros: Micros
}

/**
 * Places the job behind a sync in the caller's transaction: hold, queue entry and items. Nothing is
 * written if the credit does not suffice.
 */
export async function placeSyncJob(
  ctx: Context,
  trx: Transaction<Tables>,
  job: SyncJob,
): Promise<Held> {
  const { id, accountId, keyId, items, now } = job
  const amountMicros = items.reduce((sum, item) => sum + item.micros, 0)
  const held = await placeHold(trx, { accountId, jobId: id, amountMicros, keyId, now })
  if (!held.ok) return held
  await refuseTooManyWaiting(trx, accountId)
  await reportLowBalance(ctx, trx, { accountId, held })
  const seconds = items.reduce((sum, item) => sum + item.seconds, 0)
  // Addresses are fetched one at a time for an account; uploads need not wait for each other.
  const fetched = items.find(({ source }) => uploadIdOf(ctx, source.url) === null) ?? items[0]!
  await trx
    .insertInto('jobs')
    .values({
      id,
      kind: 'sync',
      account_id: accountId,
      status: 'queued',
      content_url: fetched.source.url,
      content_name: job.name,
      media: JSON.stringify(null),
      workflow: syncPrice.id,
      price_version: priceVersion,
      quoted_seconds: seconds,
      media_seconds: seconds,
      held_micros: amountMicros,
      key_id: keyId,
      created_at: now,
    })
    .execute()
  await placeWork(trx, id)
  await trx
    .insertInto('job_extractors')
    .values({
      job_id: id,
      extractor: syncPrice.id,
      position: 0,
      status: 'waiting',
      micros_per_second: syncPrice.microsPerSecond,
      quoted_micros: amountMicros,
    })
    .execute()
  await trx
    .insertInto('job_items')
    .values(
      items.map(({ source, seconds: itemSeconds, micros }, position) => ({
        job_id: id,
        position,
        content_id: source.contentId,
        content_url: source.url,
        content_name: source.name,
        content_sha256: source.sha256,
        media: JSON.stringify(source.media),
        seconds: itemSeconds,
        quoted_micros: micros,
      })),
    )
    .execute()
  await notify(trx, 'job_waiting', {})
  await notify(trx, 'account_changed', { accountId, jobId: id, balance: true })
  return held
}

/**
 * Ends a test key's job: refused if the file's name asks for it, otherwise with sample findings.
 */
export async function rehearse(
  ctx: Context,
  trx: Transaction<Tables>,
  plan: JobPlan,
): Promise<Map<ExtractorId, string>> {
  const failure = wantedFailure(plan.source.name)
  const sums = { requiredMicros: microsPerUsd, availableMicros: 0 }
  if (failure === 'credit') throw notHeld({ ok: false, reason: 'insufficient', ...sums })
  if (failure === 'limit') {
    const limit = { reason: 'key_limit', period: 'month', limitMicros: microsPerUsd } as const
    throw notHeld({ ok: false, ...limit, ...sums })
  }
  return failure === null || failure === 'partial' ? addRehearsed(ctx, trx, plan) : new Map()
}

/**
 * Reports one event each time a hold takes the balance below $5 ($1 if nothing was ever bought).
 */
async function reportLowBalance(
  ctx: Context,
  trx: Transaction<Tables>,
  { accountId, held }: { accountId: string; held: Extract<Held, { ok: true }> },
): Promise<void> {
  const { availableMicros, heldMicros } = held
  const before = availableMicros + heldMicros
  if (heldMicros === 0 || availableMicros >= lowMicros.bought) return
  const { rows } = await sql<{ bought: boolean }>`
    select charged_micros > 0 as bought from ledger_wallets
    where account_id = ${accountId}`.execute(trx)
  const thresholdMicros = rows[0]?.bought ? lowMicros.bought : lowMicros.free
  if (availableMicros >= thresholdMicros || before < thresholdMicros) return
  await emitEvent(ctx, trx, {
    accountId,
    type: 'balance.low',
    objectId: accountId,
    data: { available_usd: toUsd(availableMicros), threshold_usd: toUsd(thresholdMicros) },
  })
}

const lowMicros = { bought: 5 * microsPerUsd, free: microsPerUsd }

/** Explains why nothing was held: too little credit, or a limit of the key or the account. */
export function notHeld(held: NotHeld, what = 'This job'): Refusal {
  const required = formatNeedUsd(held.requiredMicros)
  const available = formatBalanceUsd(held.availableMicros)
  const sums = {
    required_usd: toUsd(held.requiredMicros),
    available_usd: toUsd(held.availableMicros),
  }
  if (held.reason === 'insufficient') {
    const message = `${what} needs ${required} and ${available} is available. Please buy credits first.`
    return new Refusal('insufficient_credit', message, sums)
  }
  const limit = `${formatUsd(held.limitMicros)}${held.period === 'month' ? ' for this month' : ''}`
  const whose = held.reason === 'key_limit' ? 'this key’s limit' : 'your account’s limit'
  return new Refusal(
    'spend_limit',
    `${what} needs ${required} and ${available} is left of ${whose} of ${limit}. ` +
      'The account’s owner can raise it in the profile.',
    sums,
  )
}

/** The id of the key that spends; null for a person. */
export function keyOf(actor: Member): string | null {
  return actor.kind === 'key' ? actor.keyId : null
}

async function refuseTooManyWaiting(trx: Db, accountId: string): Promise<void> {
  const full = await trx
    .selectFrom('jobs')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', '=', 'queued')
    .offset(maxWaiting - 1)
    .limit(1)
    .executeTakeFirst()
  if (!full) return
  throw new Refusal(
    'rate_limited',
    `You have ${maxWaiting.toLocaleString('en')} queued jobs, the limit. Please wait until some have run.`,
    { retryAfterSeconds: 60 },
  )
}

async function insertJob(trx: Transaction<Tables>, job: PricedJob): Promise<void> {
  const { plan, priced } = job
  const { source } = plan
  await trx
    .insertInto('jobs')
    .values({
      id: job.id,
      account_id: plan.accountId,
      status: 'queued',
      content_id: source.contentId,
      content_url: source.url,
      content_name: source.name,
      content_sha256: source.sha256,
      media: JSON.stringify(source.media),
      workflow: plan.extractors.join(','),
      options: JSON.stringify(plan.options),
      price_version: priceVersion,
      quoted_seconds: plan.seconds,
      media_seconds: plan.mediaSeconds,
      held_micros: priced.totalMicros,
      retry_of: job.retryOf,
      key_id: job.keyId,
      batch_id: job.batchId,
      created_at: job.now,
    })
    .execute()
  await placeWork(trx, job.id)
  await trx
    .insertInto('job_extractors')
    .values(
      priced.lines.map((line, position) => {
        const resultId = line.reused ? priced.reusable.get(line.extractor) : undefined
        return {
          job_id: job.id,
          extractor: line.extractor,
          position,
          status: resultId ? 'reused' : line.applies ? 'waiting' : 'skipped',
          progress: line.applies && !resultId ? 0 : 1,
          micros_per_second: line.microsPerSecond,
          quoted_micros: line.micros,
          warning: skipReason(line.extractor, source.media)?.message ?? null,
          result_id: resultId ?? null,
        }
      }),
    )
    .execute()
}
