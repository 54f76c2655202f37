/**
 * One attempt at a claim: fetch, analyse, keep each extractor's result as it lands, end. Every
 * write stands under the claim's fence (claim.ts); whatever happens, the work folder is removed.
 */
import { mkdir, rm } from 'node:fs/promises'
import { needsNoWords } from '../../engine/extractors/registry.ts'
import { watchedName } from '../../engine/parts/artifacts.ts'
import { measuresVersion } from '../../engine/parts/measures-version.ts'
import type { Findings } from '../../domain/findings/findings.ts'
import { uploadIdOf } from '../content/open.ts'
import { notify } from '../db/notify.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'
import { traceJob } from '../ground/trace.ts'
import type { Cause } from '../jobs/cause.ts'
import { endJob } from '../jobs/end.ts'
import { restartFilm } from '../jobs/restart-film.ts'
import { openSource } from '../jobs/source.ts'
import type { OpenSource } from '../jobs/source.ts'
import { dropWork } from '../jobs/work-rows.ts'
import { writerOf } from '../jobs/writer.ts'
import { workPath } from '../storage/scratch.ts'
import { beginWork, Fenced, giveUp, handBack, renewLease, underFence } from '../work/claim.ts'
import type { Claim } from '../work/claim.ts'
import type { Attempt, Step } from '../work/steps.ts'
import { runAnalysis } from './analysis.ts'
import type { AnalysisEnd, AnalysisOrder } from './analysis.ts'
import { bringPieces } from './bring-files.ts'
import { keepMeasure, keepOutcome, keepReused } from './checkpoint.ts'
import { handOn } from './hand-on.ts'
import { placeParts } from './place-parts.ts'
import { startProgress, writeExtractors } from './progress.ts'
import { isPart, runFilmPart, engineOptions } from './run-film-part.ts'
import { runQuickProxy } from './run-quick-proxy.ts'
import { runSync } from './run-sync.ts'
import type { SourceCache } from './source-cache.ts'

export interface RunOptions {
  leaseMs: number
  sources: SourceCache
  /** The worker is to stop: the claim goes back to the queue. */
  stopping: AbortSignal
  /** Aborted when the claim is no longer ours. */
  taken: AbortController
  onStep: (
    step: Step,
    input: { job: Pick<Claim, 'id' | 'fence' | 'attempt' | 'deaths'>; pid?: number },
  ) => void | Promise<void>
}

type End = 'over' | 'stopped'

/** A job whose decoding crawls is ended; its findings until then stay. */
const wallBaseMs = 15 * 60_000
const wallMsPerSecond = 30_000

export async function runClaim(ctx: Context, claim: Claim, options: RunOptions): Promise<void> {
  const workDir = workPath(ctx.config, writerOf(claim))
  const { jobId: id, fence, attempt, deaths } = claim
  const step = async (name: Step, pid?: number): Promise<void> => {
    await options.onStep(name, { job: { id, fence, attempt, deaths }, pid })
  }
  const signal = AbortSignal.any([options.stopping, options.taken.signal])
  const heartbeat = setInterval(() => {
    renewLease(ctx, claim, options)
      .then((isOurs) => isOurs || options.taken.abort())
      // The database is away: the lease runs out by itself if it stays so.
      .catch((error: unknown) => ctx.log.warn({ err: error, jobId: id }, 'lease not renewed'))
  }, options.leaseMs / 4)
  try {
    await step(isPart(claim) ? 'part-claimed' : 'claimed')
    await mkdir(workDir, { recursive: true })
    const running = { ctx, claim, workDir, signal, step }
    const run =
      claim.kind === 'quick-proxy'
        ? runQuickProxy(running)
        : runAttempt({ ...running, job: await beginWork(ctx, claim) }, options.sources)
    const end = await run.catch((error: unknown) => {
      // A stop ends what is under way with an error; it is no fault of the job.
      if (signal.aborted) return 'stopped' as const
      throw error
    })
    if (end === 'stopped' && !options.taken.signal.aborted) await handBack(ctx, claim)
    if (!isPart(claim)) await step('ended')
  } catch (error) {
    await handleFault({ ctx, claim, step }, error)
  } finally {
    clearInterval(heartbeat)
    await rm(workDir, { recursive: true, force: true })
    await step(isPart(claim) ? 'part-cleaned' : 'cleaned')
  }
}

