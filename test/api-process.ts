/** A second API process beside a test server: the same database and storage, killable. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort, testEnvironment } from './server.ts'
import type { TestServer } from './server.ts'

export interface ApiProcess {
  url: string
  pid: number
  stop(signal?: NodeJS.Signals): Promise<void>
}

export async function startApiProcess(
  beside: TestServer,
  options: { environment?: Record<string, string>; wrap?: string[] } = {},
): Promise<ApiProcess> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const { config } = beside.ctx
  const main = join(import.meta.dirname, '../server/main.ts')
  const [command, ...args] = [...(options.wrap ?? []), process.execPath, main]
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      ...testEnvironment,
      PORT: String(port),
      PUBLIC_URL: beside.url,
      DATABASE_URL: config.databaseUrl,
      DATA_DIR: config.dataDir,
      STORAGE_URL: config.storageUrl,
      ...options.environment,
    },
  })
  const exited = once(child, 'exit')
  for (let tries = 0; tries < 300; tries += 1) {
    const answer = await fetch(`${url}/v1/health`).catch(() => null)
    if (answer?.ok) break
    if (child.exitCode !== null) throw new Error('The API process did not start.')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    url,
    pid: child.pid ?? 0,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await exited
    },
  }
}
