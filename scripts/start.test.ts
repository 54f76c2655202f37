/** The product as `npm start` runs it: children, a second start, and the end. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { chmod, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import { api } from '../contract/api.ts'
import { createClient } from '../client/create-client.ts'
import { openDataDirectory } from '../server/process/data-directory.ts'
import { freePort, testEnvironment } from '../test/support/app.ts'
import { openTestDatabase } from '../test/support/database.ts'
import { statesUnder } from '../test/support/file-states.ts'
import { slow } from '../test/support/slow.ts'
import { soundStatus } from '../test/support/weak-isolation.ts'
import { until } from '../test/support/until.ts'
import { saveSettings } from './sandbox-settings.ts'

/** A start that never ends would hold the run for its full ten minutes. */
const limited = { timeout: 60_000 }
const root = resolve(import.meta.dirname, '..')
const inherited = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile'),
}
let dataDir = ''
let port = 0
/** Token of an account that the first test makes. */
let token = ''

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cutindex-start-'))
  port = await freePort()
})
after(() => rm(dataDir, { recursive: true, force: true }))

test('the product of `npm start` serves, is closed to others, refuses a second, and ends with it', async (t) => {
  openDataDirectory(dataDir)
  // As older versions left it.
  await chmod(dataDir, 0o755)
  for (const name of ['files', 'files/partial', 'postgres', 'sandbox', 'work']) await plant(name)
  const shown = await start(['npm', 'start'])
  for (const name of ['', 'attempts', 'files/objects', 'postgres/data.new']) await plant(name)
  token = (await operator('session', 'owner@example.com')).trim()
  await t.test('it serves pages and calls', async () => {
    const me = await clientOf(token).getMe()
    assert.equal(me.email, 'owner@example.com')
    assert.equal((await fetch(`http://localhost:${port}/`)).status, 200)
  })
  const skip = process.getuid?.() !== 0
  await t.test(
    'another user of the machine reads nothing and reaches no database',
    { skip },
    () => {
      const settings = join(dataDir, 'settings.json')
      assert.match(readFileSync(settings, 'utf8'), /DATABASE_URL/)
      assert.match(asNobody('id', ['-u']), /^65534$/m)
      const intrusions: [string, string[]][] = [
        ['cat', [settings]],
        ['ls', [dataDir]],
        ['cat', [join(dataDir, 'postgres/password')]],
        ['cat', [join(dataDir, 'postgres/data/PG_VERSION')]],
        // Perl comes with Debian, and unlike Node it lies where everybody may run it.
        ['perl', ['-e', connectByPerl, join(dataDir, 'postgres/.s.PGSQL.5432')]],
      ]
      for (const [command, args] of intrusions) {
        assert.throws(() => asNobody(command, args), /Permission denied/, args.join(' '))
      }
    },
  )
  await t.test('a second start on the same data directory or port is refused', async () => {
    const sameData = await startAndFail({ PORT: String(await freePort()), DATA_DIR: dataDir })
    assert.match(sameData, /Another CutIndex .* runs on/)
    const elsewhere = await mkdtemp(join(tmpdir(), 'cutindex-start-'))
    const samePort = await startAndFail({ PORT: String(port), DATA_DIR: elsewhere })
    assert.match(samePort, /Port \d+ is taken/)
    await rm(elsewhere, { recursive: true, force: true })
    assert.equal((await clientOf(null).getHealth()).status, await soundStatus())
  })
  await t.test('SIGTERM to the process that it shows ends everything', async () => {
    assert.ok(processesOf(dataDir).length > 3)
    await stop(shown, 'SIGTERM')
    await until(
      () => processesOf(dataDir),
      (left) => left.length === 0,
    )
  })
  await t.test('files of other people in the folder are as they were', seeForeign)
})

/** Files of other people, by their path. */
const foreign: Record<string, string> = {}

async function plant(name: string): Promise<void> {
  const folder = join(dataDir, name, 'climbing')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'log.txt'), name)
  await chmod(join(folder, 'log.txt'), 0o664)
  await chmod(folder, 0o755)
  const states = statesUnder(dataDir)
  for (const path of [folder, join(folder, 'log.txt')]) foreign[path] = states[path] ?? ''
}

