/**
 * `npm run dev`: the product while it is being changed. PostgreSQL and the sandbox as in `npm
 * start`; API and worker restart when a file that they import changes, and listen for a debugger;
 * Vite serves the web with hot reload and hands everything that the API answers to it. Data: the
 * same as `npm start`.
 */
import type { ChildProcess } from 'node:child_process'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { createServer } from 'vite'
import type { ViteDevServer } from 'vite'
import { startEmbeddedPostgres } from '../server/db/embedded.ts'
import { openDataDirectory } from '../server/process/data-directory.ts'
import { givenSettings as given } from '../server/ground/given-settings.ts'
import { endChild, spawnChild, startUntilStopped } from './children.ts'
import { describeLog } from './describe-log.ts'
import { lockDirectory } from './lock-directory.ts'
import { readPort, refuseTakenPort } from './ports.ts'
import { refuseWrongSettings } from './refuse-settings.ts'
import { sandboxSettings, saveSettings } from './sandbox-settings.ts'
import { ensureSystemPackages, toRun } from './system-packages.ts'

const root = resolve(import.meta.dirname, '..')
const dataDir = resolve(given.DATA_DIR ?? './data')
const port = readPort('PORT', 3000)
const sandboxPort = readPort('SANDBOX_PORT', port + 1)
const smtpPort = readPort('SANDBOX_SMTP_PORT', sandboxPort + 1)
const webPort = readPort('WEB_PORT', 5173)
/** Debuggers attach here: the API at the first, the worker at the second. */
const inspectPort = readPort('INSPECT_PORT', 9229)

const closing: (() => Promise<unknown> | void)[] = []
let isStopping = false

await startUntilStopped(start, stop)

async function start(): Promise<void> {
  openDataDirectory(dataDir)
  closing.push(lockDirectory(dataDir))
  // People and providers come through Vite, so that pages and API share one origin.
  const publicUrl = given.PUBLIC_URL ?? `http://localhost:${webPort}`
  const sandbox = sandboxSettings({ dataDir, port, sandboxPort, smtpPort, publicUrl })
  await refuseWrongSettings(sandbox.product)
  ensureSystemPackages(toRun)
  await refuseTakenPort('PORT', port)
  await refuseTakenPort('SANDBOX_PORT', sandboxPort)
  await refuseTakenPort('SANDBOX_SMTP_PORT', smtpPort)
  await refuseTakenPort('WEB_PORT', webPort)
  const settings: Record<string, string> = {
    ...sandbox.product,
    DATABASE_URL: given.DATABASE_URL ?? (await startDatabase()),
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    LOG_LEVEL: 'info',
    FETCH_ALLOW_LOOPBACK: '1',
  }
  saveSettings(dataDir, settings)
  const environment = { ...settings, ...given }
  if (sandbox.isNeeded) run('sandbox', ['--watch', 'sandbox/main.ts'], sandbox.own)
  const watched = ['--watch', '--watch-preserve-output']
  // The API is stopped at once: open event streams would hold a gentle stop up for seconds.
  run(
    'api',
    [...watched, '--watch-kill-signal=SIGKILL', debug(0), 'server/process/main.ts'],
    environment,
  )
  run('worker', [...watched, debug(1), 'server/process/worker.ts'], environment)
  const web = await startWeb()
  console.log(`
  Web with hot reload: http://localhost:${webPort} (the API is behind /v1)
  Debuggers: API 127.0.0.1:${inspectPort}, worker 127.0.0.1:${inspectPort + 1}
  Demo account with a library, jobs and history: npm run seed
  Data: ${dataDir}. Stop: Ctrl-C.
`)
  closing.push(() => web.close())
}

function debug(offset: number): string {
  return `--inspect=127.0.0.1:${inspectPort + offset}`
}

async function startDatabase(): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dir: join(dataDir, 'postgres') })
  closing.push(() => postgres.stop())
  return postgres.url
}

function startWeb(): Promise<ViteDevServer> {
  const target = `http://localhost:${port}`
  return createServer({
    configFile: join(root, 'vite.config.ts'),
    server: {
      port: webPort,
      strictPort: true,
      proxy: { '/v1': { target }, '/openapi.yaml': { target } },
    },
  }).then((server) => server.listen())
}

function run(name: string, args: string[], environment: NodeJS.ProcessEnv): void {
  const child = spawnChild(args, environment, ['ignore', 'pipe', 'pipe'])
  for (const stream of [child.stdout!, child.stderr!]) {
    createInterface(stream).on('line', (line) => {
      const text = describeLog(name, line)
      if (text) console.log(text)
    })
  }
  child.once('exit', (code) => {
    if (!isStopping) console.error(`The ${name} ended (${code}).`)
  })
  closing.push(() => end(child))
}

async function end(child: ChildProcess): Promise<void> {
  const late = setTimeout(() => child.kill('SIGKILL'), 8500)
  await endChild(child)
  clearTimeout(late)
}

/** Closes what was opened, the newest first. */
async function stop(code: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  for (const close of closing.toReversed()) await close()
  process.exit(code)
}
