/**
 * One attempt at one job: fetch, analyse, keep each extractor's result as it lands, end. Every
 * write stands under the claim's fence (claim.ts); whatever happens, the work folder is removed.
 */
import { mkdir, rm } from 'node:fs/promises'
import { needsNoWords } from '../../engine/extractors/registry.ts'
import { measuresVersion } from '../../engine/parts/measures-version.ts'
import type { Findings } from '../../domain/findings/findings.ts'
import type { Context } from '../ground/context.ts'
import { uploadIdOf } from '../content/open.ts'
import { notify } from '../db/notify.ts'
import { Refusal } from '../ground/refusal.ts'
import { runAnalysis } from './analysis.ts'
import type { AnalysisEnd, AnalysisOrder } from './analysis.ts'
import type { Attempt, Step } from '../work/steps.ts'
import { restartFilm } from '../jobs/restart-film.ts'
import { keepMeasure, keepOutcome, keepReused } from './checkpoint.ts'
import { giveUp, handBack, renewLease, underFence } from '../work/claim.ts'
import type { ClaimedJob } from '../work/claim.ts'
import { endJob } from '../jobs/end.ts'
import type { Cause } from '../jobs/cause.ts'
import { Fenced } from '../work/lease.ts'
import { traceJob } from '../ground/trace.ts'
import { workPath } from '../storage/scratch.ts'
import { bringPieces } from './bring-files.ts'
import { endJudging } from './analyse-frames.ts'
import { placeParts } from './place-parts.ts'
import { startProgress } from './progress.ts'
import { runSync } from './run-sync.ts'
import { openSource } from '../jobs/source.ts'
import type { OpenSource } from '../jobs/source.ts'
import { writerOf } from '../jobs/writer.ts'

export interface RunOptions {
  leaseMs: number
  /** The worker is to stop: the job goes back to the queue. */
  stopping: AbortSignal
  /** Aborted when the job is no longer ours. */
  taken: AbortController
  onStep: (
    step: Step,
    input: { job: Pick<ClaimedJob, 'id' | 'fence' | 'attempt' | 'deaths'>; pid?: number },
  ) => void | Promise<void>
}

/** A job whose decoding crawls is ended; what it has found by then stays. */
const wallBaseMs = 15 * 60_000
const wallMsPerSecond = 30_000

export async function runJob(ctx: Context, job: ClaimedJob, options: RunOptions): Promise<void> {
  const workDir = workPath(ctx.config, writerOf(job))
  const step = async (name: Step, pid?: number): Promise<void> => {
    await options.onStep(name, { job, pid })
  }
  const signal = AbortSignal.any([options.stopping, options.taken.signal])
  const heartbeat = keepLease(ctx, job, options.leaseMs, () => options.taken.abort())
  try {
    await step('claimed')
    await mkdir(workDir, { recursive: true })
    const end = await traceJob(job, () => runAttempt({ ctx, job, workDir, step }, signal))
    if (end === 'stopped' && !options.taken.signal.aborted) await handBack(ctx, job)
    await step('ended')
  } catch (error) {
    await handleFault(ctx, job, error)
  } finally {
    clearInterval(heartbeat)
    await rm(workDir, { recursive: true, force: true })
    await step('cleaned')
  }
}

/** Where another worker has the job by now there is nothing left to say. */
async function handleFault(ctx: Context, job: ClaimedJob, error: unknown): Promise<void> {
  if (error instanceof Fenced) return
  ctx.log.warn({ err: error, jobId: job.id, attempt: job.attempt }, 'attempt failed')
  await giveUp(ctx, job, String(error)).catch((cause: unknown) => {
    if (!(cause instanceof Fenced)) throw cause
  })
}

function keepLease(
  ctx: Context,
  job: ClaimedJob,
  leaseMs: number,
  onLost: () => void,
): NodeJS.Timeout {
  return setInterval(() => {
    renewLease(ctx, job, { leaseMs })
      .then((isOurs) => isOurs || onLost())
      // The database is away: the lease runs out by itself if it stays so.
      .catch((error: unknown) => ctx.log.warn({ err: error, jobId: job.id }, 'lease not renewed'))
  }, leaseMs / 4)
}

