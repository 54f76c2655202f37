/**
 * Runs test files side by side, in processes that take one file after another (test-process.ts).
 * Tests wait a third of their time: there is always one more file than the machine has cores, and
 * another whenever a core is idle. Files that drive Chromium are limited, for it takes cores of its
 * own. The files that took longest the last time start first, so that none of them is alone at the
 * end; where nothing has run yet, the largest ones.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { FileOrder, FileReport } from './test-process.ts'

const root = resolve(import.meta.dirname, '../..')
const script = join(import.meta.dirname, 'test-process.ts')
export const testerArguments = [
  `--import=${join(import.meta.dirname, 'test-context.ts')}`,
  `--test-reporter=${script}`,
  '--test-reporter-destination=stdout',
  script,
]
const timesFile = join(root, 'node_modules/.cache/test-times.json')
const fileLimitMs = 1_200_000
const minSlots = availableParallelism() + 1
/** Each takes up to half a gigabyte and 20 connections to the database. */
const maxSlots = Math.max(minSlots, Math.min(2 * minSlots, 24))
const maxBrowsers = Math.max(2, Math.ceil(maxSlots / 2))
/** A process that models or large clips have filled makes room for a new one. */
const maxMemoryBytes = 1_000_000_000
const lookMs = 1000
const exitMs = 5000
/** The idle share of all cores' time from which another file is started. */
const idleShare = 0.3

export interface TestFile {
  path: string
  /** Drives Chromium. */
  browser: boolean
  /** Resolves when what the file needs is there. */
  ready: Promise<unknown>
}

interface Result {
  path: string
  passed: boolean
  seconds: number
  /** Null if the process ended before the file did. */
  report: FileReport | null
}

/** Returns whether all passed; an interruption ends every process and throws its reason. */
export async function runTestFiles(
  files: readonly TestFile[],
  environment: NodeJS.ProcessEnv,
  interruption: AbortSignal,
): Promise<boolean> {
  interruption.throwIfAborted()
  const started = performance.now()
  const times = readTimes()
  const expected = new Map(
    files.map((file) => [file, times[file.path] ?? expectedSeconds(file)] as const),
  )
  const waiting = files.toSorted((a, b) => (expected.get(b) ?? 0) - (expected.get(a) ?? 0))
  const ready = new Set<TestFile>()
  const running = new Set<TestFile>()
  const results: Result[] = []
  const pool = openPool(environment)
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>()
  interruption.addEventListener('abort', () => fail(interruption.reason))
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
    results.push(await runInPool(pool, file))
    running.delete(file)
    startNext()
  }
  const admit = async (file: TestFile): Promise<void> => {
    await file.ready
    ready.add(file)
    startNext()
  }
  for (const file of files) admit(file).catch(fail)
  try {
    await ended
  } finally {
    clearInterval(timer)
    waiting.length = 0
    await pool.close()
  }
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

/**
 * Estimate for a file that has not run here yet. Those with a browser are slower, and fewer run at
 * once.
 */
function expectedSeconds({ path, browser }: TestFile): number {
  return (statSync(join(root, path)).size / 1000) * (browser ? 4 : 1)
}

/** Runs the file in a process that has just ended another one, or in a new one. */
async function runInPool(pool: Pool, { path, browser }: TestFile): Promise<Result> {
  const started = performance.now()
  const tester = pool.take(browser)
  const late = setTimeout(() => tester.child.kill('SIGKILL'), fileLimitMs)
  tester.child.send({ path, limitMs: fileLimitMs } satisfies FileOrder)
  const end = await Promise.race([once(tester.child, 'message'), tester.ended])
  clearTimeout(late)
  const report = Array.isArray(end) ? (end[0] as FileReport) : null
  const seconds = (performance.now() - started) / 1000
  const passed = report !== null && report.failed === 0 && hasTests(report)
  if (!passed) {
    process.stdout.write(Buffer.concat(tester.said))
    process.stdout.write(report?.failures ?? `The process was ended by ${String(end)}.\n`)
  }
  if (report) pool.give(tester, report)
  const wall = `${seconds.toFixed(1)} s`.padStart(8)
  const cpu = `${(report?.cpuSeconds ?? 0).toFixed(1)} s`.padStart(7)
  const tests = `${report?.tests ?? 0} tests`.padStart(9)
  console.log(`${passed ? '✔' : '✖ FAILED'} ${wall} (CPU ${cpu}) ${tests}  ${path}`)
  return { path, passed, seconds, report }
}

