/**
 * A process of the test run: it runs the test files that its parent names, one after the other, and
 * reports each. Starting Node and loading the server take 1.4 s of processor time, so a process
 * serves many files; every file is a suite, which keeps its hooks to itself.
 */
import { join, resolve } from 'node:path'
import { describe } from 'node:test'
import { inspect } from 'node:util'
import { leftOut } from '../../test/support/slow.ts'
import { cpuSeconds } from './cpu-seconds.ts'
import { followContexts, forgetContexts } from './test-context.ts'

const root = resolve(import.meta.dirname, '../..')

export interface FileReport {
  path: string
  tests: number
  passed: number
  failed: number
  skipped: number
  /** Tests that only the whole run takes, and whole suites of them. */
  slowTests: number
  slowSuites: number
  /** CPU seconds of this process and of those that it has ended, for this file. */
  cpuSeconds: number
  memoryBytes: number
  /** The failed tests with their errors. */
  failures: string
}

export interface FileOrder {
  path: string
  limitMs: number
}

let cpuBefore = 0
let current = ''
const strays: string[] = []

if (import.meta.main) {
  process.on('message', (order: FileOrder) => runFile(order))
  process.on('uncaughtException', addStray)
  process.on('unhandledRejection', addStray)
  process.once('disconnect', () => process.exit())
}

function runFile({ path, limitMs }: FileOrder): void {
  current = path
  followContexts()
  // Its tests inherit the limit.
  void describe(path, { timeout: limitMs }, async () => {
    await import(join(root, path))
    forgetContexts()
  })
}

/** Keeps an error that nobody caught, wherever in the file it came from. */
function addStray(error: unknown): void {
  strays.push(inspect(error))
}

interface TestEvent {
  type: string
  data: {
    name: string
    nesting: number
    skip?: boolean | string
    details: { type?: string; error?: Error & { failureType?: string } }
  }
}

/** Reporter of `node:test` in this process: sends a report when a file ends, prints nothing. */
export default async function* reportFiles(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  let report = emptyReport()
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    count(report, type, data)
    // A test that a file adds too late, after an `await` at its top, is not in its suite and fails.
    if (data.nesting > 0 || data.name !== current) continue
    const cpuNow = cpuSeconds()
    for (const stray of strays.splice(0)) {
      report.failed += 1
      report.failures += `✖ an error that nobody caught\n${stray}\n`
    }
    process.send?.({
      ...report,
      path: data.name,
      cpuSeconds: cpuNow - cpuBefore,
      memoryBytes: process.memoryUsage.rss(),
    } satisfies FileReport)
    cpuBefore = cpuNow
    report = emptyReport()
  }
  yield ''
}

function emptyReport(): Omit<FileReport, 'path' | 'cpuSeconds' | 'memoryBytes'> {
  return { tests: 0, passed: 0, failed: 0, skipped: 0, slowTests: 0, slowSuites: 0, failures: '' }
}

function count(
  report: ReturnType<typeof emptyReport>,
  type: string,
  { name, skip, details }: TestEvent['data'],
): void {
  const { error } = details
  const isSuite = details.type === 'suite'
  if (skip === leftOut) {
    report[isSuite ? 'slowSuites' : 'slowTests'] += 1
    return
  }
  if (!isSuite) report.tests += 1
  if (type === 'test:fail') {
    // Failures within have been counted.
    if (error?.failureType === 'subtestsFailed') return
    report.failed += 1
    report.failures += `✖ ${name}\n${inspect(error?.cause ?? error)}\n`
  } else if (skip !== undefined) {
    report.skipped += 1
  } else if (!isSuite) {
    report.passed += 1
  }
}