async function runAttempt(attempt: Attempt, signal: AbortSignal): Promise<'over' | 'stopped'> {
  const { ctx, job } = attempt
  if (job.kind === 'sync') {
    const end = await runSync(attempt, signal)
    return end === 'stopped' ? end : await finish(attempt, end)
  }
  if (job.stage !== 'whole' && job.measuresVersion !== measuresVersion) {
    await underFence(ctx, job, (trx) => restartFilm(trx, job.id))
    return 'over'
  }
  if (job.stage === 'join') return await joinParts(attempt, signal)
  if (job.stage === 'judge') return await judgePictures(attempt, signal)
  let source: OpenSource
  try {
    source = await openSource(ctx, job, signal)
  } catch (error) {
    if (signal.aborted) return 'stopped'
    if (!(error instanceof Refusal)) throw error
    const cause = { code: error.code, message: error.message }
    // What an earlier attempt found stays, and is paid for.
    return finish(attempt, (await markFailed(attempt, cause)) > 0 ? null : cause)
  }
  try {
    await attempt.step('fetched')
    await keepReused(attempt, source)
    const left = await beginRunning(attempt, source, { mayTakeApart: !job.isIndivisible })
    await attempt.step('running')
    if (left.extractors.length === 0) return await finish(attempt, null)
    return await analyseToEnd(attempt, left, { signal, source })
  } finally {
    await source.release()
  }
}

async function analyseToEnd(
  attempt: Attempt,
  order: AnalysisOrder,
  { signal, source }: { signal: AbortSignal; source: OpenSource | null },
): Promise<'over' | 'stopped'> {
  const end = await analyseSource(attempt, order, signal)
  if (end.end === 'stopped') return 'stopped'
  if (end.end === 'crashed') throw new Error(end.fault)
  await attempt.step('analysis-over')
  if (end.end === 'over' && end.film && source) {
    await placeParts(attempt, end.film, source)
    return 'over'
  }
  if (end.end === 'timeout') await markFailed(attempt, timedOut)
  else await keepMeasure(attempt, end)
  return await finish(attempt, null)
}

/** Runs the detectors over what the parts of a film have measured. */
async function joinParts(attempt: Attempt, signal: AbortSignal): Promise<'over' | 'stopped'> {
  const order = await openPieces(attempt, signal)
  if (!order) return 'stopped'
  if (order.extractors.length === 0) return await finish(attempt, null)
  return await analyseToEnd(attempt, order, { signal, source: null })
}

/** Runs the detectors that wait for no words, while others hear the speech. */
async function judgePictures(attempt: Attempt, signal: AbortSignal): Promise<'over' | 'stopped'> {
  const order = await openPieces(attempt, signal)
  if (!order) return 'stopped'
  const extractors = order.extractors.filter(needsNoWords)
  const end = await analyseSource(attempt, { ...order, extractors, keepsWatched: true }, signal)
  if (end.end === 'stopped') return 'stopped'
  if (end.end === 'crashed') throw new Error(end.fault)
  if (end.end === 'timeout') throw new Error('Judging the pictures took too long.')
  await attempt.step('analysis-over')
  await keepMeasure(attempt, end)
  await endJudging(attempt)
  return 'over'
}

