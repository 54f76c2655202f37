import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecognisedWord } from '../whisper/tokens.ts'
import { findDoubted, settleDoubts } from './doubts.ts'

const perSecond = 16_000 / 512
/** Voice from 1 to 4 s and from 5 to 7 s of ten. */
const vad = new Float32Array(10 * perSecond).map((_, at) => {
  const seconds = at / perSecond
  return (seconds >= 1 && seconds < 4) || (seconds >= 5 && seconds < 7) ? 0.95 : 0.01
})
const window = { start: 0, end: 10 }

/** `text` or `text .46`, a quarter second each. */
function said(line: string, start: number): RecognisedWord[] {
  return [...line.matchAll(/([^\s.]\S*)(?: (\.\d+))?/g)].map(([, text = '', confidence], at) => ({
    text,
    confidence: Number(confidence ?? 0.95),
    start: start + at * 0.25,
    end: start + at * 0.25 + 0.25,
  }))
}

function textOf(words: readonly RecognisedWord[]): string {
  return words.map(({ text }) => text).join(' ')
}

const before = said('This is the acoustic corpus.', 1)
const first = { window, words: [...before, ...said('And here are .46 some more words.', 5)] }
const phrase = { start: 4.9, end: 7.1 }

function settled(line: string, words = first.words): string {
  return textOf(settleDoubts({ window, words }, [{ window: phrase, words: said(line, 0.1) }]))
}

test('the phrase with a word in doubt is heard again, from pause to pause', () => {
  const [doubt, ...others] = findDoubted(vad, first)
  assert.deepEqual(others, [])
  assert.ok(doubt && Math.abs(doubt.start - 4.9) < 0.05 && Math.abs(doubt.end - 7.1) < 0.05)
  const sure = first.words.map((word) => ({ ...word, confidence: 0.95 }))
  assert.deepEqual(findDoubted(vad, { window, words: sure }), [])
  const both = first.words.map((word, at) => (at === 1 ? { ...word, confidence: 0.5 } : word))
  const sparse = [...both, ...said('one two three four five six seven eight nine', 7.5)]
  assert.deepEqual(findDoubted(vad, { window, words: sparse }), [doubt], 'of two the lesser one')
  const noise = first.words.map((word) => ({ ...word, confidence: 0.4 }))
  assert.deepEqual(findDoubted(vad, { window, words: noise }), [], 'bad sound stays bad')
})

test('a word in doubt gives way to one that is surer, and no other word does', () => {
  const held = 'This is the acoustic corpus. And'
  assert.equal(settled('and here’s .72 some more words'), `${held} here’s some more words.`)
  assert.equal(settled('and here’s .55 some more words'), textOf(first.words), 'hardly surer')
  assert.equal(settled('and here some more words'), textOf(first.words), 'nothing said is lost')
  const words = first.words.map((word) =>
    word.text === 'more' ? { ...word, confidence: 0.7 } : word,
  )
  assert.equal(settled('and here are some old .99 words', words), textOf(words), 'a sure word')
  assert.equal(settled('but there goes the .9 milkman'), textOf(first.words), 'another sentence')
})

test('a word that is taken stands at its place, with the capital and the mark of the old one', () => {
  const words = [...before, ...said('It .34 cars, .4 but so what.', 5)]
  const settledWords = settleDoubts({ window, words }, [
    { window: phrase, words: said('who cares but so what', 0.1) },
  ])
  assert.equal(textOf(settledWords), 'This is the acoustic corpus. Who cares, but so what.')
  const taken = settledWords[before.length]!
  assert.deepEqual([taken.start, taken.end, taken.confidence], [5, 5.25, 0.95])
})

test('the second hearing of another stretch changes nothing', () => {
  const elsewhere = { window: { start: 9.5, end: 10 }, words: said('here’s', 0.1) }
  assert.deepEqual(settleDoubts(first, [elsewhere]), first.words)
})
