import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { specification } from './specification.ts'

const root = resolve(import.meta.dirname, '../..')

test('every statement of the specification names a test that exists and runs', (context) => {
  const names = new Map<string, RegExp[]>()
  const unproven = specification.filter(({ provenBy: [file, name] }) => {
    if (!names.has(file)) names.set(file, testNames(file))
    return !names.get(file)?.some((pattern) => pattern.test(name))
  })
  context.diagnostic(`${specification.length - unproven.length} statements proven`)
  assert.deepEqual(
    unproven.map((row) => `${row.section}: ${row.says} <- ${row.provenBy.join(': ')}`),
    [],
  )
})

test('every section from 2 to 9 is covered, and no statement stands twice', () => {
  const sections = new Set(specification.map((row) => row.section.split(' ')[0]))
  assert.deepEqual([...sections], ['2', '3', '4', '5', '6', '7', '8', '9'])
  const statements = specification.map((row) => `${row.section}: ${row.says}`)
  assert.equal(new Set(statements).size, statements.length)
})

/** The names of a file's tests; one made in a loop stands for every name of its shape. */
function testNames(file: string): RegExp[] {
  const source = readFileSync(join(root, file), 'utf8')
  const found = source.matchAll(/\b(?:test|it)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)
  return [...found].map(([, , written = '']) => {
    const literal = written.replaceAll(/\\(['"`])/g, '$1')
    const parts = literal.split(/\$\{[^}]*\}/).map((part) => RegExp.escape(part))
    return new RegExp(`^${parts.join('.+')}$`)
  })
}
