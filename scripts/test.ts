/**
 * `npm test`: format, lint, types, dead code, then every test against real parts: one PostgreSQL
 * for the run, the built web, real ffmpeg and Chromium. `npm test -- jobs billing` runs the test
 * files whose path holds one of the words, without the checks.
 */
import { spawn, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startEmbeddedPostgres } from '../server/db/embedded.ts'
import { buildWeb } from './build-web.ts'
import { ensureSystemPackages, toTest } from './system-packages.ts'

const root = resolve(import.meta.dirname, '..')
const words = process.argv.slice(2)

const checks: [string, string[]][] = [
  ['format', ['oxfmt', '--check', '.']],
  ['lint', ['oxlint', '--type-aware', '--deny-warnings']],
  ['types', ['tsc', '--noEmit']],
  ['dead code', ['knip']],
]

ensureSystemPackages(toTest)
if (words.length === 0) runChecks()
await buildWeb()
process.exit(await runTests())

function runChecks(): void {
  const failed = checks.filter(([name, [command = '', ...args]]) => {
    const started = performance.now()
    const result = spawnSync(join(root, 'node_modules/.bin', command), args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`${result.status === 0 ? 'ok' : 'FAILED'}: ${name} (${seconds} s)`)
    return result.status !== 0
  })
  if (failed.length === 0) return
  console.error(`Failed: ${failed.map(([name]) => name).join(', ')}.`)
  process.exit(1)
}

async function runTests(): Promise<number> {
  const all = globSync('{contract,engine,server,sandbox,web,scripts,test}/**/*.test.ts', {
    cwd: root,
  }).sort()
  const chosen = words.length ? all.filter((file) => words.some((w) => file.includes(w))) : all
  if (chosen.length === 0) {
    console.error('No test file matches.')
    return 1
  }
  const dir = await mkdtemp(join(tmpdir(), 'cutindex-tests-'))
  const postgres = await startEmbeddedPostgres({
    dir,
    durable: false,
    maxConnections: 600,
    mayCreateDatabases: true,
  })
  try {
    const tests = spawn(
      process.execPath,
      ['--test', '--test-concurrency=2', '--test-timeout=600000', '--test-force-exit', ...chosen],
      {
        cwd: root,
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, TEST_DATABASE_URL: postgres.url },
      },
    )
    return await new Promise<number>((done) => {
      tests.once('exit', (code) => done(code ?? 1))
    })
  } finally {
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
}
