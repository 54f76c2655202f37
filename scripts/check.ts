/** `npm run check`: format, lint with types, and dead code, side by side. */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { allWordFaults, printWords } from './house/house.ts'

const root = resolve(import.meta.dirname, '..')
/** The last state of the files that passed every check. */
const passedFile = join(root, 'node_modules/.cache/checked')

const checks: [name: string, command: string, ...args: string[]][] = [
  ['format', 'oxfmt', '--check', '.'],
  ['lint and types', 'oxlint', '--deny-warnings'],
  ['dead code', 'knip'],
]

if (import.meta.main) process.exitCode = (await runChecks()) ? 0 : 1

/** Runs every check and returns whether all passed; a failure prints its tool's output. */
export async function runChecks(): Promise<boolean> {
  const before = stateOfFiles()
  const toolsPassed = (await Promise.all(checks.map(runCheck))).every(Boolean)
  const wordsPassed = printWords(allWordFaults())
  console.log(`${wordsPassed ? 'ok' : 'FAILED'}: words`)
  const passed = wordsPassed && toolsPassed
  if (passed && before !== null && stateOfFiles() === before) {
    mkdirSync(dirname(passedFile), { recursive: true })
    writeFileSync(passedFile, before)
  }
  return passed
}

/** Runs the checks unless these very files have passed; the linter alone takes over a minute. */
export async function runChecksOnce(): Promise<boolean> {
  const state = stateOfFiles()
  const passed = statSync(passedFile, { throwIfNoEntry: false })
  if (state === null || !passed || readFileSync(passedFile, 'utf8') !== state) return runChecks()
  console.log('ok: format, lint, types and dead code (passed before, unchanged since)')
  return true
}

/** Digest of all files that git does not ignore and of installed packages; null without git. */
export function stateOfFiles(folder = root): string | null {
  try {
    const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
    const names = execFileSync('git', list, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
    const hash = createHash('sha256')
    const installed = 'node_modules/.package-lock.json'
    for (const name of [...names.split('\0').filter(Boolean).sort(), installed]) {
      const info = statSync(join(folder, name), { throwIfNoEntry: false })
      if (info?.isFile()) hash.update(name).update(readFileSync(join(folder, name)))
    }
    return hash.digest('hex')
  } catch {
    return null
  }
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
