/**
 * One attempt at a sync: every item's bytes are brought here, the sounds are compared in a process
 * of their own, and one commit keeps the findings with their price. An item that cannot be read is
 * left out and costs nothing; with fewer than two of them there is nothing to compare.
 */
import { createHash, randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { Transaction } from 'kysely'
import { syncLimits, syncPrice } from '../../domain/money/catalogue.ts'
import type { Media } from '../../domain/findings/findings.ts'
import { notify } from '../db/notify.ts'
import type { Tables } from '../ground/generated-tables.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'
import { runEngine } from './analysis.ts'
import type { EngineEnd } from './analysis.ts'
import type { Attempt } from '../work/steps.ts'
import { startProgress, writeExtractors } from './progress.ts'
import type { Cause } from '../jobs/cause.ts'
import { underFence } from '../work/claim.ts'
import { endJob } from '../jobs/end.ts'
import { openSource } from '../jobs/source.ts'
import type { OpenSource } from '../jobs/source.ts'

export interface SyncOrder {
  workDir: string
  files: { file: string; maxSeconds: number; media: Media }[]
}

/** One file's place in its group; `waveform` is base64. */
const FoundItem = z.object({
  group: z.int().nullable(),
  isReference: z.boolean(),
  method: z.enum(['sound', 'timecode']).nullable(),
  offset: z.string().nullable(),
  driftPpm: z.number().nullable(),
  confidence: z.number().nullable(),
  next: z.number().nullable(),
  curve: z.array(z.number()),
  timecodeOffset: z.string().nullable(),
  reason: z.enum(['no_sound', 'unreadable', 'no_match']).nullable(),
  waveform: z.string(),
})
export type FoundItem = z.infer<typeof FoundItem>
const SyncFindings = z.object({ items: z.array(FoundItem) })
export type SyncFindings = z.infer<typeof SyncFindings>

/** Progress, or the waveform of a file that was read. */
const SyncProgress = z.union([
  z.object({ fraction: z.number() }),
  z.object({ index: z.int(), waveform: z.string() }),
])
export type SyncProgress = z.infer<typeof SyncProgress>

/** Raised when the same sounds would be placed otherwise. */
const syncVersion = '2'
const entry = new URL('./sync-process.ts', import.meta.url)
const wallBaseMs = 10 * 60_000
const wallMsPerSecond = 500

const timedOut: Cause = { code: 'timeout', message: 'The sync took too long and was stopped.' }

/** Null: it succeeded. A cause: it failed, and costs nothing. */
export async function runSync(attempt: Attempt): Promise<Cause | null | 'stopped'> {
  if (await isKept(attempt)) return null
  const { signal } = attempt
  const items = await readItems(attempt)
  const opened: ({ source: OpenSource } | { cause: Cause })[] = []
  try {
    for (const item of items) {
      opened.push(await openItem(attempt, item))
      if (signal.aborted) return 'stopped'
    }
    const failed = opened.flatMap((item) => ('cause' in item ? [item.cause] : []))
    if (opened.length - failed.length < syncLimits.minItems) return failed[0] ?? timedOut
    await attempt.step('fetched')
    await beginRunning(attempt)
    await attempt.step('running')
    const files = opened.flatMap((item, index) => {
      if (!('source' in item)) return []
      const { path: file, media } = item.source
      const { seconds: maxSeconds, position } = items[index]!
      return [{ file, media, maxSeconds, position }]
    })
    const end = await compareSounds(attempt, files)
    if (end.end === 'stopped') return 'stopped'
    if (end.end === 'crashed') throw new Error(end.fault)
    if (end.end === 'timeout') return timedOut
    await attempt.step('analysis-over')
    const compared = [...end.items]
    const all = opened.map((item) => ('source' in item ? compared.shift()! : unreadable))
    if (all.filter(({ waveform }) => waveform !== '').length < syncLimits.minItems) {
      return {
        code: 'no_audio',
        message: 'Fewer than two of these items have sound that can be read.',
      }
    }
    await keepFindings(attempt, items, { items: all })
    return null
  } finally {
    for (const item of opened) if ('source' in item) await item.source.release()
  }
}

const unreadable: FoundItem = {
  group: null,
  isReference: false,
  method: null,
  offset: null,
  driftPpm: null,
  confidence: null,
  next: null,
  curve: [],
  timecodeOffset: null,
  reason: 'unreadable',
  waveform: '',
}

/** An earlier attempt died between its findings and its end. */
async function isKept({ ctx, job }: Attempt): Promise<boolean> {
  const kept = await ctx.db
    .selectFrom('job_extractors')
    .select('job_id')
    .where('job_id', '=', job.id)
    .where('status', '=', 'done')
    .executeTakeFirst()
  return kept !== undefined
}

type Item = Awaited<ReturnType<typeof readItems>>[number]

function readItems({ ctx, job }: Attempt) {
  return ctx.db
    .selectFrom('job_items')
    .selectAll()
    .where('job_id', '=', job.id)
    .orderBy('position')
    .execute()
}

async function openItem(
  { ctx, job, signal }: Attempt,
  item: Item,
): Promise<{ source: OpenSource } | { cause: Cause }> {
  try {
    const source = await openSource(
      ctx,
      {
        ...job,
        contentId: item.content_id,
        contentUrl: item.content_url,
        sha256: item.content_sha256,
        media: item.media,
      },
      signal,
    )
    return { source }
  } catch (error) {
    // A stop is no fault of the item; the caller sees it.
    if (signal.aborted) return { cause: timedOut }
    if (!(error instanceof Refusal)) throw error
    return { cause: { code: error.code, message: `${item.content_name}: ${error.message}` } }
  }
}

async function beginRunning({ ctx, claim, job }: Attempt): Promise<void> {
  await underFence(ctx, claim, async (trx) => {
    await trx.updateTable('jobs').set({ status: 'running' }).where('id', '=', job.id).execute()
    await notify(trx, 'account_changed', { accountId: job.accountId, jobId: job.id })
  })
}

async function compareSounds(
  attempt: Attempt,
  files: readonly (SyncOrder['files'][number] & { position: number })[],
): Promise<EngineEnd<SyncFindings>> {
  const { ctx, job, workDir, signal } = attempt
  let writing: Promise<unknown> = Promise.resolve()
  // The attempt ends by its fence or its lease, which the worker watches.
  const onError = (error: unknown): void => ctx.log.warn({ err: error }, 'progress not kept')
  const progress = startProgress(writeExtractors(attempt), onError)
  const order: SyncOrder = { workDir, files: [...files] }
  const schemas = { output: SyncFindings, progress: SyncProgress }
  const end = await runEngine(entry, order, schemas, {
    jobId: job.id,
    signal,
    wallMs: wallBaseMs + job.quotedSeconds * wallMsPerSecond,
    onStarted: (pid) => {
      writing = writing.then(() => attempt.step('analysis-started', pid))
    },
    onProgress: (message) => {
      if ('fraction' in message) return progress.report({ [syncPrice.id]: message.fraction })
      const { position } = files[message.index]!
      writing = writing.then(() => writeSound(attempt, position, message.waveform))
      writing.catch(onError)
    },
  })
  await progress.stop()
  await writing
  return end
}

async function writeSound(
  { ctx, claim, job }: Attempt,
  position: number,
  waveform: string,
): Promise<void> {
  await underFence(ctx, claim, async (trx) => {
    await trx
      .updateTable('job_items')
      .set({ waveform })
      .where('job_id', '=', job.id)
      .where('position', '=', position)
      .execute()
    await notify(trx, 'account_changed', { accountId: job.accountId, jobId: job.id })
  })
}

async function keepFindings(
  { ctx, claim, job }: Attempt,
  items: readonly Item[],
  findings: SyncFindings,
): Promise<void> {
  const charged = items.filter((_, index) => findings.items[index]!.waveform !== '')
  const seconds = charged.reduce((sum, item) => sum + item.seconds, 0)
  const costMicros = charged.reduce((sum, item) => sum + item.quoted_micros, 0)
  const hashes = items.map((item) => item.content_sha256 ?? item.content_url)
  const sha256 = createHash('sha256').update(hashes.join(' ')).digest('hex')
  const { id, accountId } = job
  await underFence(ctx, claim, async (trx) => {
    await storeFindings(trx, { id, accountId, sha256, findings, seconds, now: ctx.now() })
    await trx
      .updateTable('job_extractors')
      .set({ cost_micros: costMicros })
      .where('job_id', '=', id)
      .execute()
  })
}

async function storeFindings(
  trx: Transaction<Tables>,
  found: {
    id: string
    accountId: string
    sha256: string
    findings: SyncFindings
    seconds: number
    now: Date
  },
): Promise<void> {
  const resultId = randomUUID()
  await trx
    .insertInto('job_results')
    .values({
      id: resultId,
      account_id: found.accountId,
      content_sha256: found.sha256,
      extractor: syncPrice.id,
      version: syncVersion,
      params: '{}',
      findings: JSON.stringify(found.findings),
      media: JSON.stringify(null),
      seconds: found.seconds,
      created_at: found.now,
    })
    .execute()
  await trx
    .updateTable('job_extractors')
    .set({ status: 'done', progress: 1, result_id: resultId, seconds: found.seconds })
    .where('job_id', '=', found.id)
    .execute()
}

/** A test key's sync: nothing is compared; the items follow each other by a second. */
export async function rehearseSync(
  ctx: Context,
  trx: Transaction<Tables>,
  { id, accountId, items }: { id: string; accountId: string; items: readonly unknown[] },
): Promise<void> {
  const findings: SyncFindings = {
    items: items.map((_, index) => ({
      ...unreadable,
      group: 0,
      isReference: index === 0,
      method: index === 0 ? null : 'sound',
      offset: `${index}/1`,
      driftPpm: 0,
      confidence: index === 0 ? null : 0.99,
      reason: null,
    })),
  }
  await storeFindings(trx, { id, accountId, sha256: id, findings, seconds: 0, now: ctx.now() })
  await endJob(ctx, trx, { jobId: id, reason: 'finished' })
}
