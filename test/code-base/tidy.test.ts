/** Promises about the code base itself that a linter cannot know. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join, matchesGlob, resolve } from 'node:path'
import { test } from 'node:test'
import { pagePaths } from '../../contract/pages.ts'
import { importsUp, readsUp } from '../../scripts/house/house.ts'
import { ownerOf, tableOwners } from '../../scripts/house/table-owners.ts'

const root = resolve(import.meta.dirname, '../..')
const rooms = '{client,contract,domain,engine,lab,server,sandbox,web,scripts,test}'
const sources = globSync(`${rooms}/**/*.{ts,tsx}`, { cwd: root }).sort()
const text = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Retention and erasure delete what must go, whoever owns it. */
const mayDeleteAnything = ['server/privacy/retention.ts', 'server/privacy/erase.ts']

/** Auto-reload settings are columns of the account that the payments noun writes. */
const sharedTables: Record<string, string[]> = { accounts: ['server/payments/'] }

test('only the owning noun writes a table', () => {
  const owners = tableOwners()
  const writes = sources
    .filter((file) => file.startsWith('server/') && !file.endsWith('.test.ts'))
    .filter((file) => !mayDeleteAnything.includes(file))
    .flatMap((file) => tablesWritten(text(file)).map((table) => ({ file, table })))
  assert.ok(writes.length > 5, 'the search for writes finds the known ones')
  const breaches = writes.filter(({ file, table }) => {
    const allowed = [...(owners.get(table) ?? []), ...(sharedTables[table] ?? [])]
    return owners.has(table) && !allowed.some((folder) => file.startsWith(folder))
  })
  assert.deepEqual(breaches, [])
})

test('no folder of the server reaches up, by an import or by SQL', () => {
  assert.deepEqual([...importsUp(), ...readsUp()], [])
})

test('every migration has an owner', () => {
  const names = globSync('server/db/migrations/*.sql', { cwd: root }).map((file) => basename(file))
  assert.deepEqual(
    names.filter((name) => !ownerOf(name)?.every((place) => existsSync(join(root, place)))),
    [],
  )
})

test('every screen of the router is a page that the server answers with 200', () => {
  const screens = [...text('web/app/routes.tsx').matchAll(/path: '(\/[^']*)'/g)].map(
    (hit) => hit[1] ?? '',
  )
  assert.deepEqual(screens.toSorted(), pagePaths.toSorted())
})

test('only server/ground/config.ts reads the environment in the product', () => {
  const readers = sources.filter(
    (file) =>
      /^(server|engine|contract|domain|web)\//.test(file) &&
      !/\.(test|testing)\.tsx?$/.test(file) &&
      // Handing a child the PATH reads no setting; after an escaped `${` it is a sample's text.
      /(?<!\\\$\{)process\.env\b(?!\.PATH|\['PATH'\])/.test(text(file)),
  )
  // The operator's tool hands what its shell has set on to config.ts; samples are text. Models run
  // in processes of processes, so where they run is a variable that is handed down; `onnx.ts` sets
  // a variable of its library and reads none.
  const allowed = [
    'engine/models/onnx.ts',
    'engine/models/settings.ts',
    'server/ground/config.ts',
    'server/ground/given-settings.ts',
    'web/features/docs/snippets.ts',
    'web/features/docs/call-snippets.ts',
  ]
  assert.deepEqual(
    readers.filter((file) => !allowed.includes(file)),
    [],
  )
})

test('nothing outside of lab/ needs it', () => {
  const needing = sources.filter(
    (file) => !file.startsWith('lab/') && /(?:from|import\(?) ?'[^']*\/lab\//.test(text(file)),
  )
  assert.deepEqual(needing, [])
})

test('product code does not know the sandbox', () => {
  const knowing = sources.filter(
    (file) =>
      /^(server|contract|domain)\//.test(file) && /if \([^)]*(sandbox|demo)\b/i.test(text(file)),
  )
  assert.deepEqual(knowing, [])
})

test('the service reads what users send in processes of their own', () => {
  const parsers = /^import \{[^}]*\} from '[./]*engine\/(?:probe|analyse|documents\/|media\/)/m
  const readers = sources.filter((file) => file.startsWith('server/') && parsers.test(text(file)))
  assert.deepEqual(
    readers.filter((file) => !file.endsWith('-process.ts')),
    [],
  )
  assert.ok(readers.includes('server/content/look-process.ts'))
})

test('a query key that two files use is named in web/app/queries.ts', () => {
  const literal = /(?:queryKey: |Key(?:: \w+)? = |QueryData(?:<[^(]*>)?\()\[\s*'([a-z-]+)'/g
  const users = new Map<string, Set<string>>()
  for (const file of sources.filter((path) => path.startsWith('web/'))) {
    for (const [, key = ''] of text(file).matchAll(literal)) {
      users.set(key, (users.get(key) ?? new Set()).add(file))
    }
  }
  assert.ok(users.size > 5, 'the search for keys finds the known ones')
  const scattered = [...users].filter(([, files]) => files.size > 1)
  assert.deepEqual(
    scattered.map(([key, files]) => [key, ...files]),
    [],
  )
})

test('a failed call is shown by web/app/failures.ts alone', () => {
  const own = sources.filter(
    (file) =>
      file.startsWith('web/') &&
      /onError: [^\n]*\n?[^\n]*showToast|showToast\([^)]*(messageOf|(error|failure)\.message)/.test(
        text(file),
      ),
  )
  assert.deepEqual(own, [])
})

test('there are no drawers and no barrels', () => {
  const drawers = sources.filter((file) =>
    /\/(utils?|helpers?|lib|types|misc)(\/|\.tsx?$)/.test(file),
  )
  const barrels = sources.filter((file) => /\/index\.tsx?$/.test(file))
  assert.deepEqual([...drawers, ...barrels], [])
})

test('file names are kebab-case', () => {
  const odd = sources.filter(
    (file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|testing|d))?\.tsx?$/.test(basename(file)),
  )
  assert.deepEqual(odd, [])
})

test('git ignores the packed client', () => {
  const { version } = JSON.parse(text('package.json')) as { version: string }
  const lines = text('.gitignore').split('\n')
  assert.ok(lines.some((line) => matchesGlob(`cutindex-${version}.tgz`, line)))
})

test('the lockfile names every optional package, or npm ci refuses it', () => {
  const lock = JSON.parse(text('package-lock.json')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>
  }
  const missing = Object.entries(lock.packages).flatMap(([parent, info]) =>
    Object.keys(info.optionalDependencies ?? {}).filter(
      (name) =>
        !lock.packages[`node_modules/${name}`] && !lock.packages[`${parent}/node_modules/${name}`],
    ),
  )
  assert.deepEqual(missing, [])
})

interface LockEntry {
  integrity?: string
  optional?: boolean
  os?: string[]
  cpu?: string[]
}

test('whatever npm ci can install here is pinned by its hash', () => {
  const lock = JSON.parse(text('package-lock.json')) as { packages: Record<string, LockEntry> }
  const entries = Object.entries(lock.packages).filter(([name]) => name !== '')
  const unpinned = entries.filter(([, entry]) => !entry.integrity?.startsWith('sha512-'))
  // Packages of platforms that the product does not run on may be missing from the registry at
  // hand, and with them their hashes. npm ci names them and leaves them out.
  const installable = unpinned.filter(([name, { optional, os, cpu }]) => {
    const isForeign =
      (os && !os.includes('linux')) ||
      (cpu && !cpu.includes('x64') && !cpu.includes('arm64')) ||
      /-musl\w*$/.test(name)
    return !optional || !isForeign
  })
  assert.ok(entries.length - unpinned.length > 300)
  assert.deepEqual(
    installable.map(([name]) => name),
    [],
  )
})

test('the lockfile and the settings of npm name no registry', () => {
  assert.doesNotMatch(text('package-lock.json'), /"resolved"/)
  assert.doesNotMatch(text('.npmrc'), /registry|https?:/)
})

function tablesWritten(source: string): string[] {
  const builder = /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*['"](\w+)/g
  const raw = /\b(?:insert into|update|delete from|truncate(?: table)?)\s+(\w+)/gi
  return [...source.matchAll(builder), ...source.matchAll(raw)].map((match) => match[1] ?? '')
}
