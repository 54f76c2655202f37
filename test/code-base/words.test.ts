/** Sentences that said what the machine does instead of what a person can do stay away. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'

const root = resolve(import.meta.dirname, '../..')

const retired = [
  'Nothing to find here, at no cost',
  'It starts at once',
  'Another address',
  'Only a part of it',
  'Take the last decision back',
  'One frame on',
  'Sound on or off',
  "'This list'",
  'Cut into',
  'What was found',
  'Empty: the source’s own',
  'Results that are known already',
  'is read back and compared',
  'No mouth to match',
  'Looking at the file',
  'or drop it here',
  'There is no frame at this address',
  'They are tried again with the next change',
  'was removed since',
  'that is our goal, and your footage will tell',
  'does not answer at the moment',
  'without an answer',
  'What we want you to be able to say',
  'Forty hours',
]

test('no screen or message says what was rewritten in plain words', () => {
  const files = globSync('{web,server,engine,contract}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/{node_modules,dist,data}/**', '**/*.test.ts'],
  }).sort()
  assert.ok(files.length > 300, 'the sources are there')
  const left = files.flatMap((name) => {
    const spoken = readFileSync(resolve(root, name), 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(\/?\*|\/\/)/.test(line))
      .join('\n')
    return retired.filter((words) => spoken.includes(words)).map((words) => `${name}: ${words}`)
  })
  assert.deepEqual(left, [])
})
