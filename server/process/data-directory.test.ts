/** The data folder beside files of other people: refused, or left as they are. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { openDirectory } from '../storage/directory.ts'
import { isolationState } from '../../engine/tools/isolate.ts'
import { newWorkFile, removeDeadWorkFiles } from '../storage/scratch.ts'
import { secureCluster } from '../db/secure-cluster.ts'
import { statesUnder } from '../../test/support/file-states.ts'
import { openDataDirectory } from './data-directory.ts'

const run = promisify(execFile)

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'cutindex-data-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const foreignName = fc.constantFrom(
  ...['attempts', 'data', 'data.new', 'files', 'objects', 'partial', 'postgres'],
  ...['results', 'sandbox', 'thesis', 'uploads', 'work', '1~me', '4999999~notes', '.profile'],
)
const foreignTree = fc.array(
  fc.record({
    path: fc.array(foreignName, { minLength: 1, maxLength: 4 }).map((names) => names.join('/')),
    text: fc.string(),
    mode: fc.constantFrom(0o600, 0o640, 0o644, 0o755, 0o700, 0o777),
  }),
  { minLength: 1, maxLength: 8 },
)

function plantTree(root: string, tree: { path: string; text: string; mode: number }[]): void {
  for (const { path, text, mode } of tree) {
    const folder = join(root, path)
    const file = join(folder, 'log.txt')
    try {
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, text)
    } catch {
      continue
    }
    chmodSync(file, mode & 0o666)
    chmodSync(folder, mode | 0o700)
  }
}

test('a folder of other people’s files is refused and left as it is', (t) => {
  const parent = folderOf(t)
  fc.assert(
    fc.property(foreignTree, (tree) => {
      const dir = join(parent, randomUUID())
      mkdirSync(dir, { mode: 0o755 })
      plantTree(dir, tree)
      const before = statesUnder(dir)
      assert.throws(() => openDataDirectory(dir), /holds other files .*Set DATA_DIR to/)
      assert.deepEqual(statesUnder(dir), before)
    }),
    { numRuns: 200 },
  )
})

test('files of other people in a data folder keep their names, bytes and modes', async (t) => {
  const parent = folderOf(t)
  await fc.assert(
    fc.asyncProperty(foreignTree, async (tree) => {
      const dir = join(parent, randomUUID())
      openDataDirectory(dir)
      const key = `uploads/${randomUUID()}`
      const storage = await openDirectory(pathToFileURL(join(dir, 'files')), null)
      plantTree(dir, tree)
      const partial = join(dir, 'files/partial', `${key.replace('/', '~')}~mine`)
      writeFileSync(partial, '')
      // Files of a dead process are deleted, files of others beside them stay.
      const dead = join(dir, 'work', `4999999~${randomUUID()}`)
      const left = join(dead, randomUUID(), 'frames')
      mkdirSync(left, { recursive: true })
      writeFileSync(join(dead, 'mine.txt'), '')
      const foreign = statesUnder(dir)
      delete foreign[left]
      delete foreign[dirname(left)]
      for (let round = 0; round < 2; round += 1) {
        openDataDirectory(dir)
        await removeDeadWorkFiles({ dataDir: dir })
        await storage.delete(key)
        await newWorkFile({ dataDir: dir })
      }
      assert.equal(existsSync(left), false)
      const after = statesUnder(dir)
      for (const [path, state] of Object.entries(foreign)) assert.equal(after[path], state, path)
    }),
    { numRuns: 100 },
  )
})

test('no database is made over files that lie in its place', async (t) => {
  const dir = folderOf(t)
  const data = join(dir, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'notes.txt'), 'mine')
  mkdirSync(join(dir, 'data.new'))
  writeFileSync(join(dir, 'data.new/notes.txt'), 'mine')
  const before = statesUnder(dir)
  const runProgram = async (): Promise<string> => ''
  const secured = secureCluster(runProgram, { dir, data, mayCreateDatabases: false })
  await assert.rejects(secured, /holds other files/)
  assert.deepEqual(statesUnder(dir), before)
})

test('a new or an empty folder is marked, closed, and taken again', (t) => {
  const parent = folderOf(t)
  const volume = join(parent, 'volume')
  mkdirSync(join(volume, 'lost+found'), { recursive: true })
  const plain = join(parent, 'plain')
  mkdirSync(plain)
  chmodSync(plain, 0o755)
  for (const dir of [join(parent, 'deep/new'), plain, volume]) {
    openDataDirectory(dir)
    const mark = JSON.parse(readFileSync(join(dir, 'cutindex.json'), 'utf8')) as object
    assert.deepEqual(Object.keys(mark), ['name', 'version'])
    assert.equal(lstatSync(dir).mode & 0o777, 0o700)
    mkdirSync(join(dir, 'anything'))
    openDataDirectory(dir)
  }
})

test('processes that start together in an empty folder all take it', async (t) => {
  const dir = join(folderOf(t), 'data')
  const module = join(import.meta.dirname, 'data-directory.ts')
  const script = `
    const { openDataDirectory } = await import(${JSON.stringify(module)})
    while (Date.now() < Number(process.argv[1])) continue
    openDataDirectory(process.argv[2])`
  const at = String(Date.now() + 3000)
  const words = ['--input-type=module', '-e', script, at, dir]
  await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, words)))
  assert.deepEqual(readdirSync(dir), ['cutindex.json'])
})

test('the root of the file system is refused', async (t) => {
  // Nothing can be changed there, whatever the code does.
  const inside = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--', process.execPath]
  const isReadOnly = (await isolationState()) === 'locked'
  if (!isReadOnly) return t.skip('bubblewrap cannot make the file system read-only here')
  const module = JSON.stringify(join(import.meta.dirname, 'data-directory.ts'))
  const script = `const { openDataDirectory } = await import(${module}); openDataDirectory('/')`
  const opened = run('bwrap', [...inside, '--input-type=module', '-e', script])
  await assert.rejects(opened, /root of the file system.*Set DATA_DIR/)
})

test('a home and a shared folder are refused', (t) => {
  const parent = folderOf(t)
  const home = process.env.HOME
  t.after(() => (process.env.HOME = home))
  process.env.HOME = join(parent, 'home')
  mkdirSync(homedir())
  assert.throws(() => openDataDirectory(homedir()), /a home.*Set DATA_DIR/)
  assert.deepEqual(readdirSync(homedir()), [])
  const shared = join(parent, 'shared')
  mkdirSync(shared)
  chmodSync(shared, 0o1777)
  assert.throws(() => openDataDirectory(shared), /open to everybody.*Set DATA_DIR/)
  assert.equal(lstatSync(shared).mode & 0o7777, 0o1777)
})

const isRoot = process.getuid?.() === 0

test('a folder of another owner is refused', { skip: !isRoot }, (t) => {
  const dir = folderOf(t)
  chownSync(dir, 12_345, 12_345)
  assert.throws(() => openDataDirectory(dir), /belongs to the user with the number 12345/)
  assert.deepEqual(readdirSync(dir), [])
  // One that the product marked for its own user is root's to look after.
  chownSync(dir, 0, 0)
  openDataDirectory(dir)
  chownSync(dir, 12_345, 12_345)
  openDataDirectory(dir)
})

test('a folder of a version that left no mark is taken, with what lies beside it', (t) => {
  const parent = folderOf(t)
  const older: Record<string, string[]> = {
    start: ['sandbox-secrets.json', 'settings.json', 'notes.txt'],
    database: ['postgres/password', 'postgres/data/PG_VERSION', 'notes.txt'],
    api: [`files/partial/uploads~1~${randomUUID()}`, 'files/objects/uploads/1', 'notes.txt'],
    worker: [`work/1~${randomUUID()}/${randomUUID()}`, 'notes.txt'],
  }
  for (const [name, files] of Object.entries(older)) {
    const dir = join(parent, name)
    for (const file of files) {
      mkdirSync(dirname(join(dir, file)), { recursive: true })
      writeFileSync(
        join(dir, file),
        file.includes('secrets') ? '{"stripeSecretKey":"sk_test_1"}' : '',
      )
    }
    mkdirSync(join(dir, 'attempts'))
    const before = statesUnder(dir)
    openDataDirectory(dir)
    const after = statesUnder(dir)
    for (const [path, state] of Object.entries(before)) assert.equal(after[path], state, path)
    assert.ok(existsSync(join(dir, 'cutindex.json')), name)
  }
})
