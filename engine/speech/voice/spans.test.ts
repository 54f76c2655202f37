import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { placeWords } from './spans.ts'

test('words are in order, inside the file and never without length', () => {
  const time = fc.double({ min: -1, max: 12, noNaN: true })
  const word = fc.record({ start: time, end: time })
  const duration = 10
  fc.assert(
    fc.property(fc.array(fc.array(word, { maxLength: 5 }), { maxLength: 4 }), (windows) => {
      const heard = windows.map((words, index) => ({
        words,
        window: { start: index * 3, end: index * 3 + 3 },
      }))
      const placed = placeWords(heard, duration)
      assert.equal(placed.length, windows.flat().length)
      placed.forEach(({ start, end }, index) => {
        assert.ok(start >= (placed[index - 1]?.start ?? 0))
        assert.ok(end > start)
        assert.ok(end <= duration)
      })
    }),
  )
})

test('words heard within a longer window stand between its words', () => {
  const word = (text: string, start: number) => ({ text, start, end: start + 0.5 })
  const placed = placeWords(
    [
      { words: [word('one', 0), word('four', 6)], window: { start: 1, end: 9 } },
      { words: [word('two', 0.2), word('three', 1)], window: { start: 3, end: 5 } },
    ],
    10,
  )
  assert.deepEqual(
    placed.map(({ text, start }) => [text, start]),
    [
      ['one', 1],
      ['two', 3.2],
      ['three', 4],
      ['four', 7],
    ],
  )
})