/** Records a fault. If another worker has the claim by now, nothing is left to do. */
async function handleFault(failed: Ending, error: unknown): Promise<void> {
  if (error instanceof Fenced) return
  const { ctx, claim } = failed
  const { jobId, kind, attempt } = claim
  ctx.log.warn({ err: error, jobId, kind, attempt }, 'attempt failed')
  const end =
    // The source cannot be read: findings of earlier attempts stay, and are paid for.
    error instanceof Refusal && kind !== 'quick-proxy'
      ? finish(failed, { code: error.code, message: error.message })
      : giveUp(ctx, claim, String(error))
  await end.catch((cause: unknown) => {
    if (!(cause instanceof Fenced)) throw cause
  })
}

async function runAttempt(attempt: Attempt, sources: SourceCache): Promise<End> {
  const { ctx, claim, job } = attempt
  if (claim.kind !== 'whole' && job.measuresVersion !== measuresVersion) {
    await underFence(ctx, claim, (trx) => restartFilm(trx, job.id))
    return 'over'
  }
  if (isPart(claim)) return await runFilmPart(attempt, claim.kind, sources)
  return await traceJob({ id: job.id, attempt: claim.attempt }, () => {
    if (claim.kind === 'join') return joinParts(attempt)
    if (claim.kind === 'analyse-frames') return analyseFrames(attempt)
    return job.kind === 'sync' ? syncAll(attempt) : runWhole(attempt)
  })
}

async function syncAll(attempt: Attempt): Promise<End> {
  const end = await runSync(attempt)
  return end === 'stopped' ? end : await finish(attempt, end)
}

async function runWhole(attempt: Attempt): Promise<End> {
  const { ctx, job, signal, step } = attempt
  const source = await openSource(ctx, job, signal)
  try {
    await step('fetched')
    await keepReused(attempt, source)
    const left = await beginRunning(attempt, source, { mayTakeApart: !job.isIndivisible })
    await step('running')
    return await analyseToEnd(attempt, left, source)
  } finally {
    await source.release()
  }
}

/** Runs the detectors over the measurements of a film's parts. */
async function joinParts(attempt: Attempt): Promise<End> {
  return await analyseToEnd(attempt, await openPieces(attempt), null)
}

async function analyseToEnd(
  attempt: Attempt,
  order: AnalysisOrder,
  source: OpenSource | null,
): Promise<End> {
  if (order.extractors.length === 0) return await finish(attempt)
  const end = await analyseSource(attempt, order)
  if (end.end === 'stopped') return 'stopped'
  if (end.end === 'crashed') throw new Error(end.fault)
  await attempt.step('analysis-over')
  if (end.end === 'timeout') return await finish(attempt, timedOut)
  if (end.film && source) {
    await placeParts(attempt, end.film, source)
    return 'over'
  }
  await keepMeasure(attempt, end)
  return await finish(attempt)
}

/** Runs the detectors that wait for no words, while others hear the speech. */
async function analyseFrames(attempt: Attempt): Promise<End> {
  const order = await openPieces(attempt)
  const extractors = order.extractors.filter(needsNoWords)
  const end = await analyseSource(attempt, { ...order, extractors, keepsWatched: true })
  if (end.end === 'stopped') return 'stopped'
  if (end.end === 'crashed') throw new Error(end.fault)
  if (end.end === 'timeout') throw new Error('Analysing the frames took too long.')
  await attempt.step('analysis-over')
  await keepMeasure(attempt, end)
  await handOn(attempt, {
    // If the frames could not be analysed, the join tries again.
    optional: [watchedName],
    steps: { written: 'frames-analysed-written', ended: 'frames-analysed' },
  })
  return 'over'
}

async function openPieces(attempt: Attempt): Promise<AnalysisOrder> {
  const { ctx, job, workDir, signal } = attempt
  await bringPieces(ctx, { jobId: job.id, workDir, signal })
  await attempt.step('fetched')
  const order = await beginRunning(attempt, null, { isJoin: true })
  await attempt.step('running')
  return order
}

