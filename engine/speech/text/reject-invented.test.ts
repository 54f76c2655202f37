import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBelievable, loopStart } from './reject-invented.ts'

const heard = {
  voiceMax: 0.95,
  voiceMean: 0.6,
  noSpeech: 0.05,
  meanLogProbability: -0.2,
  looped: false,
}
const words = (text: string) => text.split(' ').map((word) => ({ text: word, confidence: 0.9 }))

test('a loop is seen, a repetition that people say is not', () => {
  const sentence = [5, 6, 7, 8, 9]
  assert.equal(loopStart([1, 2, 3, ...sentence, ...sentence, ...sentence, ...sentence]), 3)
  assert.equal(loopStart([1, 7, 7, 7, 7, 7]), -1)
  assert.ok(loopStart(Array.from({ length: 12 }, () => 7)) >= 0)
})

test('speech is believed', () => {
  assert.ok(isBelievable(words('ask not what your country can do'), heard))
  assert.ok(isBelievable(words('Thank you.'), heard))
})

test('stock phrases without a clear voice are not believed', () => {
  for (const text of ['you', 'The', 'Thank you.', 'Thanks for watching!']) {
    assert.ok(!isBelievable(words(text), { ...heard, voiceMax: 0.3 }), text)
    assert.ok(!isBelievable(words(text), { ...heard, noSpeech: 0.7 }), text)
  }
})

test('words heard in noise and hiss are not believed, those of faint speech are', () => {
  // As measured on violet and brown noise, and on speech below pink noise.
  const hiss = { voiceMax: 0.14, voiceMean: 0.03, noSpeech: 0.82, looped: false }
  const said = [{ text: 'MBC', confidence: 0.5 }]
  assert.equal(isBelievable(said, { ...hiss, meanLogProbability: -0.89 }), false)
  const brown = { voiceMax: 0.55, voiceMean: 0.1, noSpeech: 0.32, looped: true }
  assert.equal(isBelievable(said, { ...brown, meanLogProbability: -0.63 }), false)
  // Chairs and paper between two sentences of a meeting.
  const room = { voiceMax: 0.54, voiceMean: 0.2, noSpeech: 0.4, looped: false }
  assert.equal(isBelievable(said, { ...room, meanLogProbability: -1.44 }), false)
  const faint = { voiceMax: 0.22, voiceMean: 0.1, noSpeech: 0.03, looped: false }
  assert.equal(isBelievable(said, { ...faint, meanLogProbability: -0.11 }), true)
})

test('nothing is believed where there is no voice or the model itself doubts', () => {
  assert.ok(!isBelievable(words('a long and fluent sentence'), { ...heard, voiceMax: 0.05 }))
  const doubtful = { ...heard, noSpeech: 0.8, meanLogProbability: -1.4 }
  assert.ok(!isBelievable(words('a long and fluent sentence'), doubtful))
})