function seeForeign(): void {
  const states = statesUnder(dataDir)
  for (const [path, state] of Object.entries(foreign)) assert.equal(states[path], state, path)
}

const connectByPerl =
  'use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un($ARGV[0])) or die "$!\\n"'

function asNobody(command: string, args: string[]): string {
  const user = ['--reuid=65534', '--regid=65534', '--clear-groups']
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  // In the language of the test, whatever this machine speaks.
  const env = { ...process.env, LC_ALL: 'C' }
  return execFileSync('setpriv', [...user, command, ...args], { encoding: 'utf8', stdio, env })
}

test(
  'data is kept; a killed start leaves no process behind, and the next one recovers',
  slow,
  async () => {
    const first = await start()
    assert.equal((await clientOf(token).getMe()).email, 'owner@example.com')
    assert.deepEqual(await openToOthers(dataDir), [])
    const { project } = await clientOf(token).createProject({ body: { name: 'Kept' } })
    const ended = new Promise((done) => {
      first.once('exit', done)
    })
    first.kill('SIGKILL')
    await ended
    await until(
      () => processesOf(dataDir),
      (left) => left.length === 0,
    )
    const second = await start()
    const { projects } = await clientOf(token).listProjects()
    assert.deepEqual(
      projects.map(({ id }) => id),
      [project.id],
    )
    assert.equal(await stop(second, 'SIGTERM'), 0)
    assert.deepEqual(processesOf(dataDir), [])
    seeForeign()
  },
)

test('SIGINT stops a start whole too', slow, async () => {
  const running = await start()
  assert.equal(await stop(running, 'SIGINT'), 0)
  assert.deepEqual(processesOf(dataDir), [])
})

test('a wrong setting stops the start with a sentence', slow, async () => {
  const words = await startAndFail({
    PORT: String(await freePort()),
    DATA_DIR: await mkdtemp(join(tmpdir(), 'cutindex-start-')),
    STORAGE_URL: 'ftp://nowhere',
  })
  assert.match(words, /The setting STORAGE_URL is wrong/)
})

test(
  'a port or a folder that cannot be used stops the start with what to do',
  limited,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cutindex-start-'))
    const blocker = createServer()
    const taken = await freePort()
    await new Promise<void>((listening) => blocker.listen(taken, 'localhost', listening))
    try {
      const free = { PORT: String(await freePort()), DATA_DIR: folder }
      assert.match(await startAndFail({ ...free, PORT: 'eighty' }), /The setting PORT is wrong/)
      const words = await startAndFail({ ...free, SANDBOX_PORT: String(taken) })
      assert.match(
        words,
        /^Port \d+ is taken by another program\. Set SANDBOX_PORT to a free one\.$/m,
      )
      assert.doesNotMatch(words, /\n\s+at /)
      await writeFile(join(folder, 'file'), '')
      const inside = await startAndFail({ ...free, DATA_DIR: join(folder, 'file', 'data') })
      assert.match(inside, /cannot be written .* Set DATA_DIR to a folder/)
      // The system makes no folder there, and says of it what it says of a missing parent.
      const nowhere = await startAndFail({ ...free, DATA_DIR: '/proc/nope/data' })
      assert.match(nowhere, /cannot be written .* Set DATA_DIR to a folder/)
    } finally {
      blocker.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
)

test(
  'data that a newer version has changed stop an older one with a sentence',
  limited,
  async (t) => {
    const database = await openTestDatabase()
    t.after(() => database.close())
    const client = new Client({ connectionString: database.url })
    await client.connect()
    await client.query(`insert into migrations (name, sha256) values ('9999_newer.sql', 'x')`)
    await client.end()
    const folder = await mkdtemp(join(tmpdir(), 'cutindex-start-'))
    t.after(() => rm(folder, { recursive: true }))
    for (const file of ['scripts/start.ts', 'server/process/main.ts', 'server/process/worker.ts']) {
      const place = { PORT: String(await freePort()), DATA_DIR: folder, DATABASE_URL: database.url }
      const words = await startAndFail({ ...testEnvironment, ...place }, [process.execPath, file])
      assert.match(
        words,
        /^The database was changed by a newer version .*\(9999_newer\.sql\)/,
        file,
      )
      assert.doesNotMatch(words, /\n\s+at /)
    }
  },
)

function clientOf(token: string | null) {
  return createClient(api, { base: `http://localhost:${port}`, token: () => token })
}

function spawnStart(
  settings: Record<string, string>,
  [command = '', ...args]: string[] = [process.execPath, 'scripts/start.ts'],
): ChildProcess {
  return spawn(command, args, {
    cwd: root,
    env: { ...inherited, HOME: process.env.HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function start(command?: string[]): Promise<ChildProcess> {
  const sandboxPort = String(await freePort())
  const smtpPort = String(await freePort())
  const settings = {
    PORT: String(port),
    DATA_DIR: dataDir,
    SANDBOX_PORT: sandboxPort,
    SANDBOX_SMTP_PORT: smtpPort,
  }
  const child = spawnStart(settings, command)
  let words = ''
  child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()))
  await new Promise<void>((ready, fail) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('is ready')) ready()
    })
    child.once('exit', () => fail(new Error(words)))
  })
  return child
}

