import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HeardWindow } from '../hear-windows.ts'
import { believeHearings } from './believe.ts'

const vad = new Float32Array(300).fill(0.95)

/** Words of a quarter second; `sure` is the confidence of some of them, by their place. */
function heard(
  window: { start: number; end: number },
  line: string,
  sure: Record<number, number> = {},
  more: Partial<HeardWindow> = {},
): HeardWindow {
  return {
    window,
    words: line.split(' ').map((text, at) => ({
      text,
      start: at * 0.25,
      end: at * 0.25 + 0.25,
      confidence: sure[at] ?? 0.95,
    })),
    wordTimes: 'aligned',
    language: 'en',
    languages: [{ language: 'en', probability: 0.99 }],
    noSpeech: 0.01,
    meanLogProbability: -0.1,
    looped: false,
    ...more,
  }
}

function textOf(first: HeardWindow, second: HeardWindow): string {
  const believed = believeHearings([{ first, second: [second] }], { vad, language: 'en' })
  return believed.flatMap(({ words }) => words.map(({ text }) => text)).join(' ')
}

const window = { start: 0, end: 2.5 }
const first = heard(window, 'This is the corpus, and here are some more words.', { 6: 0.46 })

test('a second hearing of the same phrase gives its sure words for those in doubt', () => {
  const second = heard(window, 'This is the corpus, and here’s some more words.')
  assert.equal(textOf(first, second), 'This is the corpus, and here’s some more words.')
})

test('a second hearing that loops, or hears another language, changes no word', () => {
  const line = 'This is the corpus, and here’s some more words.'
  const written = first.words.map(({ text }) => text).join(' ')
  assert.equal(textOf(first, heard(window, line, {}, { looped: true })), written)
  assert.equal(textOf(first, heard(window, line, {}, { language: 'nl' })), written)
})

test('more words are believed where they are as sure as the first ones', () => {
  const known = heard(window, 'but as the riper should by time decease', { 3: 0.5, 7: 0.5 })
  const more = 'but as the riper should by time to cease'
  assert.equal(textOf(known, heard(window, more)), more)
  const less = { 0: 0.48, 2: 0.5, 3: 0.5, 7: 0.5, 8: 0.5 }
  const written = known.words.map(({ text }) => text).join(' ')
  assert.equal(textOf(known, heard(window, more, less)), written)
})
