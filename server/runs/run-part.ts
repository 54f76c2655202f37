/**
 * One attempt at one part: bring what it needs, measure, keep its files, end. Every write stands
 * under the part's fence (claim-part.ts); whatever happens, the work folder is removed.
 */
import { mkdir, rm } from 'node:fs/promises'
import * as z from 'zod'
import { sourceName } from '../../engine/parts/hand-over.ts'
import { measuresVersion } from '../../engine/parts/measures-version.ts'
import { neededFiles, offeredFiles } from '../../engine/parts/run-part.ts'
import type { PartOrder } from '../../engine/parts/run-part.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'
import { workPath } from '../storage/scratch.ts'
import type { LocalFile } from '../ground/storage.ts'
import { dropWritten } from '../storage/unowned-objects.ts'
import { runEngine } from './analysis.ts'
import type { Step } from '../work/steps.ts'
import { restartFilm } from '../jobs/restart-film.ts'
import { bringFiles } from './bring-files.ts'
import {
  endPart,
  giveUpPart,
  handBackPart,
  runUnsplit,
  refusePart,
  renewPart,
  underPartFence,
} from '../work/claim-part.ts'
import type { ClaimedPart } from '../work/claim-part.ts'
import { readClaimed } from '../work/claim.ts'
import type { ClaimedJob } from '../work/claim.ts'
import { Fenced } from '../work/lease.ts'
import { keepPartProgress } from './part-progress.ts'
import { putFiles } from './put-files.ts'
import type { RunOptions } from './run.ts'
import { openSource } from '../jobs/source.ts'
import type { SourceCache } from './source-cache.ts'
import { keysOf } from '../results/store-result.ts'
import { writerOf } from '../jobs/writer.ts'

const partEntry = new URL('./part-process.ts', import.meta.url)
const partEnd = z.discriminatedUnion('end', [
  z.object({
    end: z.literal('done'),
    files: z.array(z.string()),
    speech: z.array(z.object({ file: z.string(), seconds: z.number() })),
  }),
  z.object({ end: z.literal('unlike') }),
  z.object({ end: z.literal('stopped') }),
])
const schemas = { output: z.object({ part: partEnd }), progress: z.number() }
const wallBaseMs = 15 * 60_000
const sourceLimitMs = 60 * 60_000
const wallMsPerSecond = 30_000

interface Run {
  ctx: Context
  part: ClaimedPart
  workDir: string
  signal: AbortSignal
  sources: SourceCache
  step: (step: Step, pid?: number) => Promise<void>
}

export async function runPart(
  ctx: Context,
  part: ClaimedPart,
  options: RunOptions & { sources: SourceCache },
): Promise<void> {
  const workDir = workPath(ctx.config, writerOf(part))
  const { jobId: id, fence, attempt, deaths } = part
  const step = async (name: Step, pid?: number): Promise<void> => {
    await options.onStep(name, { job: { id, fence, attempt, deaths }, pid })
  }
  const signal = AbortSignal.any([options.stopping, options.taken.signal])
  const heartbeat = setInterval(() => {
    renewPart(ctx, part, options)
      .then((isOurs) => isOurs || options.taken.abort())
      .catch((error: unknown) => ctx.log.warn({ err: error, partId: part.id }, 'part not renewed'))
  }, options.leaseMs / 4)
  try {
    await step('part-claimed')
    await mkdir(workDir, { recursive: true })
    const { sources } = options
    const end = await measure({ ctx, part, workDir, signal, sources, step }).catch(
      (error: unknown) => {
        // What is being brought ends with an error of its own; a stop is no fault of the part.
        if (signal.aborted) return 'stopped' as const
        throw error
      },
    )
    if (end === 'stopped' && !options.taken.signal.aborted) await handBackPart(ctx, part)
  } catch (error) {
    if (!(error instanceof Fenced)) await handleFault(ctx, part, error)
  } finally {
    clearInterval(heartbeat)
    await rm(workDir, { recursive: true, force: true })
    await step('part-cleaned')
  }
}

