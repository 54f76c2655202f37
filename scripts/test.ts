/**
 * `npm test`: format, lint, types and dead code beside the tests, against real parts: one
 * PostgreSQL for the run, Chromium, the built web, real ffmpeg. It leaves out what is marked as
 * slow (test/support/slow.ts); `npm run test:whole` does not. `npm test -- jobs billing` runs the
 * test files whose path holds one of the words, without the checks; `npm test -- unit` all files
 * that need no browser. `--shard=2/4` takes every fourth file, from the second.
 */
import { readFileSync, statfsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startEmbeddedPostgres } from '../server/db/embedded.ts'
import type { EmbeddedPostgres } from '../server/db/embedded.ts'
import { prepareTemplate } from '../test/support/database.ts'
import { buildWeb } from './build/web.ts'
import { runChecksOnce } from './check.ts'
import { cpuSeconds } from './test/cpu-seconds.ts'
import { listTestFiles } from './test/list-test-files.ts'
import { runTestFiles } from './test/run-test-files.ts'
import { ensureSystemPackages, toTest } from './system-packages.ts'

const root = resolve(import.meta.dirname, '..')
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const shard = /^--shard=(\d+)\/(\d+)$/.exec(process.argv.at(-1) ?? '')
const isWhole = process.argv.includes('--whole')
/** So that the processes of the tests are not short of it. */
const minMemoryBytes = 8 * 1024 ** 3

const chosen = chooseFiles()
if (chosen.length === 0) {
  console.error('No test file matches.')
  process.exit(1)
}
ensureSystemPackages(toTest)
// Not once: npm passes on what the terminal has sent already.
const interruption = new AbortController()
process.on('SIGINT', () => interruption.abort(130))
process.on('SIGTERM', () => interruption.abort(143))
const checks = words.length === 0 && !shard ? runChecksOnce() : Promise.resolve(true)
const passed = await runTests().catch((error: unknown) => {
  if (!interruption.signal.aborted) throw error
  process.exit(Number(interruption.signal.reason))
})
const isFine = (await checks) && passed
// With the checks, the build of the web, PostgreSQL and Chromium.
console.log(`ℹ cpu_ms of everything ${Math.round(cpuSeconds() * 1000)}`)
process.exit(isFine ? 0 : 1)

function chooseFiles(): string[] {
  const isChosen = (file: string): boolean =>
    words.length === 0 ||
    words.some((word) => (word === 'unit' ? !drivesBrowser(file) : file.includes(word)))
  const [, part = 1, parts = 1] = shard ?? []
  return listTestFiles()
    .filter((file) => isChosen(file))
    .filter((_, index) => index % Number(parts) === Number(part) - 1)
}

function drivesBrowser(file: string): boolean {
  if (file.startsWith('test/browser/')) return true
  return /playwright-core|support\/(browser|review-page)/.test(
    readFileSync(join(root, file), 'utf8'),
  )
}

/** Tests of whole pages and processes serve the built web; the others need not wait for it. */
function needsWeb(file: string): boolean {
  return file.startsWith('test/') || file.startsWith('scripts/')
}

/** Writes of a run are soon gone: memory takes them faster than a disk, where it has room. */
function passingFolder(): string {
  const memory = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(memory)
    const hasRoom = Math.min(bavail * bsize, freemem()) >= minMemoryBytes
    // Tests run programs that they have installed.
    const mayRun = !/ \/dev\/shm \S+ \S*noexec/.test(readFileSync('/proc/mounts', 'utf8'))
    return hasRoom && mayRun ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}

async function runTests(): Promise<boolean> {
  const dir = await mkdtemp(join(passingFolder(), 'cutindex-tests-'))
  let postgres: EmbeddedPostgres | undefined
  try {
    // As /tmp is: a database may run as a user of its own.
    await chmod(dir, 0o1777)
    process.env.TMPDIR = dir
    const web = chosen.some(needsWeb) ? buildWeb() : Promise.resolve()
    // The files that wait for it report a failure.
    web.catch(() => undefined)
    postgres = await startEmbeddedPostgres({
      dir: join(dir, 'postgres'),
      durable: false,
      maxConnections: 600,
      mayCreateDatabases: true,
    })
    const template = await prepareTemplate(postgres.url)
    const files = chosen.map((path) => ({
      path,
      browser: drivesBrowser(path),
      ready: needsWeb(path) ? web : Promise.resolve(),
    }))
    const environment = {
      ...process.env,
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile'),
      TEST_WHOLE: isWhole ? '1' : '',
      TEST_DATABASE_URL: postgres.url,
      TEST_DATABASE_TEMPLATE: template,
    }
    return await runTestFiles(files, environment, interruption.signal)
  } finally {
    await postgres?.stop()
    await rm(dir, { recursive: true, force: true, maxRetries: 10 })
  }
}