interface Tester {
  child: ChildProcess
  /** Has started Chromium, which its next file may use. */
  browser: boolean
  /** Its output since the file began. */
  said: Buffer[]
  /** The code or the signal with which it ended. */
  ended: Promise<number | NodeJS.Signals | null>
}

interface Pool {
  /** Prefers one that has what the file needs. */
  take(browser: boolean): Tester
  /** Takes it back for another file, unless it has grown large. */
  give(tester: Tester, report: FileReport): void
  /** Ends all of them, whatever they do. */
  close(): Promise<void>
}

function openPool(environment: NodeJS.ProcessEnv): Pool {
  const idle: Tester[] = []
  const all: Tester[] = []
  return {
    take(browser) {
      const alike = idle.findIndex((tester) => tester.browser === browser)
      const [tester = startTester(environment)] = idle.splice(alike, 1)
      if (!all.includes(tester)) all.push(tester)
      tester.browser ||= browser
      return tester
    },
    give(tester, { memoryBytes }) {
      tester.said.length = 0
      if (memoryBytes > maxMemoryBytes) void endTester(tester)
      else idle.push(tester)
    },
    async close() {
      await Promise.all(all.map(endTester))
    },
  }
}

/** Models keep threads that an exit may wait for without end. */
async function endTester({ child, ended }: Tester): Promise<void> {
  if (child.connected) child.disconnect()
  const late = setTimeout(() => child.kill('SIGKILL'), exitMs)
  await ended
  clearTimeout(late)
}

function startTester(environment: NodeJS.ProcessEnv): Tester {
  const child = spawn(process.execPath, testerArguments, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: environment,
  })
  const said: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => said.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk))
  const ended = new Promise<number | NodeJS.Signals | null>((done, fail) => {
    child.once('error', fail)
    child.once('exit', (code, signal) => done(code ?? signal))
  })
  return { child, said, ended, browser: false }
}

function summarise(results: readonly Result[], durationMs: number): void {
  const sum = (
    name: 'tests' | 'passed' | 'failed' | 'skipped' | 'slowTests' | 'slowSuites' | 'cpuSeconds',
  ): number => results.reduce((total, { report }) => total + (report?.[name] ?? 0), 0)
  const failed = results.filter((result) => !result.passed)
  console.log(
    [
      `ℹ files ${results.length}`,
      `ℹ tests ${sum('tests')}`,
      `ℹ pass ${sum('passed')}`,
      `ℹ fail ${sum('failed')}`,
      `ℹ skipped ${sum('skipped')}`,
      `ℹ duration_ms ${Math.round(durationMs)}`,
      `ℹ cpu_ms ${Math.round(sum('cpuSeconds') * 1000)}`,
      ...leftOut(sum('slowTests'), sum('slowSuites')),
      // Again, and last: a log that is cut off keeps its end.
      ...failed.flatMap(({ path, report }) => [`✖ ${path}`, ...indent(report?.failures)]),
    ].join('\n'),
  )
}

function hasTests({ tests, slowTests, slowSuites }: FileReport): boolean {
  return tests + slowTests + slowSuites > 0
}

function leftOut(tests: number, suites: number): string[] {
  if (tests + suites === 0) return []
  const more = suites > 0 ? ` and ${suites} suites of them` : ''
  return [`ℹ ${tests} slow tests${more} left out: npm run test:whole`]
}

function indent(failures = 'Its process ended before it did.'): string[] {
  return failures
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
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
