/** A worker process: `npm run worker`. Any number of them may run. */
import { constants, getPriority, setPriority } from 'node:os'
import { readConfig } from '../ground/config.ts'
import { startLeading } from '../work/leader.ts'
import { startWorking } from '../runs/work.ts'
import { openContext } from './open-context.ts'
import { refuseMissingProvider } from './refuse-provider.ts'
import { runProcess } from './run-process.ts'
import { serveMetrics } from '../service/serve-metrics.ts'
import { stopWorker } from './stop-worker.ts'
import { startTracing } from '../ground/trace.ts'
import { startTasks } from '../tasks.ts'

// Analysis takes every core that it gets, and so do the media tools that it starts: on a machine
// that it shares with the API, whoever waits for an answer goes first.
setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL))

await runProcess(async () => {
  const config = readConfig()
  await refuseMissingProvider()
  const ctx = await openContext(config, 'worker')
  const stopTracing = await startTracing(config, 'worker')
  // Jobs wait in the queue for a worker that may run them.
  const jobs = ctx.isolation.mayAnalyse ? await startWorking(ctx, { pollMs: null }) : null
  const leader = await startLeading(ctx, {
    ask: jobs?.ask ?? (async (text, values) => (await ctx.pool.query(text, values)).rows),
    wake: () => jobs?.fill(),
    begin: () => startTasks(ctx),
  })
  ctx.log.info('worker ready')
  const stopMetrics = await serveMetrics(ctx)
  return async () => {
    await stopMetrics()
    await stopWorker({ leader, jobs, close: () => ctx.close() })
    await stopTracing()
  }
})
