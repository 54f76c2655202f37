/**
 * Runs test files side by side, each in a process of its own. Tests wait a third of their time: there
 * is always one more file than the machine has cores, and another whenever a core is idle. Files that
 * drive Chromium are limited, for it takes cores of its own. The files that took longest the last time
 * start first, so that none of them is alone at the end; where nothing has run yet, the largest ones.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const timesFile = join(root, 'node_modules/.cache/test-times.json')
const fileLimitMs = 1_200_000
const minSlots = availableParallelism() + 1
/** Each takes up to half a gigabyte and 20 connections to the database. */
const maxSlots = Math.max(minSlots, Math.min(2 * minSlots, 24))
const maxBrowsers = Math.max(2, Math.ceil(maxSlots / 2))
const lookMs = 1000
/** Of all cores' time within a look; above it one more file would only use what is left over. */
const idleShare = 0.3

export interface TestFile {
  path: string
  /** Drives Chromium. */
  browser: boolean
  /** Resolves when what the file needs is there. */
  ready: Promise<unknown>
}

interface Counts {
  tests: number
  passed: number
  failed: number
  cancelled: number
  skipped: number
}

interface Result {
  path: string
  passed: boolean
  seconds: number
  counts: Counts | null
}

/** Returns whether all passed. */
export async function runTestFiles(
  files: readonly TestFile[],
  options: { environment: NodeJS.ProcessEnv; dir: string },
): Promise<boolean> {
  const started = performance.now()
  const times = readTimes()
  const expected = new Map(
    files.map((file) => [file, times[file.path] ?? expectedSeconds(file)] as const),
  )
  const waiting = files.toSorted((a, b) => (expected.get(b) ?? 0) - (expected.get(a) ?? 0))
  const ready = new Set<TestFile>()
  const running = new Set<TestFile>()
  const results: Result[] = []
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>()
  const startOne = (): boolean => {
    const browsers = [...running].filter((file) => file.browser).length
    const next = waiting.findIndex(
      (file) => ready.has(file) && (!file.browser || browsers < maxBrowsers),
    )
    const [file] = next < 0 ? [] : waiting.splice(next, 1)
    if (!file) return false
    running.add(file)
    run(file).catch(fail)
    return true
  }
  const startNext = (): void => {
    if (results.length === files.length) end()
    while (running.size < minSlots && startOne()) continue
  }
  const measureIdle = idleMeter()
  const timer = setInterval(() => {
    if (measureIdle() >= idleShare && running.size < maxSlots) startOne()
  }, lookMs)
  const run = async (file: TestFile): Promise<void> => {
    results.push(await runFile(file.path, options))
    running.delete(file)
    startNext()
  }
  const admit = async (file: TestFile): Promise<void> => {
    await file.ready
    ready.add(file)
    startNext()
  }
  for (const file of files) admit(file).catch(fail)
  await ended.finally(() => clearInterval(timer))
  for (const { path, passed, seconds } of results) if (passed) times[path] = seconds
  writeTimes(times)
  summarise(results, performance.now() - started)
  return results.every((result) => result.passed)
}

/** Returns what gives the share of all cores' time that was idle since it was last asked. */
function idleMeter(): () => number {
  const read = (): { idle: number; all: number } => {
    const times = cpus().map((core) => core.times)
    const idle = times.reduce((sum, core) => sum + core.idle, 0)
    const all = times.flatMap((core) => Object.values(core)).reduce((sum, ms) => sum + ms, 0)
    return { idle, all }
  }
  let last = read()
  return () => {
    const now = read()
    const share = now.all > last.all ? (now.idle - last.idle) / (now.all - last.all) : 0
    last = now
    return share
  }
}

/** Of a file that has not run here yet. Those with a browser are slower, and fewer run at once. */
function expectedSeconds({ path, browser }: TestFile): number {
  return (statSync(join(root, path)).size / 1000) * (browser ? 4 : 1)
}

async function runFile(
  path: string,
  { environment, dir }: { environment: NodeJS.ProcessEnv; dir: string },
): Promise<Result> {
  const started = performance.now()
  const countsFile = join(dir, `${path.replaceAll('/', '-')}.json`)
  const child = spawn(
    process.execPath,
    [
      ...['--test-timeout=600000', '--test-force-exit'],
      ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
      ...['--test-reporter=./scripts/test-counts.ts', `--test-reporter-destination=${countsFile}`],
      path,
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: environment },
  )
  const said: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk))
  const late = setTimeout(() => child.kill('SIGKILL'), fileLimitMs)
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done, fail) => {
    child.once('error', fail)
    child.once('exit', (...end) => done(end))
  })
  clearTimeout(late)
  const counts = readCounts(countsFile)
  const seconds = (performance.now() - started) / 1000
  const passed = code === 0 && counts !== null && counts.tests > 0
  if (!passed) {
    process.stdout.write(Buffer.concat(said))
    if (signal) console.log(`The process was ended by ${signal}.`)
  }
  const tests = `${counts?.tests ?? 0} tests`.padStart(9)
  console.log(`${passed ? '✔' : '✖ FAILED'} ${seconds.toFixed(1).padStart(6)} s ${tests}  ${path}`)
  return { path, passed, seconds, counts }
}

function summarise(results: readonly Result[], durationMs: number): void {
  const sum = (name: keyof Counts): number =>
    results.reduce((total, { counts }) => total + (counts?.[name] ?? 0), 0)
  const failed = results.filter((result) => !result.passed).map((result) => result.path)
  console.log(
    [
      `ℹ files ${results.length}`,
      `ℹ tests ${sum('tests')}`,
      `ℹ pass ${sum('passed')}`,
      `ℹ fail ${sum('failed') + sum('cancelled')}`,
      `ℹ skipped ${sum('skipped')}`,
      `ℹ duration_ms ${Math.round(durationMs)}`,
      ...failed.map((path) => `✖ ${path}`),
    ].join('\n'),
  )
}

function readCounts(file: string): Counts | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Counts
  } catch {
    return null
  } finally {
    rmSync(file, { force: true })
  }
}

function readTimes(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(timesFile, 'utf8')) as Record<string, number>
  } catch {
    return {}
  }
}

function writeTimes(times: Record<string, number>): void {
  mkdirSync(dirname(timesFile), { recursive: true })
  writeFileSync(timesFile, JSON.stringify(times, null, 2))
}
