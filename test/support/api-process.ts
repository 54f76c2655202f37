/** More processes beside a test server: the same database and storage, killable. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { testEnvironment } from './app.ts'
import type { TestServer } from './app.ts'
import { until } from './until.ts'

export interface WorkerProcess extends AsyncDisposable {
  pid: number
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface ApiProcess extends WorkerProcess {
  url: string
}

interface Options {
  environment?: Record<string, string>
  /** A program that starts the process, with its arguments. */
  wrap?: string[]
  /** Hears what the process logs. */
  onLog?: (text: string) => void
}

export async function startApiProcess(
  beside: TestServer,
  options: Options = {},
): Promise<ApiProcess> {
  let log = ''
  const { child, ...started } = startProcess(beside, 'main.ts', {
    ...options,
    environment: { PORT: '0', LOG_LEVEL: 'info', ...options.environment },
    onLog(text) {
      log += text
      options.onLog?.(text)
    },
  })
  const ready = (): string | undefined =>
    log.split('\n').find((line) => line.includes('"api ready"') && line.endsWith('}'))
  await until(() => ready() !== undefined || child.exitCode !== null)
  if (!ready()) throw new Error('The API process did not start.')
  const { port } = new URL((JSON.parse(ready() ?? '') as { address: string }).address)
  return { url: `http://localhost:${port}`, ...started }
}

export async function startWorkerProcess(
  beside: TestServer,
  options: Options = {},
): Promise<WorkerProcess> {
  let isReady = false
  const { child, ...started } = startProcess(beside, 'worker.ts', {
    ...options,
    environment: { LOG_LEVEL: 'info', ...options.environment },
    onLog(text) {
      isReady ||= text.includes('worker ready')
      options.onLog?.(text)
    },
  })
  await until(() => isReady || child.exitCode !== null)
  if (!isReady) throw new Error('The worker process did not start.')
  return started
}

function startProcess(
  beside: TestServer,
  file: string,
  { environment, wrap = [], onLog }: Options,
): WorkerProcess & { child: ChildProcess } {
  const { config } = beside.ctx
  const main = join(import.meta.dirname, '../../server/process', file)
  const [command, ...args] = [...wrap, process.execPath, main]
  const child = spawn(command, args, {
    stdio: ['ignore', onLog ? 'pipe' : 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      ...testEnvironment,
      PUBLIC_URL: beside.url,
      DATABASE_URL: config.databaseUrl,
      DATA_DIR: config.dataDir,
      STORAGE_URL: config.storageUrl,
      ...environment,
    },
  })
  const exited = once(child, 'exit')
  child.stdout?.setEncoding('utf8').on('data', (text: string) => onLog?.(text))
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    child.kill(signal)
    await exited
  }
  return { child, pid: child.pid ?? 0, stop, [Symbol.asyncDispose]: stop }
}