async function startAndFail(settings: Record<string, string>, command?: string[]): Promise<string> {
  const child = spawnStart(settings, command)
  let words = ''
  child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()))
  const code = await new Promise((done) => {
    child.once('exit', done)
  })
  assert.equal(code, 1, words)
  return words
}

async function stop(child: ChildProcess, signal: 'SIGTERM' | 'SIGINT'): Promise<number | null> {
  return new Promise((done) => {
    child.once('exit', (code) => done(code))
    child.kill(signal)
  })
}

test('the operator’s tool asks for the keys that the service was given', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cutindex-operator-'))
  saveSettings(folder, {}, { STRIPE_SECRET_KEY: 'sk_live_secret', PORT: '80' })
  assert.doesNotMatch(readFileSync(join(folder, 'settings.json'), 'utf8'), /sk_live/)
  const env = { ...inherited, DATA_DIR: folder }
  const tool = spawnSync(process.execPath, ['server/process/operator.ts', 'ledger-check'], {
    cwd: root,
    env,
  })
  assert.equal(tool.status, 2)
  assert.match(tool.stderr.toString(), /was given STRIPE_SECRET_KEY\. Run this with the same/)
  await rm(folder, { recursive: true })
})

async function operator(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, ['server/process/operator.ts', ...args], {
    cwd: root,
    env: { ...inherited, DATA_DIR: dataDir },
  })
  let words = ''
  child.stdout.on('data', (chunk: Buffer) => (words += chunk.toString()))
  await new Promise((done) => {
    child.once('exit', done)
  })
  return words
}

/** Paths in a folder, and the folder itself, that anybody but the owner may use. */
async function openToOthers(dir: string): Promise<string[]> {
  const names = await readdir(dir, { recursive: true })
  assert.ok(names.length > 100, 'the database is there')
  const open: string[] = []
  for (const path of [dir, ...names.map((name) => join(dir, name))]) {
    const info = await lstat(path).catch(() => null)
    if (path in foreign) continue
    if (info && !info.isSymbolicLink() && (info.mode & 0o077) !== 0) open.push(path)
  }
  return open
}

/** Processes whose command line or environment names the data directory. */
function processesOf(dir: string): string[] {
  return globSync('/proc/[0-9]*/cmdline').flatMap((file) => {
    try {
      const folder = file.slice(0, -'/cmdline'.length)
      if (folder === `/proc/${process.pid}`) return []
      const line = readFileSync(file, 'utf8')
      const environment = readFileSync(`${folder}/environ`, 'utf8')
      return line && (line + environment).includes(dir) ? [line.replaceAll('\0', ' ')] : []
    } catch {
      return []
    }
  })
}
