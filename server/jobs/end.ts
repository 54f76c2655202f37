/**
 * How a job ends: the state, the charge and the release of what is left, in one transaction that is
 * the caller's. Nobody else sets a terminal state. The job's row is locked first and its wallet
 * after it, here and everywhere, so that two endings cannot wait for each other.
 */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import { extractors as catalogue, fullAnalysis, syncPrice } from '../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import { captureHold, releaseHold } from '../billing/hold.ts'
import { uploadIdOf } from '../content/open.ts'
import type { Context } from '../ground/context.ts'
import { notify } from '../db/notify.ts'
import type { Db } from '../ground/database.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { checkAutoReload } from '../payments/auto-reload.ts'
import { skipReason } from './applies.ts'
import { closeReads, findReads, lockReads } from './reads.ts'
import { reportEnd } from './report-end.ts'
import type { Cause } from './cause.ts'
import { lockResults } from '../results/reuse.ts'
import { dropWork } from './work-rows.ts'

export type Ending = { jobId: string } & (
  | { reason: 'finished' }
  | { reason: 'canceled'; cause?: Cause }
  | { reason: 'failed'; cause: Cause }
)

type JobRow = Awaited<ReturnType<typeof lockJob>> & object
type ExtractorRow = Awaited<ReturnType<typeof readExtractors>>[number]

/** False: the job has ended already, or is gone. */
export async function endJob(
  ctx: Context,
  trx: Transaction<Tables>,
  asked: Ending,
): Promise<boolean> {
  const job = await lockJob(trx, asked.jobId)
  if (!job) return false
  await dropWork(trx, job.id, { state: 'done' })
  await lockReads(trx, job.id)
  const ending = await heedReads(ctx, trx, job, asked)
  // Syncs are never charged in part.
  if (ending.reason === 'canceled' && job.kind !== 'sync') await chargeShare(ctx, trx, job)
  await closeExtractors(trx, ending)
  const extractors = await readExtractors(trx, ending.jobId)
  const now = ctx.now()
  const outcome = outcomeOf(job, extractors, ending)
  if (outcome.status === 'failed') await dropFindings(trx, job)
  await closeReads(trx, job.id)
  await settle(trx, { jobId: job.id, extractors, costMicros: outcome.costMicros, now })
  await trx
    .updateTable('jobs')
    .set({
      status: outcome.status,
      partial: outcome.partial,
      error_code: outcome.cause?.code ?? null,
      error_message: outcome.cause?.message ?? null,
      cost_micros: outcome.costMicros,
      seconds: outcome.seconds,
      finished_at: now,
    })
    .where('id', '=', job.id)
    .execute()
  await notify(trx, 'account_changed', {
    accountId: job.account_id,
    jobId: job.id,
    balance: true,
  })
  await notify(trx, 'job_taken', { jobId: job.id })
  if (job.kind === 'analysis') await reportEnd(ctx, trx, job.id)
  await checkAutoReload(ctx, job.account_id, trx)
  return true
}

