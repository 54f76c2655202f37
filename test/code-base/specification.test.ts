/**
 * A test that proves a sentence of the specification ends its name with the section: "(§5, §8)".
 * This collects the marks. `npm test -- specification` prints the number of tests per section.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'

const root = resolve(import.meta.dirname, '../..')

/** The specification's headings from 2 to 9; section 2 has its own for each screen. */
const screens =
  'Global, Routes, OAuth callback, Dashboard, Profile, Payment success, Payment cancel'
const sections = [
  ...screens.split(', ').map((screen) => `2 ${screen}`),
  ...'3 4 5 6 7 8 9'.split(' '),
]

test('every section of the specification has tests that name it, and no test names another', (t) => {
  const marked = globSync('{contract,engine,sandbox,scripts,server,test,web}/**/*.test.ts', {
    cwd: root,
  }).flatMap(marksIn)
  const counts = Map.groupBy(marked, (section) => section)
  for (const section of sections) t.diagnostic(`§${section}: ${counts.get(section)?.length ?? 0}`)
  assert.deepEqual(
    [...counts.keys()].toSorted(),
    sections.filter((section) => counts.has(section)).toSorted(),
  )
  assert.deepEqual(
    sections.filter((section) => !counts.has(section)),
    [],
  )
})

function marksIn(file: string): string[] {
  const source = readFileSync(resolve(root, file), 'utf8')
  const titles = source.matchAll(/\b(?:test|it)\(\s*(['"`])(?:(?!\1)[^\\]|\\.)*?\((§[^()]*)\)\1/g)
  return [...titles].flatMap(([, , marks = '']) =>
    marks.split(', ').map((mark) => mark.replace('§', '')),
  )
}
