/** A worker: keeps its slots filled with claims in turn, and hands them back when it is to stop. */
import { setTimeout } from 'node:timers/promises'
import type { Context } from '../ground/context.ts'
import { listen } from '../db/notify.ts'
import type { Listener } from '../db/notify.ts'
import { claimNext } from '../work/claim.ts'
import type { Lane } from '../work/claim.ts'
import { createSourceCache } from './source-cache.ts'
import { runClaim } from './run.ts'
import type { RunOptions } from './run.ts'
import { writerOf } from '../jobs/writer.ts'

export interface Worker {
  /** Claims what is due. */
  fill(): void
  /** Sends a statement over the connection that listens for jobs. */
  ask: Listener['ask']
  /** Takes no more jobs, stops the running ones and hands them back. */
  drain(): Promise<void>
  /** Drains, then closes its connection. */
  stop(): Promise<void>
}

export interface WorkOptions {
  slots?: number
  leaseMs?: number
  onStep?: RunOptions['onStep']
  /** How often the queue is polled; null if a leader wakes this worker (leader.ts). */
  pollMs?: number | null
}

/** After this time without renewal, any worker may take over a job. */
export const standardLeaseMs = 15_000
/** Leases run out silently, so the queue is also polled. */
export const standardPollMs = 1000

export async function startWorking(ctx: Context, options: WorkOptions = {}): Promise<Worker> {
  const { slots = ctx.config.workerJobs, leaseMs = standardLeaseMs } = options
  const { onStep = () => undefined, pollMs = standardPollMs } = options
  const stopping = new AbortController()
  const sources = createSourceCache()
  const start = async (lane: Lane): Promise<Running | null> => {
    const claim = await claimNext(ctx, { leaseMs }, lane)
    if (!claim) return null
    const { jobId } = claim
    const taken = new AbortController()
    const run = runClaim(ctx, claim, { leaseMs, sources, stopping: stopping.signal, taken, onStep })
    const over = run.catch((error: unknown) => ctx.log.error({ err: error, jobId }, 'job lost'))
    return { attempt: writerOf(claim), jobId, over, taken }
  }
  const places: [Lane, number][] = [
    ['jobs', slots],
    ['quick-proxies', 1],
  ]
  const lanes = places.map(([lane, slots]) =>
    openSlots(ctx, { slots, stopping: stopping.signal, start: () => start(lane) }),
  )
  const fill = (): void => lanes.forEach((lane) => lane.fill())
  const listener = await listen(
    ctx.config.databaseUrl,
    {
      job_waiting: fill,
      job_taken: ({ jobId }) => {
        const running = lanes.flatMap((lane) => [...lane.running.values()])
        for (const attempt of running) if (attempt.jobId === jobId) attempt.taken.abort()
      },
    },
    { log: ctx.log, onReconnect: fill },
  )
  const timer = pollMs === null ? undefined : setInterval(fill, pollMs)
  fill()
  const drain = async (): Promise<void> => {
    clearInterval(timer)
    stopping.abort()
    await Promise.all(lanes.map((lane) => lane.empty()))
  }
  return {
    fill,
    ask: (text, values) => listener.ask(text, values),
    drain,
    async stop() {
      await drain()
      await listener.close()
      await sources.close()
    },
  }
}

interface Running {
  attempt: string
  jobId: string
  over: Promise<void>
  taken: AbortController
}

interface SlotOptions {
  slots: number
  stopping: AbortSignal
  /** Starts the next work; null if nothing is due. */
  start: () => Promise<Running | null>
}

function openSlots(ctx: Context, { slots, stopping, start }: SlotOptions) {
  // By attempt, not by job: one that was lost and claimed again may still be winding up.
  const running = new Map<string, Running>()
  let isFilling = false
  let wantsMore = false
  const isFull = (): boolean => running.size >= slots || stopping.aborted
  const startNext = async (): Promise<boolean> => {
    const next = await start()
    if (!next) return false
    running.set(next.attempt, next)
    void next.over.finally(() => {
      running.delete(next.attempt)
      void fillAll()
    })
    return true
  }
  const fillAll = async (): Promise<void> => {
    wantsMore = true
    if (isFilling) return
    isFilling = true
    try {
      while (wantsMore && !isFull()) {
        wantsMore = false
        while (!isFull() && (await startNext())) continue
      }
    } catch (error) {
      ctx.log.warn({ err: error }, 'no job could be claimed')
    } finally {
      isFilling = false
    }
  }
  return {
    running,
    fill: () => void fillAll(),
    empty: async (): Promise<void> => {
      while (running.size > 0 || isFilling) {
        await Promise.all([...running.values()].map(({ over }) => over))
        await setTimeout(10)
      }
    },
  }
}
