import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tidyWords } from './tidy-words.ts'

test('a zero among letters is an O, in the case of the letters beside it', () => {
  assert.equal(
    tidyWords('0ctober P0RT R00M Fl00r CE0 0F C0nnor'),
    'October PORT ROOM Floor CEO OF Connor',
  )
})

test('a one between letters is an l, or an I among capitals', () => {
  assert.equal(tidyWords('E1len E11en Wi1liam F1LM'), 'Ellen Ellen William FILM')
  assert.equal(tidyWords('MP1 B1 U11 1st A1A'), 'MP1 B1 U11 1st A1A')
})

test('numbers stay numbers, and an O among digits becomes one', () => {
  const numbers = 'A004 A0 B00 AA00 A10A 10 0 2005 10:00 12A H0 S01E10'
  assert.equal(tidyWords(numbers), numbers)
  assert.equal(tidyWords('2O11 and 1O4B'), '2011 and 104B')
})

test('a quotation opens after a space and closes before one', () => {
  assert.equal(tidyWords('AUTHOR OF"COLD WATER"'), 'AUTHOR OF "COLD WATER"')
  assert.equal(tidyWords('Says" no "to oil'), 'Says "no" to oil')
  assert.equal(tidyWords('("Why"), she said'), '("Why"), she said')
  assert.equal(tidyWords('a 5" pipe'), 'a 5" pipe', 'a mark alone opens nothing')
})

test("a name keeps its O' in one piece", () => {
  assert.equal(tidyWords("Siobhan O' Connor"), "Siobhan O'Connor")
  assert.equal(tidyWords("the dogs' House"), "the dogs' House")
})