/** Brings what the parts of a film came to; null where the worker stops. */
async function openPieces(attempt: Attempt, signal: AbortSignal): Promise<AnalysisOrder | null> {
  const { ctx, job, workDir } = attempt
  try {
    await bringPieces(ctx, { jobId: job.id, workDir, signal })
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
  await attempt.step('fetched')
  const order = await beginRunning(attempt, null, { isJoin: true })
  await attempt.step('running')
  return order
}

/** Says that it runs, and what is left to do after earlier attempts. */
async function beginRunning(
  attempt: Attempt,
  source: OpenSource | null,
  how: Pick<AnalysisOrder, 'mayTakeApart' | 'isJoin'>,
): Promise<AnalysisOrder> {
  const { job } = attempt
  const rows = await underFence(attempt.ctx, job, async (trx) => {
    await trx
      .updateTable('jobs')
      .set({
        status: 'running',
        ...(source ? { content_sha256: source.sha256, media: JSON.stringify(source.media) } : {}),
      })
      .where('id', '=', job.id)
      .execute()
    await notify(trx, 'account_changed', { accountId: job.accountId, jobId: job.id })
    // It was fetched, so that the next address of the account may be (`findWaiting`).
    if (source && !uploadIdOf(attempt.ctx, job.contentUrl)) {
      await notify(trx, 'job_waiting', {})
    }
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
  const { speechModelDir } = attempt.ctx.config
  const { vocabulary, speech } = job
  return {
    ...how,
    segmentSeconds: attempt.ctx.config.segmentSeconds,
    // A join has all that it needs in its folder.
    file: source?.path ?? attempt.workDir,
    workDir: attempt.workDir,
    // Speech parts of a film say that its extractors run.
    extractors: rows
      .filter((row) => row.status === 'waiting' || row.status === 'running')
      .map((row) => row.extractor),
    in: job.stretch.inSeconds ?? undefined,
    out: job.stretch.outSeconds ?? undefined,
    maxSeconds: job.mediaSeconds,
    params: {
      transcription: {
        ...(speechModelDir ? { modelFolder: speechModelDir } : {}),
        ...(vocabulary.length > 0 ? { vocabulary } : {}),
        ...speech,
      },
    },
    done,
  }
}

/** Results are kept in the order of their arrival, while the analysis goes on. */
async function analyseSource(
  attempt: Attempt,
  order: AnalysisOrder,
  signal: AbortSignal,
): Promise<AnalysisEnd> {
  const failed = new AbortController()
  const progress = startProgress(attempt, (error) => failed.abort(error))
  let keeping: Promise<unknown> = Promise.resolve()
  const keep = (write: () => Promise<void>): void => {
    keeping = keeping.then(write)
    keeping.catch((error: unknown) => failed.abort(error))
  }
  const end = await runAnalysis(order, {
    signal: AbortSignal.any([signal, failed.signal]),
    jobId: attempt.job.id,
    wallMs: wallBaseMs + attempt.job.quotedSeconds * wallMsPerSecond,
    onStarted: (pid) => {
      keeping = keeping.then(() => attempt.step('analysis-started', pid))
    },
    onProgress: (message) => {
      if (message.type === 'progress') progress.report(message.fractions)
      if (message.type === 'measured') keep(() => keepMeasure(attempt, message))
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

/** Fails what has not ended, and answers how many had succeeded. */
async function markFailed({ ctx, job }: Attempt, cause: Cause): Promise<number> {
  return underFence(ctx, job, async (trx) => {
    await trx
      .updateTable('job_extractors')
      .set({ status: 'failed', error_code: cause.code, error_message: cause.message })
      .where('job_id', '=', job.id)
      .where('status', 'in', ['waiting', 'running'])
      .execute()
    const successes = await trx
      .selectFrom('job_extractors')
      .select('extractor')
      .where('job_id', '=', job.id)
      .where('status', 'in', ['done', 'reused'])
      .execute()
    return successes.length
  })
}

/** Charge, release and state in one transaction; a cause means that the whole job failed. */
async function finish(attempt: Attempt, cause: Cause | null): Promise<'over'> {
  const { id: jobId, fence } = attempt.job
  await attempt.step('end-begun')
  await attempt.ctx.db.transaction().execute(async (trx) => {
    const ending = cause
      ? ({ reason: 'failed', cause } as const)
      : ({ reason: 'finished' } as const)
    const isOurs = await endJob(attempt.ctx, trx, { jobId, fence, ...ending })
    if (!isOurs) throw new Fenced(`Job ${jobId} is no longer ours.`)
    await attempt.step('end-written')
  })
  return 'over'
}
