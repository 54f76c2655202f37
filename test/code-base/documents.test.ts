/** Documents name files and commands that exist. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { fileTypes } from '../../domain/export-formats.ts'

const root = resolve(import.meta.dirname, '../..')
const documents = globSync(
  ['{README,CONTRIBUTING,SECURITY}.md', 'docs/**/*.md', '{lab,client}/README.md'],
  { cwd: root },
).map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))

const rooms = 'assets,client,contract,deploy,docs,domain,engine,lab,sandbox,scripts,server,test,web'
const files = globSync([`{${rooms}}/**/*`, '*'], {
  cwd: root,
  exclude: ['**/{node_modules,dist}/**'],
})
/** Also folders; a document may leave off the folder that its paragraph is about. */
const endings = new Set(
  files.flatMap((file) => file.split('/').map((_, at, parts) => parts.slice(at).join('/'))),
)

const isPath = new RegExp(
  `^(?:(?:${rooms.replaceAll(',', '|')})/[\\w./@-]*|[\\w./-]+\\.(?:tsx?|sql|py|md|css|mjs|dtd|ya?ml))$`,
)
/** Names of other programs' files, and of files that a user has. */
const foreign = new Set(['pnpm-lock.yaml', '/openapi.yaml', 'openapi.yaml'])

test('every path in a document exists', () => {
  const missing = documents.flatMap(({ name, text }) => {
    const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, path = '']) => path)
    const ran = [...text.matchAll(/\bnode ([\w/-]+\.ts)/g)].map(([, path = '']) => path)
    const paths = [...quoted, ...ran].filter((path) => isPath.test(path) && !foreign.has(path))
    const linked = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)].map(([, path = '']) =>
      relative(root, resolve(root, dirname(name), path)),
    )
    return [
      ...paths.filter((path) => !endings.has(path.replace(/\/$/, ''))),
      ...linked.filter((path) => !existsSync(join(root, path))),
    ].map((path) => `${name}: ${path}`)
  })
  assert.deepEqual(missing, [])
})

test('the Export dialog says of a format what docs/EXPORTS.md records of it', () => {
  const text = documents.find(({ name }) => name === 'docs/EXPORTS.md')?.text ?? ''
  const [, table = ''] = /\| format \| checked \|\n\|[-|]+\n((?:\|.*\n)+)/.exec(text) ?? []
  const recorded = [...table.matchAll(/^\| `([\w-]+)` \| (.+) \|$/gm)].map(([, ...row]) => row)
  const said = Object.entries(fileTypes).flatMap(([id, { checked }]) =>
    checked.map((line) => [id, line]),
  )
  assert.deepEqual(said, recorded)
})

test('every command in a document exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const measures = (folder: string): Set<string> =>
    new Set(globSync(`${folder}/**/*.ts`, { cwd: root }).map((file) => basename(file, '.ts')))
  const named: Record<string, Set<string>> = {
    bench: measures('scripts/bench'),
    lab: measures('lab'),
  }
  const missing = documents.flatMap(({ name, text }) =>
    [...text.matchAll(/npm run (?:-s )?([\w:-]+)(?![\w:…-])(?: -- ([a-z][\w-]*))?/g)]
      .filter(([, command = '', measure]) => {
        const isMeasured = measure === undefined || (named[command]?.has(measure) ?? true)
        return !(command in scripts && isMeasured)
      })
      .map(([command]) => `${name}: ${command}`),
  )
  assert.deepEqual(missing, [])
})
