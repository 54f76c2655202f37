/** A worker process: `npm run worker`. Any number of them may run. */
import { readConfig } from './config.ts'
import { startWorking } from './jobs/work.ts'
import { openContext } from './open-context.ts'
import { runProcess } from './run-process.ts'
import { startTasks } from './tasks.ts'

await runProcess(async () => {
  const config = readConfig()
  const ctx = await openContext(config, 'worker')
  await startTasks(ctx)
  const jobs = await startWorking(ctx)
  ctx.log.info('worker ready')
  return async () => {
    await jobs.stop()
    await ctx.close()
  }
})
