/** The API process: `npm run api`. */
import { createApp } from '../app.ts'
import { readConfig } from '../ground/config.ts'
import { openContext } from './open-context.ts'
import { runProcess } from './run-process.ts'
import { serveMetrics } from '../service/serve-metrics.ts'
import { startTracing } from '../ground/trace.ts'

await runProcess(async () => {
  const config = readConfig()
  const ctx = await openContext(config, 'api')
  const stopTracing = await startTracing(config, 'api')
  const app = await createApp(ctx)
  const address = await app.listen({ host: config.host, port: config.port })
  ctx.log.info({ address }, 'api ready')
  const stopMetrics = await serveMetrics(ctx)
  return async () => {
    await stopMetrics()
    await app.close()
    await ctx.close()
    await stopTracing()
  }
})
