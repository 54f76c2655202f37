/**
 * One attempt at a quick proxy: its segments are stored as they come. An attempt that follows
 * another keeps those that are new and leaves the others as they are.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { segmentsStartName } from '../../engine/pass/plan.ts'
import { writerOf } from '../jobs/writer.ts'
import { keepQuickProxy, keepSegments, listSegments } from '../playback/quick-proxies.ts'
import { dropWritten } from '../storage/unowned-objects.ts'
import { endQuickProxy, underFence } from '../work/claim.ts'
import type { Attempt } from '../work/steps.ts'
import { keysOf } from '../results/store-result.ts'
import { runEngine } from './analysis.ts'
import { putFiles } from './put-files.ts'

const Segment = z.object({ name: z.string(), seconds: z.number() })
type Segment = z.infer<typeof Segment>
const schemas = {
  output: z.object({ frames: z.int(), rate: z.string() }),
  progress: Segment,
}
const entry = new URL('./quick-proxy-process.ts', import.meta.url)
/** Free work takes what paid work leaves. */
const niceness = 19
const wallBaseMs = 10 * 60_000
const wallMsPerSecond = 10_000

type Making = Omit<Attempt, 'job'>

export async function runQuickProxy(making: Making): Promise<'over' | 'stopped'> {
  const { ctx, claim, workDir, signal } = making
  const clip = await ctx.db
    .selectFrom('content')
    .select('storage_key')
    .where('id', '=', claim.jobId)
    .executeTakeFirst()
  if (!clip?.storage_key) throw new Error('The clip was deleted.')
  const source = await ctx.storage.localFile(clip.storage_key, { signal })
  try {
    const failed = new AbortController()
    const keep = await keepEach(making)
    let keeping = Promise.resolve()
    const order = { file: source.path, workDir }
    const end = await runEngine(entry, order, schemas, {
      jobId: claim.jobId,
      niceness,
      signal: AbortSignal.any([signal, failed.signal]),
      wallMs: wallBaseMs + claim.seconds * wallMsPerSecond,
      onProgress: (segment) => {
        keeping = keeping.then(() => keep(segment))
        keeping.catch((error: unknown) => failed.abort(error))
      },
    })
    await keeping
    if (end.end === 'stopped') return 'stopped'
    if (end.end === 'crashed') throw new Error(end.fault)
    if (end.end === 'timeout') throw new Error('The quick proxy took too long.')
    await underFence(ctx, claim, async (trx) => {
      await keepQuickProxy(trx, claim.jobId, end)
      await endQuickProxy(trx, claim)
    })
    return 'over'
  } finally {
    await source.release()
  }
}

async function keepEach({ ctx, claim, workDir }: Making) {
  const kept = await listSegments(ctx, claim.jobId)
  let position = 0
  let seconds = 0
  return async (segment: Segment): Promise<void> => {
    const begins = position === 0 ? [{ name: segmentsStartName, seconds: 0, position: 0 }] : []
    position += 1
    seconds += segment.seconds
    const media = [...begins, { ...segment, position }]
    const names = media.map(({ name }) => name)
    if (kept.every((known) => known.position !== position)) {
      const writer = writerOf(claim)
      const files = await putFiles(ctx, {
        ...{ names, workDir, folder: `previews/${writer}`, writer },
        underFence: (write) => underFence(ctx, claim, write),
      })
      const rows = files.map(({ name: _, ...file }, index) => {
        const { position, seconds } = media[index]!
        return { ...file, position, seconds }
      })
      try {
        await underFence(ctx, claim, (trx) => keepSegments(trx, claim.jobId, rows))
      } catch (error) {
        await dropWritten(ctx, keysOf(files))
        throw error
      }
    }
    await showProgress({ ctx, claim }, seconds)
    for (const name of names) await rm(join(workDir, name), { force: true })
  }
}

async function showProgress(
  { ctx, claim }: Pick<Making, 'ctx' | 'claim'>,
  seconds: number,
): Promise<void> {
  await ctx.db
    .updateTable('work')
    .set({ progress: Math.min(1, seconds / Math.max(1, claim.seconds)) })
    .where('id', '=', claim.id)
    .where('fence', '=', claim.fence)
    .execute()
}