function lockJob(trx: Db, jobId: string) {
  return trx
    .selectFrom('jobs')
    .select(['id', 'kind', 'account_id', 'status', 'held_micros', 'media', 'claimed_at'])
    .select(['media_seconds', 'quoted_seconds', 'content_id', 'content_url'])
    .where('id', '=', jobId)
    .where('finished_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

const withdrawn: Cause = {
  code: 'canceled',
  message: 'The job was canceled, because its content was deleted.',
}

/** How a job ends of which something was read (reads.ts). */
async function heedReads(ctx: Context, trx: Db, job: JobRow, ending: Ending): Promise<Ending> {
  if (ending.reason === 'canceled') return ending
  const reads = await findReads(trx, job.id)
  if (reads.length === 0) return ending
  const { jobId } = ending
  const isWithdrawn = job.content_id === null && uploadIdOf(ctx, job.content_url) !== null
  if (isWithdrawn && reads.some(({ status }) => status !== 'done')) {
    return { jobId, reason: 'canceled', cause: withdrawn }
  }
  const kept = reads
    .filter(({ status, share }) => status === 'done' && share === 1)
    .map(({ extractor }) => extractor)
  if (ending.reason === 'finished' || kept.length === 0) return ending
  const { code, message } = ending.cause
  await dropFindings(trx, job, kept)
  await trx
    .updateTable('job_extractors')
    .set({ status: 'failed', error_code: code, error_message: message })
    .set({ cost_micros: 0, seconds: null })
    .where('job_id', '=', job.id)
    .where('extractor', 'not in', kept)
    .execute()
  return { jobId, reason: 'finished' }
}

/**
 * A canceled job pays for the share that was read of extractors that are not done. One that ran for
 * longer than its media lasts pays for the share of the work that was done. A job that waits for
 * its next worker has nothing to show for the last one.
 */
async function chargeShare(ctx: Context, trx: Db, job: JobRow): Promise<void> {
  const ranMs = job.claimed_at ? ctx.now().getTime() - job.claimed_at.getTime() : 0
  const isLate = job.status !== 'queued' && ranMs > job.media_seconds * 1000
  await sql`
    with owed as (
      select e.extractor, coalesce(r.share, 0)::numeric as read,
        case when ${isLate} and e.status = 'running' then e.progress else 0 end::numeric as worked
      from job_extractors e left join job_reads r using (job_id, extractor)
      where e.job_id = ${job.id} and e.status in ('waiting', 'running', 'failed')
    )
    update job_extractors e
    -- Of the true length, where it is known by then.
    set cost_micros = floor(least(quoted_micros, micros_per_second * coalesce(seconds,
        ${job.quoted_seconds})) * greatest(read, worked)),
      seconds = ceil(coalesce(seconds, ${job.quoted_seconds}) * greatest(read, worked)),
      status = 'skipped', error_code = null, error_message = null,
      warning = case when read >= worked
        then 'The job was canceled after ' || greatest(1, round(read * 100))
          || '% of this had been read, which is charged.'
        else 'The job was canceled after it had run for longer than its media lasts; '
          || round(worked * 100) || '% of this was done and is charged.' end
    from owed
    where e.job_id = ${job.id} and e.extractor = owed.extractor and greatest(read, worked) > 0`.execute(
    trx,
  )
}

/** Nobody pays for findings of a failed job, so nobody may read, reuse or export them. */
async function dropFindings(
  trx: Db,
  job: JobRow,
  kept: readonly ExtractorId[] = [],
): Promise<void> {
  await lockResults(trx, job.account_id)
  const results = await trx
    .selectFrom('job_extractors')
    .select(['extractor', 'result_id'])
    .where('job_id', '=', job.id)
    .where('result_id', 'is not', null)
    .execute()
  const dropped = results.filter(({ extractor }) => !kept.includes(extractor))
  const ids = dropped.flatMap((row) => row.result_id ?? [])
  if (ids.length === 0) return
  await trx
    .updateTable('job_extractors')
    .set({ result_id: null })
    .where('job_id', '=', job.id)
    .where('result_id', 'in', ids)
    .execute()
  await trx
    .deleteFrom('job_results')
    .where('id', 'in', ids)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('job_extractors as e')
            .select('e.job_id')
            .whereRef('e.result_id', '=', 'job_results.id'),
        ),
      ),
    )
    .execute()
}

/** Closes open extractors as failed or skipped. */
async function closeExtractors(trx: Db, ending: Ending): Promise<void> {
  const open = trx
    .updateTable('job_extractors')
    .where('job_id', '=', ending.jobId)
    .where('status', 'in', ['waiting', 'running'])
  if (ending.reason === 'canceled') {
    const warning = 'The job was canceled before this was done.'
    await open.set({ status: 'skipped', warning, seconds: null }).execute()
    return
  }
  const cause =
    ending.reason === 'failed'
      ? ending.cause
      : ({ code: 'internal', message: 'The analysis stopped before it finished.' } as const)
  await open
    .set({
      ...{ status: 'failed', error_code: cause.code, error_message: cause.message },
      seconds: null,
    })
    .execute()
  if (ending.reason === 'finished') return
  // A job that failed as a whole costs nothing, whatever its findings by then.
  await trx
    .updateTable('job_extractors')
    .set({ cost_micros: 0 })
    .where('job_id', '=', ending.jobId)
    .execute()
}

