import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FindingsOf } from '../../../../domain/findings/findings.ts'
import { findSaid, layOut, partsOf, passageOf, wordAt } from './transcript-layout.ts'

function transcript(words: [string, number, number, number?][]): FindingsOf<'transcription'> {
  const span = (start: number, end: number) => ({
    start,
    end,
    start_frame: Math.floor(start * 25),
    end_frame: Math.floor(end * 25),
    start_time: `${Math.floor(start * 1000)}/1000`,
    end_time: `${Math.floor(end * 1000)}/1000`,
  })
  return {
    language: 'en',
    language_confidence: 1,
    text: words.map(([text]) => text).join(' '),
    model: 'test',
    word_times: 'aligned',
    sentences: [],
    words: words.map(([text, start, end, confidence = 0.9]) => ({
      ...span(start, end),
      text,
      confidence,
      speaker: null,
    })),
    paragraphs: [
      {
        ...span(words[0]?.[1] ?? 0, words.at(-1)?.[2] ?? 0),
        text: '',
        first_word: 0,
        last_word: words.length - 1,
      },
    ],
  }
}

test('each word stands at its own place in the paragraph', () => {
  const [paragraph] = layOut(
    transcript([
      ['We', 0, 0.2],
      ['waited.', 0.3, 0.8],
    ]),
  )
  assert.equal(paragraph?.text, 'We waited.')
  for (const word of paragraph?.words ?? []) {
    assert.equal(paragraph?.text.slice(word.from, word.to), word.text)
  }
})

test('a pause is written out and a click after it finds the next word', () => {
  const [paragraph] = layOut(
    transcript([
      ['No.', 0, 0.3],
      ['Yes.', 2.1, 2.4],
    ]),
  )
  assert.equal(paragraph?.text, 'No. [pause 1.8 s] Yes.')
  assert.ok(paragraph)
  assert.equal(wordAt(paragraph, paragraph.text.length)?.text, 'Yes.')
  assert.equal(wordAt(paragraph, 1)?.text, 'No.')
})

test('the parts of a paragraph are its text, the unsure words apart', () => {
  const [paragraph] = layOut(
    transcript([
      ['Mumbled', 0, 0.2, 0.2],
      ['twice,', 0.3, 0.8, 0.49],
      ['then', 0.9, 1.1],
      ['clear.', 1.2, 1.4, 0.5],
    ]),
  )
  assert.ok(paragraph)
  const parts = partsOf(paragraph)
  assert.equal(parts.map((part) => part.text).join(''), paragraph.text)
  for (const { from, text } of parts) {
    assert.equal(paragraph.text.slice(from, from + text.length), text)
  }
  const unsure = parts.filter((part) => part.look === 'unsure').map((part) => part.text)
  assert.deepEqual(unsure, ['Mumbled', 'twice,'])
})

test('a passage is found across case, punctuation and pauses, as often as it is said', () => {
  const paragraphs = layOut(
    transcript([
      ['The', 0, 0.2],
      ['river.', 0.3, 0.8],
      ['We', 2.4, 2.6],
      ['don’t', 2.7, 2.9],
      ['wait;', 3, 3.2],
      ['the', 3.3, 3.5],
      ['river', 3.6, 4],
    ]),
  )
  const text = paragraphs[0]?.text ?? ''
  const detected = (query: string) =>
    findSaid(paragraphs, query).map((hit) => [hit.startFrame, text.slice(hit.from, hit.to)])
  assert.deepEqual(detected('RIVER'), [
    [7, 'river'],
    [90, 'river'],
  ])
  assert.deepEqual(detected(' river   we'), [[7, 'river. [pause 1.6 s] We']])
  assert.deepEqual(detected('we dont wait the riv'), [[60, 'We don’t wait; the riv']])
  assert.deepEqual(detected('pause'), [])
  assert.deepEqual(detected(' ; '), [])
})

test('selected words are a passage from the first to the last of them, cut ones included', () => {
  const [paragraph] = layOut(
    transcript([
      ['We', 0, 0.2],
      ['never', 0.4, 0.8],
      ['planned.', 1, 1.4],
    ]),
  )
  assert.ok(paragraph)
  const passage = (from: number, to: number) =>
    passageOf({ paragraph, offset: from }, { paragraph, offset: to })
  assert.deepEqual(passage(4, 11), { startFrame: 10, endFrame: 35 })
  assert.deepEqual(passage(2, 8), { startFrame: 10, endFrame: 20 })
  assert.equal(passage(2, 3), null)
})

test('a paragraph is split where another person is seen to speak, not where nobody is', () => {
  const spoken = transcript([
    ['Who', 0, 0.2],
    ['knew?', 0.3, 0.8],
    ['I', 1, 1.2],
    ['did.', 1.3, 1.6],
    ['Oh.', 1.8, 2],
  ])
  const speakers = ['face-1', null, 'face-2', 'face-2', 'face-1']
  spoken.words.forEach((word, index) => (word.speaker = speakers[index] ?? null))
  assert.deepEqual(
    layOut(spoken).map(({ index, speaker, text, startFrame }) => [
      index,
      speaker,
      text,
      startFrame,
    ]),
    [
      [0, 'face-1', 'Who knew?', 0],
      [1, 'face-2', 'I did.', 25],
      [2, 'face-1', 'Oh.', 45],
    ],
  )
})

test('a language without spaces is written and found without them', () => {
  const detected = transcript([
    ['今日', 0, 0.4],
    ['は', 0.4, 0.6],
    ['良い', 0.6, 1],
    ['天気', 3, 3.4],
  ])
  const [paragraph] = layOut({ ...detected, text: '今日は良い天気' })
  assert.ok(paragraph)
  assert.equal(paragraph.text, '今日は良い [pause 2.0 s] 天気')
  for (const query of ['日は良', '日 は 良', '良い天']) {
    const [hit] = findSaid([paragraph], query)
    assert.ok(hit, query)
    assert.equal(hit.startFrame, query.startsWith('日') ? 0 : 15)
  }
  const [hit] = findSaid([paragraph], '日は良')
  assert.equal(paragraph.text.slice(hit?.from, hit?.to), '日は良')
})