async function handleFault(ctx: Context, part: ClaimedPart, error: unknown): Promise<void> {
  const { jobId, id: partId, kind, attempt } = part
  ctx.log.warn({ err: error, jobId, partId, kind, attempt }, 'a part failed')
  const end =
    error instanceof Refusal
      ? refusePart(ctx, part, { code: error.code, message: error.message })
      : giveUpPart(ctx, part, String(error))
  await end.catch((cause: unknown) => {
    if (!(cause instanceof Fenced)) throw cause
  })
}

async function measure(run: Run): Promise<'over' | 'stopped'> {
  const { ctx, part, workDir, signal, step } = run
  const job = await readClaimed(ctx.db, part.jobId)
  if (job.measuresVersion !== measuresVersion) {
    await underPartFence(ctx, part, (trx) => restartFilm(trx, part.jobId))
    return 'over'
  }
  const files = { needed: neededFiles(part), offered: offeredFiles(part) }
  await bringFiles(ctx, { jobId: part.jobId, ...files, workDir, signal })
  const { kind, position } = part
  if (kind === 'speech' || kind === 'voices') {
    return await order(run, { kind, ...speechOrder(ctx, job, run) })
  }
  const source = await borrowSource(run, job)
  if (signal.aborted) {
    await source.release()
    return 'stopped'
  }
  try {
    await step('part-fetched')
    return await order(run, { kind, position, workDir, file: source.path })
  } finally {
    await source.release()
  }
}

/** Brought once for all parts of a film that this worker takes, also where one is stopped. */
async function borrowSource({ ctx, part, sources }: Run, job: ClaimedJob): Promise<LocalFile> {
  const kept = await ctx.db
    .selectFrom('job_part_files as f')
    .innerJoin('job_parts as p', 'p.id', 'f.part_id')
    .select('f.storage_key')
    .where('p.job_id', '=', part.jobId)
    .where('f.name', '=', sourceName)
    .executeTakeFirst()
  return await sources.borrow(kept?.storage_key ?? `${job.accountId} ${job.sha256}`, () =>
    kept
      ? ctx.storage.localFile(kept.storage_key)
      : openSource(ctx, job, AbortSignal.timeout(sourceLimitMs)),
  )
}

function speechOrder(ctx: Context, job: ClaimedJob, { part, workDir }: Run) {
  const { speechModelDir } = ctx.config
  const { vocabulary, speech } = job
  return {
    position: part.position,
    workDir,
    params: {
      ...(speechModelDir ? { modelFolder: speechModelDir } : {}),
      ...(vocabulary.length > 0 ? { vocabulary } : {}),
      ...speech,
    },
  }
}

async function order(run: Run, partOrder: PartOrder): Promise<'over' | 'stopped'> {
  const { ctx, part, workDir, signal, step } = run
  const progress = keepPartProgress(ctx, part)
  let stepping: Promise<void> = Promise.resolve()
  const end = await runEngine(partEntry, partOrder, schemas, {
    jobId: part.jobId,
    signal,
    wallMs: wallBaseMs + part.seconds * wallMsPerSecond,
    onStarted: (pid) => {
      stepping = step('part-started', pid)
    },
    onProgress: (fraction) => progress.report(fraction),
  })
  await progress.stop()
  await stepping
  if (end.end === 'stopped') return 'stopped'
  if (end.end === 'crashed') throw new Error(end.fault)
  if (end.end === 'timeout' || end.part.end === 'stopped') throw new Error('A part took too long.')
  if (end.part.end === 'unlike') {
    await runUnsplit(ctx, part)
    return 'over'
  }
  await step('part-measured')
  const files = await putFiles(ctx, {
    names: end.part.files,
    workDir,
    folder: `parts/${writerOf(part)}`,
    writer: writerOf(part),
    underFence: (write) => underPartFence(ctx, part, write),
  })
  await step('part-stored')
  try {
    await endPart(ctx, part, { files, speech: end.part.speech }, () => step('part-written'))
  } catch (error) {
    await dropWritten(ctx, keysOf(files))
    throw error
  }
  await step('part-ended')
  return 'over'
}
