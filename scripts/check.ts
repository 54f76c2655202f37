/** `npm run check`: format, lint with types, and dead code, side by side. */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

const checks: [name: string, command: string, ...args: string[]][] = [
  ['format', 'oxfmt', '--check', '.'],
  ['lint and types', 'oxlint', '--deny-warnings'],
  ['dead code', 'knip'],
]

if (import.meta.main) process.exitCode = (await runChecks()) ? 0 : 1

/** Runs every check to its end and returns whether all passed; a failure prints what its tool said. */
export async function runChecks(): Promise<boolean> {
  const passed = await Promise.all(checks.map(runCheck))
  return passed.every(Boolean)
}

async function runCheck([name, command, ...args]: (typeof checks)[number]): Promise<boolean> {
  const started = performance.now()
  const child = spawn(join(root, 'node_modules/.bin', command), args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The linter's half in Go spends a third of its time on collecting garbage otherwise.
    env: { GOGC: '400', ...process.env },
  })
  const said: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk))
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail)
    child.once('close', done)
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (code !== 0) process.stderr.write(Buffer.concat(said))
  console.log(`${code === 0 ? 'ok' : 'FAILED'}: ${name} (${seconds} s)`)
  return code === 0
}
