/** Children of `npm start` and `npm run dev`, which end with their parent however it ends. */
import { spawn } from 'node:child_process'
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

export function spawnChild(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  stdio: StdioOptions,
): ChildProcess {
  return spawn('setpriv', ['--pdeathsig', 'TERM', process.execPath, ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile'),
      ...environment,
    },
    stdio,
  })
}

/** Ends a child that runs; settles when it has ended. */
export function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((done) => {
    child.once('exit', () => done())
    child.kill('SIGTERM')
  })
}

/** Starts, and stops on a signal or where that fails. */
export async function startUntilStopped(
  start: () => Promise<void>,
  stop: (code: number) => Promise<void>,
): Promise<void> {
  process.on('SIGINT', () => void stop(0))
  process.on('SIGTERM', () => void stop(0))
  try {
    await start()
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    await stop(1)
  }
}
