import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dropSounds } from './sounds.ts'

function say(text: string, confidence = 0.6) {
  return text.split(' ').map((word, at) => ({ text: word, start: at, end: at + 1, confidence }))
}

const textOf = (words: { text: string }[]) => words.map(({ text }) => text).join(' ')

for (const [heard, written] of [
  ['Thank you. (laughter) We begin.', 'Thank you. We begin.'],
  ['Thank you. [Audience laughing] We begin.', 'Thank you. We begin.'],
  ['♪ ♪ We begin.', 'We begin.'],
  ['Thank you. Laughter. We begin.', 'Thank you. We begin.'],
  ['Applause', ''],
  ['There was laughter and applause.', 'There was laughter and applause.'],
  ['It is (nearly) done.', 'It is (nearly) done.'],
] as const) {
  test(`“${heard}” has the words “${written}”`, () => {
    assert.equal(textOf(dropSounds(say(heard))), written)
  })
}

test('a name of a sound that is surely said is a word', () => {
  assert.equal(textOf(dropSounds(say('What was it? Laughter.', 0.97))), 'What was it? Laughter.')
})
