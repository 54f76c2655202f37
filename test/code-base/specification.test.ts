/**
 * A test that proves a sentence of the specification ends its name with the section: "(§5, §8)".
 * This collects the marks. `npm test -- specification` prints the number of tests per section, and
 * how many of them are slow; each section has one that is not.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { listTestFiles } from '../../scripts/test/list-test-files.ts'

const root = resolve(import.meta.dirname, '../..')

/** The specification's headings from 2 to 9; section 2 has its own for each screen. */
const screens =
  'Global, Routes, OAuth callback, Dashboard, Profile, Payment success, Payment cancel'
const sections = [
  ...screens.split(', ').map((screen) => `2 ${screen}`),
  ...'3 4 5 6 7 8 9'.split(' '),
]

test('every section of the specification has tests in the short run that name it, and no test names another', (t) => {
  const marked = listTestFiles().flatMap(marksIn)
  for (const section of sections) {
    const all = marked.filter((mark) => mark.section === section)
    t.diagnostic(`§${section}: ${all.length}, ${all.filter((mark) => mark.isSlow).length} slow`)
  }
  const named = new Set(marked.map((mark) => mark.section))
  assert.deepEqual([...named.difference(new Set(sections))], [])
  const inShortRun = new Set(marked.filter((mark) => !mark.isSlow).map((mark) => mark.section))
  assert.deepEqual(
    sections.filter((section) => !inShortRun.has(section)),
    [],
  )
})

function marksIn(file: string): { section: string; isSlow: boolean }[] {
  const source = readFileSync(resolve(root, file), 'utf8')
  const titles = source.matchAll(
    /\b(?:test|it)\(\s*(['"`])(?:(?!\1)[^\\]|\\.)*?\((§[^()]*)\)\1,\s*((?:\{ \.\.\.)?slow\b)?/g,
  )
  return [...titles].flatMap(([, , marks = '', slow]) =>
    marks
      .split(', ')
      .map((mark) => ({ section: mark.replace('§', ''), isSlow: slow !== undefined })),
  )
}
