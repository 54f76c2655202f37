import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFillers } from './fillers.ts'
import { groupParagraphs, passageText, splitSentences } from './passages.ts'

/** Words of 0.3 s, 0.1 s apart; "|" is a pause of 2.5 s. */
function say(text: string) {
  let at = 0
  return text.split(' ').flatMap((word) => {
    if (word === '|') {
      at += 2.5
      return []
    }
    const start = at
    at += 0.4
    return [{ text: word, start, end: start + 0.3 }]
  })
}

test('sentences end at full stops and long pauses, not after abbreviations', () => {
  const words = say('Mr. Hall left. Did he? He did | yes he')
  assert.deepEqual(
    splitSentences(words).map((one) => passageText(words, one, 'en')),
    ['Mr. Hall left.', 'Did he?', 'He did', 'yes he'],
  )
})

test('a long pause begins a paragraph', () => {
  const words = say('One. Two. | Three. Four.')
  assert.deepEqual(
    groupParagraphs(words, splitSentences(words)).map((one) => passageText(words, one, 'en')),
    ['One. Two.', 'Three. Four.'],
  )
})

test('fillers are found, and the same words in a meaning are not', () => {
  const found = findFillers(say('We, um, went, you know, home. You know that I mean it.'))
  assert.deepEqual(
    found.map((one) => one.text),
    ['um', 'you know'],
  )
})

test('a voice between two words that has no word is a hesitation', () => {
  const words = [
    { text: 'so', start: 0, end: 0.5 },
    { text: 'then', start: 1.5, end: 2 },
  ]
  const voiced = new Float32Array(63).fill(0.95)
  assert.equal(findFillers(words, voiced)[0]?.text, '(hesitation)')
  assert.deepEqual(findFillers(words, new Float32Array(63)), [])
})
