import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strike } from '../../../../contract/cut-edit.ts'
import { newRange } from '../../../../contract/cut-edit.ts'
import { layOutPassage, struckSpan, wordsBetween } from './passage-words.ts'

const word = (text: string, from: number, to: number, struck = false) => ({
  text,
  in: from,
  out: to,
  speaker: null,
  struck,
})
const words = [word('So', 0, 5), word('we', 7, 10, true), word('wait', 12, 20)]

test('a passage is laid out in runs of kept and struck words', () => {
  const shown = layOutPassage({ words, joiner: ' ' }, true)
  assert.equal(shown.runs.map(({ text }) => text).join(''), 'So we wait')
  assert.deepEqual(
    shown.runs.map(({ struck }) => struck),
    [false, true, false],
  )
  assert.deepEqual(
    wordsBetween(shown, { from: 4, to: 7 }).map(({ text }) => text),
    ['we', 'wait'],
  )
})

test('without its removed words the rest stands together', () => {
  const shown = layOutPassage({ words, joiner: ' ' }, false)
  assert.equal(shown.runs.map(({ text }) => text).join(''), 'So wait')
  assert.equal(wordsBetween(shown, { from: 3, to: 3 })[0]?.text, 'wait')
})

test('a pause between two struck words is struck with the second of them', () => {
  const range = newRange({ content_id: 'a', in: 0, out: 25 })
  const [once] = strike([range], range.id, { in: 7, out: 10 })
  const span = struckSpan({ words }, [words[2]!], { range: once!, framesPerSecond: 25 })
  assert.deepEqual(span, { in: 10, out: 25 }, 'and the end of the range')
  const alone = struckSpan({ words }, [words[1]!], { range, framesPerSecond: 25 })
  assert.deepEqual(alone, { in: 7, out: 10 })
})
