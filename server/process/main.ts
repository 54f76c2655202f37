/** The API process: `npm run api`. */
import { createApp } from '../app.ts'
import { readConfig } from './config.ts'
import { openContext } from './open-context.ts'
import { runProcess } from './run-process.ts'

await runProcess(async () => {
  const config = readConfig()
  const ctx = await openContext(config, 'api')
  const app = await createApp(ctx)
  const address = await app.listen({ host: config.host, port: config.port })
  ctx.log.info({ address }, 'api ready')
  return async () => {
    await app.close()
    await ctx.close()
  }
})
