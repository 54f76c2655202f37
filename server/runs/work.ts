/** A worker: keeps its slots filled with claims in turn, and hands them back when it is to stop. */
import type { Context } from '../ground/context.ts'
import { listen } from '../db/notify.ts'
import type { Listener } from '../db/notify.ts'
import { claimNext } from '../work/claim.ts'
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
  /** How often it looks without a signal; null where a leader wakes it (leader.ts). */
  pollMs?: number | null
}

/** A dead worker's job is anybody's after this time. */
export const standardLeaseMs = 15_000
/** Leases run out silently, so the queue is also looked at without a signal. */
export const standardPollMs = 1000

export async function startWorking(ctx: Context, options: WorkOptions = {}): Promise<Worker> {
  const slots = options.slots ?? ctx.config.workerJobs
  const leaseMs = options.leaseMs ?? standardLeaseMs
  const onStep = options.onStep ?? (() => undefined)
  const stopping = new AbortController()
  const sources = createSourceCache()
  // By attempt, not by job: one that was lost and claimed again may still be winding up.
  const running = new Map<string, { jobId: string; run: Promise<void>; taken: AbortController }>()
  let isFilling = false
  let wantsMore = false

  const start = async (): Promise<boolean> => {
    const claim = await claimNext(ctx, { leaseMs })
    if (!claim) return false
    const attempt = writerOf(claim)
    const { jobId } = claim
    const taken = new AbortController()
    const run = runClaim(ctx, claim, { leaseMs, sources, stopping: stopping.signal, taken, onStep })
      .catch((error: unknown) => ctx.log.error({ err: error, jobId }, 'job lost'))
      .finally(() => {
        running.delete(attempt)
        void fill()
      })
    running.set(attempt, { jobId, run, taken })
    return true
  }
  const fill = async (): Promise<void> => {
    wantsMore = true
    if (isFilling) return
    isFilling = true
    try {
      while (wantsMore && running.size < slots && !stopping.signal.aborted) {
        wantsMore = false
        while (running.size < slots && !stopping.signal.aborted && (await start())) continue
      }
    } catch (error) {
      ctx.log.warn({ err: error }, 'no job could be claimed')
    } finally {
      isFilling = false
    }
  }

  const listener = await listen(
    ctx.config.databaseUrl,
    {
      job_waiting: () => void fill(),
      job_taken: ({ jobId }) => {
        for (const attempt of running.values()) if (attempt.jobId === jobId) attempt.taken.abort()
      },
    },
    { log: ctx.log, onReconnect: () => void fill() },
  )
  const pollMs = options.pollMs === undefined ? standardPollMs : options.pollMs
  const timer = pollMs === null ? undefined : setInterval(() => void fill(), pollMs)
  void fill()
  const drain = async (): Promise<void> => {
    clearInterval(timer)
    stopping.abort()
    while (running.size > 0 || isFilling) {
      await Promise.all([...running.values()].map(({ run }) => run))
      await new Promise((resolve) => {
        setTimeout(resolve, 10)
      })
    }
  }
  return {
    fill: () => void fill(),
    ask: (text, values) => listener.ask(text, values),
    drain,
    async stop() {
      await drain()
      await listener.close()
      await sources.close()
    },
  }
}