/** Shows that it runs, and returns the work that earlier attempts have left. */
async function beginRunning(
  attempt: Attempt,
  source: OpenSource | null,
  how: Pick<AnalysisOrder, 'mayTakeApart' | 'isJoin'>,
): Promise<AnalysisOrder> {
  const { ctx, claim, job, workDir } = attempt
  const rows = await underFence(ctx, claim, async (trx) => {
    await trx
      .updateTable('jobs')
      .set({
        status: 'running',
        ...(source ? { content_sha256: source.sha256, media: JSON.stringify(source.media) } : {}),
      })
      .where('id', '=', job.id)
      .execute()
    await notify(trx, 'account_changed', { accountId: job.accountId, jobId: job.id })
    // It was fetched, so that the next address of the account may be (`claimNext`).
    if (source && !uploadIdOf(ctx, job.contentUrl)) await notify(trx, 'job_waiting', {})
    return trx
      .selectFrom('job_extractors as e')
      .leftJoin('job_results as r', 'r.id', 'e.result_id')
      .select(['e.extractor', 'e.status', 'r.findings'])
      .where('e.job_id', '=', job.id)
      .orderBy('e.position')
      .execute()
  })
  const known = rows.filter((row) => row.findings !== null)
  const done: Partial<Findings> = Object.fromEntries(
    known.map((row) => [row.extractor, row.findings]),
  )
  return {
    ...how,
    segmentSeconds: ctx.config.segmentSeconds,
    // A join has all that it needs in its folder.
    file: source?.path ?? workDir,
    workDir,
    // Speech parts of a film set its extractors to running.
    extractors: rows
      .filter((row) => row.status === 'waiting' || row.status === 'running')
      .map((row) => row.extractor),
    maxSeconds: job.mediaSeconds,
    ...engineOptions(ctx, job),
    done,
  }
}

/** Results are kept in the order of their arrival, while the analysis goes on. */
async function analyseSource(attempt: Attempt, order: AnalysisOrder): Promise<AnalysisEnd> {
  const failed = new AbortController()
  const progress = startProgress(writeExtractors(attempt), (error) => failed.abort(error))
  let keeping: Promise<unknown> = Promise.resolve()
  const keep = (write: () => Promise<void>): void => {
    keeping = keeping.then(write)
    keeping.catch((error: unknown) => failed.abort(error))
  }
  const end = await runAnalysis(order, {
    signal: AbortSignal.any([attempt.signal, failed.signal]),
    jobId: attempt.job.id,
    wallMs: wallBaseMs + attempt.job.quotedSeconds * wallMsPerSecond,
    onStarted: (pid) => {
      keeping = keeping.then(() => attempt.step('analysis-started', pid))
    },
    onProgress: (message) => {
      if (message.type === 'progress') progress.report(message.fractions)
      if (message.type === 'measured') keep(() => keepMeasure(attempt, message))
      if (message.type === 'left-out') {
        const { extractor, fault } = message
        const jobId = attempt.job.id
        attempt.ctx.log.warn({ jobId, extractor, fault }, 'a part of the findings was left out')
      }
      if (message.type !== 'extractor') return
      const { extractor, outcome } = message
      progress.forget(extractor)
      keep(() => keepOutcome(attempt, extractor, outcome))
    },
  })
  await progress.stop()
  await keeping
  failed.signal.throwIfAborted()
  return end
}

const timedOut: Cause = {
  code: 'timeout',
  message: 'The analysis took too long and was stopped.',
}

type Ending = Pick<Attempt, 'ctx' | 'claim' | 'step'>

/** Charge, release and state in one transaction; a cause fails the extractors that are open. */
async function finish({ ctx, claim, step }: Ending, cause: Cause | null = null): Promise<'over'> {
  const { jobId } = claim
  await step('end-begun')
  await underFence(ctx, claim, async (trx) => {
    if (cause) {
      // Before the extractors: the writer of a part's progress locks its row first.
      await dropWork(trx, jobId, { state: 'done' })
      await trx
        .updateTable('job_extractors')
        .set({ status: 'failed', error_code: cause.code, error_message: cause.message })
        .where('job_id', '=', jobId)
        .where('status', 'in', ['waiting', 'running'])
        .execute()
    }
    await endJob(ctx, trx, { jobId, reason: 'finished' })
    await step('end-written')
  })
  return 'over'
}