function readExtractors(trx: Db, jobId: string) {
  return trx
    .selectFrom('job_extractors')
    .select(['extractor', 'status', 'cost_micros', 'seconds', 'error_code', 'error_message'])
    .where('job_id', '=', jobId)
    .orderBy('position')
    .execute()
}

interface Outcome {
  status: 'completed' | 'failed' | 'canceled'
  partial: boolean
  cause: Cause | null
  costMicros: number
  seconds: number | null
}

function outcomeOf(job: JobRow, extractors: ExtractorRow[], ending: Ending): Outcome {
  const charged = extractors.filter((extractor) => extractor.cost_micros > 0)
  const costMicros = charged.reduce((sum, extractor) => sum + extractor.cost_micros, 0)
  const seconds = Math.max(0, ...charged.map((extractor) => extractor.seconds ?? 0))
  const sums = { costMicros, seconds }
  if (ending.reason === 'canceled') {
    const cause = ending.cause ?? ({ code: 'canceled', message: 'The job was canceled.' } as const)
    return { status: 'canceled', partial: false, cause, ...sums }
  }
  if (ending.reason === 'failed') {
    return { status: 'failed', partial: false, cause: ending.cause, ...sums }
  }
  const failed = extractors.find(({ status }) => status === 'failed')
  const successes = extractors.filter(({ status }) => status === 'done' || status === 'reused')
  if (successes.length > 0) {
    return { status: 'completed', partial: failed !== undefined, cause: null, ...sums }
  }
  return { status: 'failed', partial: false, cause: causeOfFailure(job, extractors), ...sums }
}

/** Nothing succeeded: the first failure says why, or the reason why nothing applied. */
function causeOfFailure(job: JobRow, extractors: ExtractorRow[]): Cause {
  const failed = extractors.find(({ status }) => status === 'failed')
  if (failed?.error_code) {
    return { code: failed.error_code, message: failed.error_message ?? 'The analysis failed.' }
  }
  const first = extractors[0]
  const skipped = first && job.media ? skipReason(first.extractor, job.media) : null
  if (skipped) return skipped
  return { code: 'internal', message: 'The analysis failed.' }
}

async function settle(
  trx: Db,
  job: { jobId: string; extractors: ExtractorRow[]; costMicros: number; now: Date },
): Promise<void> {
  const { jobId, now } = job
  if (job.costMicros === 0) {
    const released = await releaseHold(trx, { jobId, now })
    if (!released.ok) throw new Error(`The hold of job ${jobId} is gone: ${released.reason}`)
    return
  }
  const charged = job.extractors.filter((extractor) => extractor.cost_micros > 0)
  const captured = await captureHold(trx, {
    jobId,
    amountMicros: job.costMicros,
    description: workOf(charged.map(({ extractor }) => extractor)),
    seconds: Math.max(0, ...charged.map(({ seconds }) => seconds ?? 0)),
    metadata: { extractors: charged.map(({ extractor }) => extractor) },
    now,
  })
  if (!captured.ok) throw new Error(`The hold of job ${jobId} is gone: ${captured.reason}`)
}

/** The work in the words of the price list. */
function workOf(ids: readonly ExtractorId[]): string {
  const isFull = fullAnalysis.every((id) => ids.includes(id))
  const beside = isFull ? ids.filter((id) => !fullAnalysis.includes(id)) : ids
  return [...(isFull ? ['Full analysis'] : []), ...beside.map(nameOf)].join(', ')
}

function nameOf(id: string): string {
  return [...catalogue, syncPrice].find((extractor) => extractor.id === id)?.name ?? id
}
