/**
 * `npm start`: the whole product on one machine. Installs what the system lacks, builds the web,
 * and runs PostgreSQL, the sandbox (for whatever has no real keys), the API and a worker as
 * children, which end with this process however it ends.
 */
import type { ChildProcess } from 'node:child_process'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isolationState } from '../engine/tools/isolate.ts'
import type { IsolationState } from '../engine/tools/isolate.ts'
import { startEmbeddedPostgres } from '../server/db/embedded.ts'
import { openDataDirectory } from '../server/process/data-directory.ts'
import { givenSettings as given } from '../server/ground/given-settings.ts'
import { buildWeb } from './build/web.ts'
import { endChild, spawnChild, startUntilStopped } from './children.ts'
import { lockDirectory } from './lock-directory.ts'
import { readPort, refuseTakenPort } from './ports.ts'
import { refuseWrongSettings } from './refuse-settings.ts'
import { sandboxSettings, saveSettings } from './sandbox-settings.ts'
import { ensureSystemPackages, toRun } from './system-packages.ts'

const dataDir = resolve(given.DATA_DIR ?? './data')
const restartPauseMs = 1000
const killAfterMs = 8000
const stopLimitMs = 9500
const isolationWords: Record<IsolationState, string> = {
  locked: 'locked in (namespaces and seccomp)',
  reduced: 'reduced isolation (own user and seccomp, no namespaces)',
  unlocked:
    'NOT ISOLATED. Use only files that you trust; docs/OPERATIONS.md says how to lock them in',
}

const port = readPort('PORT', 3000)
const publicUrl = given.PUBLIC_URL ?? `http://localhost:${port}`
const children = new Map<string, ChildProcess>()
let isStopping = false
let stopDatabase: (withinMs: number) => Promise<void> = async () => undefined
let unlock: () => void = () => undefined

await startUntilStopped(start, stop)

async function start(): Promise<void> {
  openDataDirectory(dataDir)
  unlock = lockDirectory(dataDir)
  const sandboxPort = readPort('SANDBOX_PORT', port + 1)
  const smtpPort = readPort('SANDBOX_SMTP_PORT', sandboxPort + 1)
  const sandbox = sandboxSettings({ dataDir, port, sandboxPort, smtpPort, publicUrl })
  await refuseWrongSettings(sandbox.product)
  ensureSystemPackages(toRun)
  await refuseTakenPort('PORT', port)
  if (sandbox.isNeeded) {
    await refuseTakenPort('SANDBOX_PORT', sandboxPort)
    await refuseTakenPort('SANDBOX_SMTP_PORT', smtpPort)
  }
  await buildWeb()
  if (isStopping) return
  const databaseUrl = given.DATABASE_URL ?? (await startDatabase())
  const settings: Record<string, string> = {
    ...sandbox.product,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: String(port),
  }
  saveSettings(dataDir, settings)
  if (isStopping) return
  const environment = { ...settings, ...given }
  if (sandbox.isNeeded) await run('sandbox', 'sandbox/main.ts', sandbox.own)
  await Promise.all([
    run('api', 'server/process/main.ts', environment),
    // The API has the port, and its figures of the whole product are the same.
    run('worker', 'server/process/worker.ts', { ...environment, METRICS_PORT: undefined }),
  ])
  if (!isStopping) announce(sandbox.isNeeded ? sandboxPort : null, await isolationState())
}

async function startDatabase(): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dir: join(dataDir, 'postgres') })
  stopDatabase = (withinMs) => postgres.stop(withinMs)
  void postgres.ended.then(() => {
    if (isStopping) return undefined
    console.error('The database ended by itself; stopping. The next start recovers it.')
    return stop(1)
  })
  return postgres.url
}

/** Starts a child and resolves when it is ready; a child that dies is started again. */
async function run(name: string, file: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const quiet = { LOG_LEVEL: 'warn', ...environment }
  const child = spawnChild([file], quiet, ['ignore', 'pipe', 'inherit', 'ipc'])
  children.set(name, child)
  let wasReady = false
  const ready = new Promise<void>((done, fail) => {
    const onReady = (): void => {
      wasReady = true
      done()
    }
    child.once('message', onReady)
    child.stdout?.on('data', (chunk: Buffer) => {
      if (name === 'sandbox' && chunk.includes('"ready":true')) onReady()
      else process.stdout.write(chunk)
    })
    child.once('exit', () => {
      if (isStopping) done()
      else fail(new Error(`The ${name} could not start.`))
    })
  })
  child.once('exit', (code, signal) => {
    children.delete(name)
    if (isStopping || !wasReady) return
    console.error(`The ${name} ended (${signal ?? code}); starting it again.`)
    void startAgain(name, file, environment)
  })
  await ready
}

async function startAgain(
  name: string,
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  while (!isStopping) {
    await sleep(restartPauseMs)
    if (isStopping) return
    const isUp = await run(name, file, environment).then(
      () => true,
      () => false,
    )
    if (isUp) return
  }
}

async function stop(code: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  const startedMs = performance.now()
  const ends = [...children.values()].map(endChild)
  const late = setTimeout(() => {
    for (const child of children.values()) child.kill('SIGKILL')
  }, killAfterMs)
  await Promise.all(ends)
  clearTimeout(late)
  await stopDatabase(stopLimitMs - (performance.now() - startedMs))
  unlock()
  process.exit(code)
}

function announce(sandboxPort: number | null, isolation: IsolationState): void {
  const lines = [
    '',
    `  CutIndex is ready: ${publicUrl}`,
    '',
    ...(sandboxPort
      ? [
          '  Sign in: press Login, choose GitHub or Google, and pick a demo person.',
          '  Pay: with the test card 4242 4242 4242 4242. No real money moves.',
          `  E-mail: http://localhost:${sandboxPort}/inbox shows what would have been sent.`,
          '  Services without keys of their own run in the local sandbox.',
        ]
      : ['  Sign in with GitHub or Google.']),
    `  Media tools: ${isolationWords[isolation]}.`,
    `  Data: ${dataDir}. Stop: Ctrl-C.`,
    '',
  ]
  console.log(lines.join('\n'))
}
