/** The operator's tool beside a stopped product, a moved folder and a database of one's own. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { startEmbeddedPostgres } from '../server/db/embedded.ts'
import { openDataDirectory } from '../server/process/data-directory.ts'
import { openTestDatabase } from '../test/support/database.ts'
import { testEnvironment } from '../test/support/app.ts'
import { sandboxSettings, saveSettings } from './sandbox-settings.ts'
import { slow } from '../test/support/slow.ts'

const root = resolve(import.meta.dirname, '..')
/** A tool that hangs is ended, and has no exit code then. */
const limitMs = 120_000

interface Run {
  code: number | null
  said: string
  printed: string
}

function operate(
  { cwd = root, ...environment }: Record<string, string>,
  ...args: string[]
): Promise<Run> {
  const { NODE_COMPILE_CACHE } = testEnvironment
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE, ...environment }
  const options = { cwd, env, timeout: limitMs, killSignal: 'SIGKILL' } as const
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [join(root, 'server/process/operator.ts'), ...args],
      options,
      (_error, printed, said) => done({ code: child.exitCode, said, printed }),
    )
  })
}

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cutindex-operator-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function settingsOf(dataDir: string): Record<string, string> {
  const ports = { port: 3000, sandboxPort: 3001, smtpPort: 3002 }
  const { product } = sandboxSettings({ dataDir, ...ports, publicUrl: 'http://localhost:3000' })
  return { ...product, DATA_DIR: dataDir, PORT: '3000' }
}

test(
  'after a move and a power cut the tool works on the folder that it was given',
  slow,
  async (t) => {
    const folder = await folderOf(t)
    const old = join(folder, 'old')
    const moved = join(folder, 'moved')
    openDataDirectory(old)
    const address = 'postgres://gone@/cutindex?host=/nowhere'
    saveSettings(old, { ...settingsOf(old), DATABASE_URL: address }, {})
    const first = await operate({ DATA_DIR: old }, 'session', 'owner@example.com')
    assert.equal(first.code, 0, first.said)
    await rename(old, moved)
    // A process that has been gone for long; the largest number that Linux gives is 4,194,304.
    await writeFile(join(moved, 'postgres/data/postmaster.pid'), '4999999\n/nowhere\n')
    const { code, said, printed } = await operate({ DATA_DIR: moved }, 'ledger-check')
    assert.equal(code, 0, said)
    assert.equal((JSON.parse(printed) as { ok: boolean }).ok, true)
    assert.equal(existsSync(old), false, 'the old folder is not made again')
    assert.equal(existsSync(join(moved, 'postgres/data/postmaster.pid')), false, 'it stopped')

    // The tool refuses a database that a newer version has changed, and ends.
    const postgres = await startEmbeddedPostgres({ dir: join(moved, 'postgres') })
    const client = new Client({ connectionString: postgres.url })
    await client.connect()
    await client.query(`insert into migrations (name, sha256) values ('9999-newer.sql', 'x')`)
    await client.end()
    await postgres.stop()
    const refused = await operate({ DATA_DIR: moved }, 'ledger-check')
    assert.equal(refused.code, 2, refused.said)
    assert.equal(existsSync(join(moved, 'postgres/data/postmaster.pid')), false, 'it stopped')
  },
)

test('beside a database of one’s own the tool finds the other settings, and no address is kept', async (t) => {
  const folder = await folderOf(t)
  const database = await openTestDatabase()
  t.after(() => database.close())
  const { url } = database
  const ownSettings = { DATABASE_URL: url, SELLER_NAME: 'Cutters Ltd', S3_ENDPOINT: '' }
  openDataDirectory(folder)
  saveSettings(folder, { ...settingsOf(folder), DATABASE_URL: url }, ownSettings)
  assert.doesNotMatch(readFileSync(join(folder, 'settings.json'), 'utf8'), /postgres:/)
  const place = { DATA_DIR: folder, DATABASE_URL: url }
  const without = await operate({ DATA_DIR: folder }, 'ledger-check')
  assert.match(
    without.said,
    /was given DATABASE_URL, SELLER_NAME, S3_ENDPOINT\. Run this with the same/,
  )
  const full = { ...place, SELLER_NAME: 'Cutters Ltd', S3_ENDPOINT: 'http://localhost:9000' }
  const { code, said, printed } = await operate(full, 'session', 'owner@example.com')
  assert.equal(code, 0, said)
  assert.match(printed, /^\S{20,}\n$/)
  assert.equal(existsSync(join(folder, 'postgres')), false, 'no second database')
})

test('empty settings count as not set', async (t) => {
  const cwd = await folderOf(t)
  const { code, said } = await operate({ DATA_DIR: '', DATABASE_URL: '', cwd }, 'ledger-check')
  assert.equal(code, 2)
  assert.match(said, /^There is no data in \.\/data yet/)
})
