import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMissed, isSecondBelievable } from './missed.ts'
import type { SecondHearing } from './missed.ts'

const perSecond = 16_000 / 512

/** Voice in these spans of ten seconds. */
function voice(...spans: [number, number][]): Float32Array {
  return new Float32Array(Math.ceil(10 * perSecond)).map((_, at) => {
    const seconds = at / perSecond
    return spans.some(([start, end]) => seconds >= start && seconds < end) ? 0.95 : 0.01
  })
}

function word(text: string, start: number, end: number) {
  return { text, start, end, confidence: 0.9 }
}

const window = { start: 0, end: 10 }
const words = [word('Good', 0.5, 1), word('morning.', 1, 2)]

test('voice without a word is missed, wherever it lies in the window', () => {
  const after = findMissed(voice([0.5, 2], [4, 8]), { window, words })
  assert.equal(after.length, 1)
  assert.ok(Math.abs(after[0]!.start - 3.8) < 0.1 && Math.abs(after[0]!.end - 8.2) < 0.1)
  const late = [word('Good', 7, 7.5), word('night.', 7.5, 8.5)]
  assert.equal(findMissed(voice([1, 5], [7, 8.5]), { window, words: late }).length, 1)
  const split = [word('One', 0.5, 1), word('two.', 8, 8.5)]
  assert.equal(findMissed(voice([0.5, 1], [3, 6], [8, 8.5]), { window, words: split }).length, 1)
})

test('slow speech with pauses is missed as well, and so is long speech in a window without words', () => {
  const slow = voice([0.5, 2], [4, 4.9], [6.4, 7.3], [8.8, 9.7])
  assert.equal(findMissed(slow, { window, words }).length, 1)
  assert.equal(findMissed(voice([0.5, 9]), { window, words: [] }).length, 1)
})

test('a laugh, a pause and a short voice in a window without words are not missed', () => {
  assert.deepEqual(findMissed(voice([0.5, 2], [4, 5]), { window, words }), [])
  assert.deepEqual(findMissed(voice([0.5, 2]), { window, words }), [])
  assert.deepEqual(findMissed(voice([0.5, 3]), { window, words: [] }), [])
})

test('a second hearing must be sure of its language, and say something new', () => {
  const second: SecondHearing = {
    window: { start: 3, end: 5 },
    words: [word('Guten', 0, 1), word('Morgen.', 1, 2)],
    language: 'de',
    languages: [{ language: 'de', probability: 0.9 }],
    noSpeech: 0.01,
    meanLogProbability: -0.2,
    looped: false,
  }
  assert.equal(isSecondBelievable(second, 'en', words), true)
  const unsure = [{ language: 'de', probability: 0.4 }]
  assert.equal(isSecondBelievable({ ...second, languages: unsure }, 'en', words), false)
  assert.equal(isSecondBelievable({ ...second, meanLogProbability: -1.2 }, 'en', words), false)
  assert.equal(isSecondBelievable({ ...second, language: 'en', words }, 'en', words), false)
  const repeat = { ...second, language: 'en', words, window: { start: 20, end: 22 } }
  assert.equal(isSecondBelievable(repeat, 'en', words), true, 'the same words, said again')
})
