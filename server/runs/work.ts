/** A worker: keeps its slots filled with jobs and parts of jobs in turn, and gives them back when it is to stop. */
import type { Context } from '../ground/context.ts'
import { listen } from '../db/notify.ts'
import type { Listener } from '../db/notify.ts'
import { claimNext } from '../work/claim.ts'
import { runPart } from './run-part.ts'
import { createSourceCache } from './source-cache.ts'
import { runJob } from './run.ts'
import type { RunOptions } from './run.ts'
import { writerOf } from '../jobs/writer.ts'

export interface Worker {
  /** Takes what is due. */
  look(): void
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
  /** How often it looks without a signal; null where a keeper tells it (keeper.ts). */
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
    const claimed = await claimNext(ctx, { leaseMs })
    if (!claimed) return false
    const { part } = claimed
    const attempt = writerOf(part ?? claimed.job)
    const jobId = part ? part.jobId : claimed.job.id
    const taken = new AbortController()
    const options = { leaseMs, stopping: stopping.signal, taken, onStep }
    const run = (
      part ? runPart(ctx, part, { ...options, sources }) : runJob(ctx, claimed.job, options)
    )
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
        for (const one of running.values()) if (one.jobId === jobId) one.taken.abort()
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
    look: () => void fill(),
    ask: (text, values) => listener.ask(text, values),
    drain,
    async stop() {
      await drain()
      await listener.close()
      await sources.close()
    },
  }
}
