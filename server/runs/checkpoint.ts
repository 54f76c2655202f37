/**
 * Keeps what an extractor came to. Files first, then one commit with the result, its files, its
 * search index and its price: an attempt that dies in between leaves objects that are listed as
 * unowned, and the sweep removes them.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ExpressionBuilder } from 'kysely'
import { extractorIds } from '../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import { ThumbnailFindings } from '../../domain/findings/findings.ts'
import type { Media } from '../../domain/findings/findings.ts'
import { notify } from '../db/notify.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { dropWritten, ownObjects } from '../storage/unowned-objects.ts'
import { traceExtractor } from '../ground/trace.ts'
import type { ExtractorOutcome } from './analysis.ts'
import { underFence } from '../work/claim.ts'
import { countedSeconds, mediaSeconds, roundUp } from '../jobs/price.ts'
import { findReusable, lockResults, paramsKey, versionsOf } from '../results/reuse.ts'
import type { Attempt } from '../work/steps.ts'
import { putFiles } from './put-files.ts'
import type { OpenSource } from '../jobs/source.ts'
import { insertResult, keysOf, resultFiles } from '../results/store-result.ts'
import type { StoredFile } from '../results/store-result.ts'
import { writerOf } from '../jobs/writer.ts'

type Done = Extract<ExtractorOutcome, { status: 'done' }>

export async function keepOutcome(
  attempt: Attempt,
  extractor: ExtractorId,
  outcome: ExtractorOutcome,
): Promise<void> {
  traceExtractor(attempt.job.id, extractor, outcome.status)
  if (outcome.status === 'done') return keepResult(attempt, extractor, outcome)
  const { ctx, claim, job } = attempt
  const { cause } = outcome
  await underFence(ctx, claim, async (trx) => {
    await trx
      .updateTable('job_extractors')
      .set(
        outcome.status === 'skipped'
          ? { status: 'skipped', progress: 1, warning: cause.message }
          : { status: 'failed', error_code: cause.code, error_message: cause.message },
      )
      .where('job_id', '=', job.id)
      .where('extractor', '=', extractor)
      .execute()
    await notify(trx, 'account_changed', { accountId: job.accountId, jobId: job.id })
  })
}

async function keepResult(attempt: Attempt, extractor: ExtractorId, outcome: Done): Promise<void> {
  await attempt.step('result-arrived')
  const resultId = randomUUID()
  const { ctx, claim, workDir } = attempt
  const files = await putFiles(ctx, {
    names: resultFiles(extractor, outcome.findings),
    workDir,
    folder: `results/${resultId}`,
    writer: writerOf(claim),
    underFence: (write) => underFence(ctx, claim, write),
    onListed: () => attempt.step('files-announced'),
  })
  try {
    if (files.length > 0) await attempt.step('files-stored')
    const versions = await versionsOf(attempt.ctx, [extractor], attempt.job.options)
    const version = versions.get(extractor) ?? ''
    await commitResult(attempt, { id: resultId, extractor, version, outcome, files })
  } catch (error) {
    await dropWritten(attempt.ctx, keysOf(files))
    throw error
  }
  await attempt.step('result-kept')
}

interface Kept {
  id: string
  extractor: ExtractorId
  version: string
  outcome: Done
  files: StoredFile[]
}

async function commitResult(attempt: Attempt, result: Kept): Promise<void> {
  const { ctx, claim, job } = attempt
  const { extractor, files } = result
  const warning = shortfallOf(extractor, result.outcome.findings)
  // Before anything was decoded the quote is all that is known.
  const seconds = attempt.measuredSeconds ?? job.quotedSeconds
  await underFence(ctx, claim, async (trx) => {
    const { content_sha256: sha256, media } = await trx
      .selectFrom('jobs')
      .select(['content_sha256', 'media'])
      .where('id', '=', job.id)
      .executeTakeFirstOrThrow()
    await insertResult(trx, {
      ...result,
      accountId: job.accountId,
      sha256: sha256 ?? '',
      params: paramsKey(job.options),
      findings: result.outcome.findings,
      media,
      seconds,
      now: ctx.now(),
    })
    await trx
      .updateTable('job_extractors')
      .set((row) => ({
        status: 'done',
        progress: 1,
        result_id: result.id,
        warning,
        seconds,
        // A result with a warning lacks a part and costs nothing.
        cost_micros: warning === null ? costOf(row, seconds) : sql.lit(0),
      }))
      .where('job_id', '=', job.id)
      .where('extractor', '=', extractor)
      .execute()
    await ownObjects(trx, keysOf(files))
    await notify(trx, 'account_changed', { accountId: job.accountId, jobId: job.id })
    await attempt.step('result-written')
  })
}

/** The missing pieces of a result that has the rest; such a result is not charged. */
function shortfallOf(extractor: ExtractorId, findings: unknown): string | null {
  if (extractor !== 'thumbnail') return null
  const { missing = [] } = ThumbnailFindings.parse(findings)
  if (missing.length === 0) return null
  const names = missing.map((part) => partNames[part])
  const list = [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ')
  return `We couldn’t make the ${list} of this clip.`
}

const partNames = {
  poster: 'poster',
  stills: 'stills',
  sprite: 'film strip',
  proxy: 'preview',
  waveform: 'waveform',
} as const

/**
 * The whole stretch has been decoded by now, so its true length is known: never more is charged
 * than was worked through, whatever the header had promised and however the job ends.
 */
export async function keepMeasure(
  attempt: Attempt,
  measured: { media: Media | null; seconds: number },
): Promise<void> {
  const { media } = measured
  if (!media) return
  const { ctx, claim, job } = attempt
  const isTimed = media.kind === 'video' || media.kind === 'audio'
  const length = isTimed ? roundUp(measured.seconds) : mediaSeconds(media, job.options)
  const seconds = Math.min(countedSeconds(media, length), job.quotedSeconds)
  const text = JSON.stringify(media)
  await underFence(ctx, claim, async (trx) => {
    const done = await trx
      .updateTable('job_extractors')
      .set((row) => ({
        seconds,
        cost_micros: row
          .case()
          .when('warning', 'is', null)
          .then(costOf(row, seconds))
          .else(0)
          .end(),
      }))
      .where('job_id', '=', job.id)
      .where('status', '=', 'done')
      .returning('result_id')
      .execute()
    const results = done.flatMap((row) => row.result_id ?? [])
    if (results.length > 0) {
      await trx
        .updateTable('job_results')
        .set({ media: text, seconds })
        .where('id', 'in', results)
        .execute()
    }
    // A job that is canceled late pays for a share of these.
    await trx
      .updateTable('job_extractors')
      .set({ seconds })
      .where('job_id', '=', job.id)
      .where('status', 'in', ['waiting', 'running'])
      .execute()
    await trx.updateTable('jobs').set({ media: text }).where('id', '=', job.id).execute()
  })
  attempt.measuredSeconds = seconds
}

/** The quote is the ceiling. */
function costOf(row: ExpressionBuilder<Tables, 'job_extractors'>, seconds: number) {
  return row.fn<number>('least', [row('micros_per_second', '*', seconds), row.ref('quoted_micros')])
}

/** The bytes of an address are known once they are here; findings of them then cost nothing. */
export async function keepReused(attempt: Attempt, source: OpenSource): Promise<void> {
  const { ctx, claim, job } = attempt
  const versions = await versionsOf(ctx, extractorIds, job.options)
  await underFence(ctx, claim, async (trx) => {
    await lockResults(trx, job.accountId)
    const waiting = await trx
      .selectFrom('job_extractors')
      .select('extractor')
      .where('job_id', '=', job.id)
      .where('status', '=', 'waiting')
      .execute()
    const reusable = await findReusable(trx, {
      accountId: job.accountId,
      sha256: source.sha256,
      versions: new Map(waiting.map((row) => [row.extractor, versions.get(row.extractor) ?? ''])),
      options: job.options,
    })
    for (const [extractor, resultId] of reusable) {
      await trx
        .updateTable('job_extractors')
        .set({ status: 'reused', progress: 1, result_id: resultId })
        .where('job_id', '=', job.id)
        .where('extractor', '=', extractor)
        .execute()
    }
  })
}
