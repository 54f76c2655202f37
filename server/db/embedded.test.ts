import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { startEmbeddedPostgres } from './embedded.ts'
import { migrate } from './migrate.ts'

const run = promisify(execFile)
let dir = ''

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cutindex-embedded-'))
})
after(() => rm(dir, { recursive: true, force: true }))

test('data written before a kill -9 of the server is there after the next start', async () => {
  const first = await startEmbeddedPostgres({ dir })
  const client = new Client({ connectionString: first.url })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('create table kept (value int)')
  await client.query('insert into kept values (42)')
  process.kill(first.pid, 'SIGKILL')
  await first.ended
  const second = await startEmbeddedPostgres({ dir })
  const again = new Client({ connectionString: second.url })
  await again.connect()
  assert.deepEqual((await again.query('select value from kept')).rows, [{ value: 42 }])
  await again.end()
  await second.stop()
})

test('the server ends when the process that started it is killed', async () => {
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(join(import.meta.dirname, 'embedded.ts'))})
    const postgres = await startEmbeddedPostgres({ dir: ${JSON.stringify(dir)} })
    console.log(postgres.pid)
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script])
  const pid = await new Promise<number>((resolve) => {
    parent.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())))
  })
  parent.kill('SIGKILL')
  for (let waited = 0; isAlive(pid) && waited < 100; waited++) await sleep(100)
  assert.equal(isAlive(pid), false)
})

test('two processes that migrate together apply each migration once', async () => {
  const postgres = await startEmbeddedPostgres({ dir })
  try {
    const script = `
      const { migrate } = await import(${JSON.stringify(join(import.meta.dirname, 'migrate.ts'))})
      console.log(JSON.stringify(await migrate(${JSON.stringify(postgres.url)})))`
    const both = await Promise.all(
      [1, 2].map(() => run(process.execPath, ['--input-type=module', '-e', script])),
    )
    const applied = both.flatMap((done) => JSON.parse(done.stdout) as string[])
    assert.ok(applied.includes('0001_accounts.sql'))
    assert.equal(new Set(applied).size, applied.length)
    assert.deepEqual(await migrate(postgres.url), [])
  } finally {
    await postgres.stop()
  }
})

test('a database that a newer version has changed is refused, with what to do', async () => {
  const postgres = await startEmbeddedPostgres({ dir })
  try {
    await migrate(postgres.url)
    const client = new Client({ connectionString: postgres.url })
    await client.connect()
    await client.query("insert into migrations (name, sha256) values ('9999_later.sql', 'x')")
    await client.end()
    await assert.rejects(migrate(postgres.url), /newer version.*9999_later\.sql/)
  } finally {
    await postgres.stop()
  }
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
