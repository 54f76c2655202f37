import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bringBack, newRange, strike } from '../../../../domain/cuts/cut-edit.ts'
import type { FrameSpan } from '../../../../domain/cuts/cut.ts'
import { layOutPassage, restoredSpan, struckSpan, wordsBetween } from './passage-words.ts'

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

const passage = { words, in: 0, out: 25 }
const range = newRange({ content_id: 'a', in: 0, out: 25 })
const secondsOf = (span: FrameSpan) => (span.out - span.in) / 25
const place = { range, secondsOf, cutPoints: [] }

test('a pause between two struck words is struck with the second of them', () => {
  const [once] = strike([range], range.id, { in: 7, out: 10 })
  const span = struckSpan(passage, [words[2]!], { ...place, range: once! })
  assert.deepEqual(span, { in: 10, out: 25 }, 'and the end of the passage')
  assert.deepEqual(struckSpan(passage, [words[1]!], place), { in: 7, out: 10 })
})

test('a struck word takes the pause up to a cut point, and nothing of its neighbours', () => {
  const snapped = (cutPoints: number[]) => struckSpan(passage, [words[1]!], { ...place, cutPoints })
  assert.deepEqual(snapped([6, 11]), { in: 6, out: 11 })
  assert.deepEqual(snapped([4, 8, 13]), { in: 7, out: 10 }, 'inside of words')
  const apart = [word('So', 0, 5), word('we', 20, 30), word('wait', 60, 70)]
  const far = { words: apart, in: 0, out: 80 }
  const span = struckSpan(far, [apart[1]!], { ...place, cutPoints: [13, 36] })
  assert.deepEqual(span, { in: 20, out: 36 }, 'at most six frames away')
})

test('a word that comes back brings the pauses to the words that stay', () => {
  const [once] = strike([range], range.id, { in: 6, out: 11 })
  const span = restoredSpan(passage, [words[1]!], once!)
  assert.deepEqual(span, { in: 5, out: 12 })
  assert.deepEqual(bringBack([once!], range.id, span)[0]?.removed, [])
  const [both] = strike([once!], range.id, { in: 11, out: 25 })
  assert.deepEqual(restoredSpan(passage, [words[1]!], both!), { in: 5, out: 10 })
})
