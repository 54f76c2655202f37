import assert from 'node:assert/strict'
import { test } from 'node:test'
import { duplicates } from './duplicates.ts'
import { crowdedFolders, importsUp } from './house.ts'
import { wordFaults } from './words.ts'

const faults = (...lines: string[]): string[] =>
  wordFaults('engine/a.ts', ['const first = 1', ...lines].join('\n'))

test('a comment is told what to write instead of a clause or a word', () => {
  assert.equal(faults('/** What a job costs. */').length, 1)
  assert.equal(faults('/** Of a job. */').length, 1)
  assert.equal(faults('/** Null where it has ended. */').length, 1)
  assert.equal(faults('/** Price of a job; kept for ever. */').length, 1)
  assert.equal(faults(`// ${'x'.repeat(100)}`).length, 1)
  assert.equal(faults('/**', ...Array.from({ length: 9 }, () => ' * a'), ' */').length, 1)
  assert.deepEqual(faults('/** Price of a job, forever. */'), [])
})

test('names that say nothing are found in declarations, parameters and lists', () => {
  const named = [
    'const one = 1',
    'for (const told of all) use(told)',
    'const [found, other] = pair',
    'export function join(one: Part, other: Part): Part {',
    'const ids = parts.map((one) => one.id)',
    'const pictureAt = 1',
    'let most = 0',
  ]
  for (const line of named) assert.equal(faults(line).length, 1, line)
  const plain = [
    'const { found: face } = answer',
    "assert.equal(found.state, 'found')",
    "const text = 'one, of many'",
    'for (const part of parts) use(part)',
  ]
  for (const line of plain) assert.deepEqual(faults(line), [], line)
})

test('six equal lines in two files are one run, five are none', () => {
  const lines = ['a()', 'b()', 'c()', 'd()', 'e()', 'f()', 'g()']
  const files = (count: number) =>
    new Map([
      ['a.ts', lines.join('\n')],
      ['b.ts', lines.slice(0, count).join('\n  ')],
    ])
  assert.deepEqual(duplicates(files(7)), ['b.ts:1: 7 lines as in a.ts:1'])
  assert.deepEqual(duplicates(files(5)), [])
})

test('no folder of the tree is crowded, no floor reaches up', () => {
  assert.deepEqual(crowdedFolders(), [])
  assert.deepEqual(importsUp(), [])
})
