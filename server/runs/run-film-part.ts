/** Measures or hears one part of a film: brings files, runs the engine, hands on the results. */
import { sql } from 'kysely'
import * as z from 'zod'
import { sourceName } from '../../engine/parts/artifacts.ts'
import { neededFiles, offeredFiles } from '../../engine/parts/run-part.ts'
import type { PartOrder } from '../../engine/parts/run-part.ts'
import { notify } from '../db/notify.ts'
import type { Context } from '../ground/context.ts'
import type { LocalFile } from '../ground/storage.ts'
import { restartFilm } from '../jobs/restart-film.ts'
import { openSource } from '../jobs/source.ts'
import type { NewWork } from '../jobs/work-rows.ts'
import { underFence } from '../work/claim.ts'
import type { Claim, ClaimedJob } from '../work/claim.ts'
import { addUpProgress } from '../work/end-work.ts'
import type { Attempt } from '../work/steps.ts'
import { runEngine } from './analysis.ts'
import { bringFiles } from './bring-files.ts'
import { handOn } from './hand-on.ts'
import { startProgress } from './progress.ts'
import type { SourceCache } from './source-cache.ts'

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
const progressEveryMs = 1000
/** To tell voices apart takes a tenth of the time that the words take. */
const voicesShare = 0.1

type PartKind = PartOrder['kind']

export function isPart(claim: Claim): claim is Claim & { kind: PartKind } {
  return !['whole', 'analyse-frames', 'join', 'quick-proxy'].includes(claim.kind)
}

export async function runFilmPart(
  attempt: Attempt,
  kind: PartKind,
  sources: SourceCache,
): Promise<'over' | 'stopped'> {
  const { ctx, claim, job, workDir, signal, step } = attempt
  const { position } = claim
  const files = { needed: neededFiles({ kind, position }), offered: offeredFiles({ kind }) }
  await bringFiles(ctx, { jobId: job.id, ...files, workDir, signal })
  if (kind === 'speech' || kind === 'voices') {
    return await measure(attempt, { kind, position, workDir, ...engineOptions(ctx, job) })
  }
  const source = await borrowSource(attempt, sources)
  try {
    signal.throwIfAborted()
    await step('part-fetched')
    return await measure(attempt, { kind, position, workDir, file: source.path })
  } finally {
    await source.release()
  }
}

/** Brought once for all parts of a film that this worker takes, also where one is stopped. */
async function borrowSource({ ctx, job }: Attempt, sources: SourceCache): Promise<LocalFile> {
  const kept = await ctx.db
    .selectFrom('work_files')
    .select('storage_key')
    .where('work_id', '=', job.id)
    .where('name', '=', sourceName)
    .executeTakeFirst()
  return await sources.borrow(kept?.storage_key ?? `${job.accountId} ${job.sha256}`, () =>
    kept
      ? ctx.storage.localFile(kept.storage_key)
      : openSource(ctx, job, AbortSignal.timeout(sourceLimitMs)),
  )
}

export function engineOptions(ctx: Context, { options }: ClaimedJob) {
  return { options, modelFolder: ctx.config.speechModelDir ?? undefined }
}

async function measure(attempt: Attempt, order: PartOrder): Promise<'over' | 'stopped'> {
  const { ctx, claim, signal, step } = attempt
  const { jobId } = claim
  // Progress is a courtesy: whatever matters is written under the fence, and fails there.
  const progress = startProgress(
    ([[, fraction]]) => writeProgress(attempt, fraction),
    (error) => ctx.log.warn({ err: error, jobId }, 'progress not kept'),
    progressEveryMs,
  )
  let stepping: Promise<void> = Promise.resolve()
  const end = await runEngine(partEntry, order, schemas, {
    jobId,
    signal,
    wallMs: wallBaseMs + claim.seconds * wallMsPerSecond,
    onStarted: (pid) => {
      stepping = step('part-started', pid)
    },
    onProgress: (part) => progress.report({ part }),
  })
  await progress.stop()
  await stepping
  if (end.end === 'stopped') return 'stopped'
  if (end.end === 'crashed') throw new Error(end.fault)
  if (end.end === 'timeout' || end.part.end === 'stopped') throw new Error('A part took too long.')
  if (end.part.end === 'unlike') {
    // The film cannot be taken apart: one worker does all of it.
    await underFence(ctx, claim, (trx) => restartFilm(trx, jobId, { is_indivisible: true }))
    return 'over'
  }
  await step('part-measured')
  await handOn(attempt, {
    names: end.part.files,
    next: hearing(end.part.speech.map(({ seconds }) => seconds)),
    steps: { stored: 'part-stored', written: 'part-written', ended: 'part-ended' },
  })
  return 'over'
}

/** Rows for the groups of windows that are to be heard after this part. */
function hearing(seconds: readonly number[]): NewWork[] {
  if (seconds.length === 0) return []
  const all = seconds.reduce((sum, length) => sum + length)
  return [
    { kind: 'voices', seconds: [voicesShare * all] },
    { kind: 'speech', seconds },
  ]
}

async function writeProgress({ ctx, claim }: Attempt, fraction: number): Promise<void> {
  const { jobId, accountId } = claim
  await ctx.db.transaction().execute(async (trx) => {
    const own = await trx
      .updateTable('work')
      .set({ progress: sql`greatest(progress, least(1, ${fraction}))::real` })
      .where('id', '=', claim.id)
      .where('fence', '=', claim.fence)
      .where('leased_until', 'is not', null)
      .executeTakeFirst()
    if (own.numUpdatedRows === 0n) return
    await addUpProgress(trx, jobId)
    await notify(trx, 'account_changed', { accountId, jobId })
  })
}
