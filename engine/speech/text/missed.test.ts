import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMissed, isSecondBelievable, makeRoom } from './missed.ts'
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

test('a short answer between two pauses is missed, with room as far as the next words', () => {
  const [missed, ...others] = findMissed(voice([0.5, 2], [3, 3.4]), { window, words })
  assert.deepEqual(others, [])
  assert.ok(missed && Math.abs(missed.start - 2.5) < 0.05 && Math.abs(missed.end - 3.9) < 0.05)
  const near = [...words, word('Then', 3.6, 4)]
  const [between] = findMissed(voice([0.5, 2], [2.3, 2.8], [3.6, 4]), { window, words: near })
  assert.ok(between && between.start === 2 && Math.abs(between.end - 3.3) < 0.05)
  const written = [...words, word('Yes.', 3.1, 3.3)]
  assert.deepEqual(findMissed(voice([0.5, 2], [3, 3.4]), { window, words: written }), [])
  assert.deepEqual(findMissed(voice([0.5, 2], [3, 3.2]), { window, words }), [], 'a click')
})

test('a breath, a pause and a short voice in a window without words are not missed', () => {
  const unsure = voice([0.5, 2], [4, 5]).map((value, at) =>
    at > 4 * perSecond ? value * 0.8 : value,
  )
  assert.deepEqual(findMissed(unsure, { window, words }), [])
  assert.deepEqual(findMissed(voice([0.5, 2]), { window, words }), [])
  assert.deepEqual(findMissed(voice([0.5, 3]), { window, words: [] }), [])
})

test('speech before a word that is put down as far too long is missed', () => {
  const stretched = [word('This', 0, 9), word('is', 9.1, 9.3)]
  const [missed, ...others] = findMissed(voice([0, 9.5]), { window, words: stretched })
  assert.equal(others.length, 0)
  assert.ok(missed && missed.start < 0.2 && missed.end > 7.5 && missed.end < 8.6)
})

test('a stretch with single words far apart is missed as a whole, to the end of the window', () => {
  const drawn = [
    ...['And', 'I', 'said', 'that'].map((text, at) => word(text, at * 0.1, at * 0.1 + 0.1)),
    word('should', 0.5, 0.9),
    word('be', 3, 3.2),
    word('all.', 6, 6.3),
    word('Thanks.', 8.6, 9),
  ]
  assert.deepEqual(findMissed(voice([0, 9.8]), { window, words: drawn }), [{ start: 1.3, end: 10 }])
  const slow = [0.2, 1.7, 3.2, 4.7, 6.2, 7.7].map((at) => word('word', at, at + 0.4))
  const spoken = slow.map(({ start, end }): [number, number] => [start, end])
  assert.deepEqual(findMissed(voice(...spoken), { window, words: slow }), [])
})

/** The hearing of a longer sentence, said too fast to leave a pause. */
const fast = ['There’s', 'nothing', 'going', 'on.', 'There’s', 'some', 'errors.'].map((text, at) =>
  word(text, 1 + at * 0.3 + (at > 4 ? 0.4 : 0), 1.3 + at * 0.3 + (at > 4 ? 0.4 : 0)),
)

test('a phrase in which a sure voice lies between two words is heard again, from pause to pause', () => {
  const [phrase, ...others] = findMissed(voice([1, 3.6], [4.4, 5]), {
    window,
    words: [...fast, word('Yes.', 4.4, 5)],
  })
  assert.deepEqual(others, [])
  assert.ok(phrase && Math.abs(phrase.start - 0.9) < 0.05 && Math.abs(phrase.end - 3.7) < 0.05)
  const breath = voice([1, 2.6], [2.75, 3.6])
  assert.deepEqual(findMissed(breath, { window, words: fast }), [], 'a breath between the words')
  const near = fast.map((word, at) => (at > 4 ? { ...word, start: word.start - 0.2 } : word))
  assert.deepEqual(findMissed(voice([1, 3.6]), { window, words: near }), [], 'a long vowel')
})

test('a phrase that is heard again must hold what was heard, and more', () => {
  const second: SecondHearing = {
    window: { start: 0.9, end: 3.7 },
    words: [
      'There’s',
      'nothing',
      'else',
      'going',
      'on.',
      'We',
      'know',
      'there’s',
      'some',
      'terrors.',
    ].map((text, at) => word(text, at * 0.25, at * 0.25 + 0.25)),
    language: 'en',
    languages: [{ language: 'en', probability: 0.9 }],
    noSpeech: 0.01,
    meanLogProbability: -0.2,
    looped: false,
  }
  assert.equal(isSecondBelievable(second, 'en', fast), true)
  assert.deepEqual(makeRoom({ window, words: fast }, [second]), [])
  const fewer = { ...second, words: second.words.slice(0, 6) }
  assert.equal(isSecondBelievable(fewer, 'en', fast), false)
  const others = { ...second, words: second.words.toReversed() }
  assert.equal(isSecondBelievable(others, 'en', fast), false)
})

test('words that a second hearing wrote go, and those that were drawn into its stretch go back', () => {
  const first = {
    window,
    words: [word('should', 0.5, 0.9), word('be', 3, 3.2), word('all.', 6, 6.3)],
  }
  const texts = (words: readonly { text: string }[]) => words.map(({ text }) => text).join(' ')
  const again = {
    window: { start: 2, end: 10 },
    words: [word('be', 0, 0.2), word('all', 0.2, 0.5), word('right', 1, 1.4)],
  }
  assert.equal(texts(makeRoom(first, [again])), 'should')
  const other = { window: { start: 2, end: 10 }, words: [word('He', 1, 1.2), word('left', 2, 3)] }
  const kept = makeRoom(first, [other])
  assert.equal(texts(kept), 'should be all.')
  assert.ok(
    kept.every(({ end }) => end <= 2),
    'before what was heard again',
  )
  assert.deepEqual(makeRoom(first, []), first.words)
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

test('a short answer is new though its letters stand inside a word beside it', () => {
  const answer: SecondHearing = {
    window: { start: 2.5, end: 3.9 },
    words: [word('No.', 0.4, 0.8)],
    language: 'en',
    languages: [{ language: 'en', probability: 0.9 }],
    noSpeech: 0.01,
    meanLogProbability: -0.3,
    looped: false,
  }
  const beside = (...texts: string[]) => texts.map((text, at) => word(text, at * 0.5, at * 0.5 + 1))
  assert.equal(isSecondBelievable(answer, 'en', beside('Do', 'you', 'know?')), true)
  assert.equal(isSecondBelievable(answer, 'en', beside('Oh,', 'no!')), false)
  const second = { ...answer, words: [word('No', 0.4, 0.6), word('one.', 0.6, 0.8)] }
  assert.equal(isSecondBelievable(second, 'en', beside('no', 'one', 'else')), false)
  assert.equal(isSecondBelievable(second, 'en', beside('no', 'ones')), true)
  const kana = { ...answer, language: 'ja', words: [word('はい', 0.4, 0.8)] }
  assert.equal(isSecondBelievable(kana, 'ja', beside('は', 'いと言う')), false)
})
