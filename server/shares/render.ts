/**
 * Renders the proxies of links, one after the other, in a process of its own that cannot outlive
 * this one. The task of a worker that died starts again elsewhere and takes over its proxy.
 */
import { mkdir, rm } from 'node:fs/promises'
import * as z from 'zod'
import type { RenderedProxy, RenderOrder } from '../../engine/render-proxy.ts'
import { runEngine } from '../runs/analysis.ts'
import { Fenced, limits } from '../work/claim.ts'
import { putFiles } from '../runs/put-files.ts'
import { keysOf } from '../results/store-result.ts'
import { writerOf } from '../jobs/writer.ts'
import type { Context } from '../ground/context.ts'
import { workPath } from '../storage/scratch.ts'
import type { LocalFile } from '../ground/storage.ts'
import { dropWritten } from '../storage/unowned-objects.ts'
import { claimProxy, giveUpProxy, keepProxy, reportProxy, underProxyFence } from './proxies.ts'
import type { ClaimedProxy } from './proxies.ts'

const RenderProgress = z.object({ part: z.number(), bytes: z.number() })
export type RenderProgress = z.infer<typeof RenderProgress>

const entry = new URL('./render-process.ts', import.meta.url)
const file = z.string()
const rendered: z.ZodType<RenderedProxy> = z.object({
  proxy: z.object({
    ...{ file, width: z.int(), height: z.int() },
    ...{ frame_rate: z.string(), frames: z.int() },
  }),
  poster: file.nullable(),
  sprite: z
    .object({
      ...{ files: z.array(file), intervalFrames: z.number() },
      ...{ tileWidth: z.int(), tileHeight: z.int(), columns: z.int(), rows: z.int() },
    })
    .nullable(),
  waveform: z.object({ file, peaksPerSecond: z.number(), count: z.int() }).nullable(),
})
const schemas = { output: rendered, progress: RenderProgress }
const reportEveryMs = 2000
const wallBaseMs = 10 * 60_000
const wallMsPerSecond = 30_000

/** The background task: whatever is due, until nothing is. */
export async function renderDueProxies(ctx: Context): Promise<number> {
  let rendered = 0
  // To other tasks, or with their links: two tasks would take them from each other in turn.
  const lost: string[] = []
  // Without isolation they wait for a worker that may run media tools.
  while (ctx.isolation.mayAnalyse) {
    const claimed = await claimProxy(ctx, lost)
    if (!claimed) break
    if (await renderClaimed(ctx, claimed)) rendered += 1
    else lost.push(claimed.id)
  }
  return rendered
}

/** False: the proxy was taken over, or its link is gone. */
async function renderClaimed(ctx: Context, claimed: ClaimedProxy): Promise<boolean> {
  const workDir = workPath(ctx.config, writerOf(claimed))
  const over = new AbortController()
  const state = { progress: 0, bytes: 0 }
  const heartbeat = setInterval(() => {
    reportProxy(ctx, claimed, state)
      .then((isOurs) => isOurs || over.abort())
      .catch((error: unknown) =>
        ctx.log.warn({ err: error, proxyId: claimed.id }, 'progress not kept'),
      )
  }, reportEveryMs)
  const sources: LocalFile[] = []
  try {
    if (claimed.attempt > limits.deaths) throw new Error('Workers died while it was rendered.')
    await mkdir(workDir, { recursive: true })
    for (const key of claimed.plan.files) {
      sources.push(await ctx.storage.localFile(key, { signal: over.signal }))
    }
    const files = sources.map(({ path }) => path)
    const order: RenderOrder = { ...claimed.plan, files, workDir }
    const end = await runEngine(entry, order, schemas, {
      jobId: claimed.id,
      signal: over.signal,
      wallMs: wallBaseMs + claimed.seconds * wallMsPerSecond,
      onProgress: ({ part, bytes }) => Object.assign(state, { progress: part, bytes }),
    })
    if (end.end === 'stopped') return false
    if (end.end === 'crashed') throw new Error(end.fault)
    if (end.end === 'timeout') throw new Error('Rendering took too long.')
    await keep(ctx, claimed, end, workDir)
    return true
  } catch (error) {
    if (error instanceof Fenced || over.signal.aborted) return false
    ctx.log.warn({ err: error, proxyId: claimed.id }, 'a proxy of a link was not rendered')
    await giveUpProxy(ctx, claimed, String(error))
    return true
  } finally {
    clearInterval(heartbeat)
    for (const source of sources) await source.release()
    await rm(workDir, { recursive: true, force: true })
  }
}

async function keep(
  ctx: Context,
  claimed: ClaimedProxy,
  made: RenderedProxy,
  workDir: string,
): Promise<void> {
  const { proxy, poster, sprite, waveform } = made
  const names = [proxy.file, poster, ...(sprite?.files ?? []), waveform?.file]
  const files = await putFiles(ctx, {
    names: names.filter((name) => typeof name === 'string'),
    workDir,
    folder: `shares/${claimed.id}/${claimed.fence}`,
    writer: writerOf(claimed),
    underFence: (write) => underProxyFence(ctx, claimed, write),
  })
  try {
    await keepProxy(ctx, claimed, made, files)
  } catch (error) {
    await dropWritten(ctx, keysOf(files))
    throw error
  }
}
