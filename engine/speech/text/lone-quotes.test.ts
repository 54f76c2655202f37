import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dropLoneQuotes } from './lone-quotes.ts'

function written(text: string): string {
  const words = text.split(' ').map((word) => ({ text: word }))
  return dropLoneQuotes(words)
    .map((word) => word.text)
    .join(' ')
}

test('a quotation mark without its partner is removed', () => {
  assert.equal(
    written('ask what you can do for your country." And'),
    'ask what you can do for your country. And',
  )
  assert.equal(written('he said "we wait for the fog. Then'), 'he said we wait for the fog. Then')
  assert.equal(written('one", two "three "four" five'), 'one, two three "four" five')
  assert.equal(
    written(`"an ${'endless '.repeat(200)}speech"`),
    `an ${'endless '.repeat(200)}speech`,
  )
})

test('pairs, inches and words that are nothing else stay', () => {
  const stay = [
    'she said "wait," and "go". He',
    'a "word" alone',
    'a board of 5" and one of 12".',
    '" alone',
    'plain words',
  ]
  for (const text of stay) assert.equal(written(text), text)
})
