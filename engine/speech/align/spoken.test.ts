import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { sayNumber } from './numbers.ts'
import { spokenForms } from './spoken.ts'

const english: Record<string, string> = {
  'Hello,': 'hello',
  "don't": "don't",
  'don’t.': "don't",
  '“Yes!”': 'yes',
  'self-substantial': 'self substantial',
  '$1,500': 'one thousand five hundred dollars',
  '50%': 'fifty percent',
  '3.14': 'three point one four',
  '1999': 'nineteen ninety nine',
  '2026': 'twenty twenty six',
  '21st': 'twenty first',
  '5th,': 'fifth',
  '1990s': 'nineteen nineties',
  '10:30': 'ten thirty',
  'Mr.': 'mister',
  '&': 'and',
  '007': 'zero zero seven',
  '—': '',
}

test('written English becomes the words that are said', () => {
  for (const [written, said] of Object.entries(english)) {
    assert.equal(spokenForms(written, 'en').join(' '), said, written)
  }
})

test('written French becomes the words that are said', () => {
  const cases: Record<string, string> = {
    "l'eau": "l' eau",
    '71': 'soixante et onze',
    '80': 'quatre vingt',
    '95%': 'quatre vingt quinze pour cent',
    '1 200': 'mille deux cent',
    'été,': 'été',
  }
  for (const [written, said] of Object.entries(cases)) {
    assert.equal(spokenForms(written, 'fr').join(' '), said, written)
  }
})

test('every number has words of letters only, in both languages', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (value) => {
      for (const language of ['en', 'fr'] as const) {
        const words = sayNumber(String(value), language)
        assert.ok(words.length > 0 && words.every((word) => /^\p{L}+$/u.test(word)), words.join())
      }
    }),
  )
})
