import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRange, strike } from './cut-edit.ts'
import { cutTranscript, spanOf, spokenText } from './cut-text.ts'
import type { CutTranscript } from './cut.ts'
import type { Media } from '../findings/findings.ts'

const id = '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34'
const media = { kind: 'video', frames: 1000, frame_rate: '25/1' } as Media
const source = { content_id: id, name: 'A.mov', offline: false, media, frame_times: null }
const words: CutTranscript['words'] = [
  { text: 'one', in: 0, out: 10, speaker: 'Lena' },
  { text: 'two', in: 10, out: 20, speaker: 'Lena' },
  { text: 'three', in: 30, out: 40, speaker: 'Tom' },
  { text: 'four', in: 40, out: 50, speaker: 'Lena' },
]
const text: CutTranscript = { content_id: id, language: 'en', joiner: ' ', words }
const read = (ranges: Parameters<typeof cutTranscript>[0]['ranges']) =>
  cutTranscript({ frame_rate: '25', ranges }, [{ ...source, transcribed: true }], [text])

test('a range becomes a passage for each speaker, and passages meet', () => {
  const passages = read([newRange({ content_id: id, in: 0, out: 60 })])
  assert.deepEqual(
    passages.map((text) => [text.speaker, spokenText(text), text.in, text.out, text.recordIn]),
    [
      ['Lena', 'one two', 0, 30, 0],
      ['Tom', 'three', 30, 40, 30],
      ['Lena', 'four', 40, 60, 40],
    ],
  )
})

test('struck words stay readable, and what follows plays earlier', () => {
  const ranges = strike([newRange({ id: 'a', content_id: id, in: 0, out: 60 })], 'a', {
    in: 10,
    out: 20,
  })
  const passages = read(ranges)
  assert.deepEqual(
    passages.map((text) => [spokenText(text), text.recordIn, text.recordFrames]),
    [
      ['one', 0, 20],
      ['three', 20, 10],
      ['four', 30, 20],
    ],
  )
  assert.deepEqual(
    passages[0]?.words.map((word) => word.struck),
    [false, true],
  )
  const gone = read(strike(ranges, 'a', { in: 0, out: 30 }))
  assert.deepEqual([gone[0]?.recordIn, gone[0]?.recordFrames], [null, 0])
})

test('a word belongs to the range that holds its middle, and disabled ranges play nowhere', () => {
  const passages = read([
    newRange({ content_id: id, in: 4, out: 16, disabled: true }),
    newRange({ content_id: id, in: 100, out: 200 }),
  ])
  assert.deepEqual(
    passages.map((text) => [spokenText(text), text.disabled, text.recordIn]),
    [
      ['one two', true, null],
      ['', false, 0],
    ],
  )
})

test('the span of words is what is struck; no words have none', () => {
  assert.deepEqual(spanOf(words.slice(1, 3)), { in: 10, out: 40 })
  assert.equal(spanOf([]), null)
})
