import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spliceOverlaps } from './splice.ts'

type Hearing = Parameters<typeof spliceOverlaps>[0][number]

/** Words of half a second, from so many seconds of the file on. */
function hear(start: number, end: number, from: number, text: string): Hearing {
  const words = text.split(' ').map((word, index) => ({
    text: word,
    start: from + index / 2 - start,
    end: from + index / 2 + 0.5 - start,
    confidence: 0.9,
  }))
  return { window: { start, end }, words }
}

const textOf = (windows: ReturnType<typeof spliceOverlaps>) =>
  windows.flatMap(({ words }) => words.map(({ text }) => text)).join(' ')

test('two windows that share two seconds write each word once', () => {
  const first = hear(0, 11, 8, 'we all went down to the')
  const second = hear(9, 20, 9.05, 'went down, to the old harbour')
  const joined = spliceOverlaps([second, first])
  assert.equal(textOf(joined), 'we all went down to the old harbour')
  const [left, right] = joined
  assert.equal(left?.span?.end, right?.span?.start)
})

test('a word that is cut at the edge is taken from the window that has it whole', () => {
  const first = hear(0, 11, 9, 'down to the har')
  const second = hear(9, 20, 9.5, 'to the harbour wall')
  assert.equal(textOf(spliceOverlaps([first, second])), 'down to the harbour wall')
})

test('where the windows agree on nothing each keeps its half, and no word goes missing', () => {
  const first = hear(0, 11, 9, 'one two')
  const second = hear(9, 20, 10, 'three four')
  assert.equal(textOf(spliceOverlaps([first, second])), 'one two three four')
  const late = hear(0, 11, 10.2, 'five')
  assert.equal(textOf(spliceOverlaps([late, hear(9, 20, 11, 'six')])), 'five six')
})

test('windows that share nothing stay as they are', () => {
  const apart = [hear(0, 10, 1, 'one'), hear(10, 20, 11, 'one')]
  assert.deepEqual(spliceOverlaps(apart), apart)
})
