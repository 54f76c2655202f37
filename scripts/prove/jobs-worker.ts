/**
 * A worker that dies, freezes or kills its analysis at a named step of a job's first attempts, for
 * `prove:jobs`. Everything else is the product's own worker.
 */
import { readConfig } from '../../server/ground/config.ts'
import type { Step } from '../../server/work/steps.ts'
import { startLeading } from '../../server/work/leader.ts'
import { startWorking } from '../../server/runs/work.ts'
import { openContext } from '../../server/process/open-context.ts'
import type { OpenContext } from '../../server/process/open-context.ts'
import { runProcess } from '../../server/process/run-process.ts'
import { startTasks } from '../../server/tasks.ts'

export interface WorkerOrder {
  leaseMs?: number
  slots?: number
  at?: Step
  act?: 'die' | 'freeze' | 'kill-analysis'
  /** The act takes place up to this attempt of each job. */
  untilAttempt?: number
  /** Leads instead of working on jobs; `hold`: no task that has begun goes on. */
  tasks?: 'hold' | 'run'
}

const order = JSON.parse(process.argv[2] ?? '{}') as WorkerOrder

async function leadTasks(ctx: OpenContext): Promise<() => Promise<void>> {
  const leader = await startLeading(ctx, {
    ask: async (text, values) => (await ctx.pool.query(text, values)).rows,
    wake: () => undefined,
    begin: () =>
      startTasks(ctx, {
        async onBegun(task) {
          process.send?.({ task })
          if (order.tasks === 'hold') await new Promise(() => undefined)
        },
      }),
  })
  return async () => {
    await leader.stop()
    await ctx.close()
  }
}

await runProcess(async () => {
  const ctx = await openContext(readConfig(), 'worker')
  if (order.tasks) return await leadTasks(ctx)
  const worker = await startWorking(ctx, {
    slots: order.slots ?? 1,
    leaseMs: order.leaseMs,
    async onStep(step, { job, pid }) {
      process.send?.({ step, jobId: job.id, attempt: job.attempt })
      // A death is no attempt of the job, but the proof counts both.
      if (step !== order.at || job.attempt + job.deaths > (order.untilAttempt ?? 1)) return
      if (order.act === 'kill-analysis') process.kill(pid ?? 0, 'SIGKILL')
      if (order.act === 'freeze') process.kill(process.pid, 'SIGSTOP')
      if (order.act !== 'die') return
      process.kill(process.pid, 'SIGKILL')
      await new Promise(() => undefined)
    },
  })
  return async () => {
    await worker.stop()
    await ctx.close()
  }
})
