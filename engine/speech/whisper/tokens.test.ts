import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokenBytes, tokensById, wordsOfTokens } from './tokens.ts'

function tokens(...texts: (string | Uint8Array)[]) {
  return texts.map((text, index) => ({
    bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text,
    logProbability: Math.log(0.5),
    start: index,
    end: index + 1,
  }))
}

function texts(...parts: (string | Uint8Array)[]): string[] {
  return wordsOfTokens(tokens(...parts), 'en').map((word) => word.text)
}

test('pieces of a word, its apostrophe, hyphen and full stop stay together', () => {
  assert.deepEqual(texts(' I', "'m", ' self', '-', 'sub', 'stantial', '.'), [
    "I'm",
    'self-substantial.',
  ])
  assert.deepEqual(texts(' about', ' 1', ',', '000', '%', '?'), ['about', '1,000%?'])
})

test('marks without a sound belong to a neighbour, and the words joined are the text', () => {
  assert.deepEqual(texts(' wait', ' —', ' what', '?'), ['wait —', 'what?'])
  assert.deepEqual(texts(' "', 'Yes', '"'), ['"Yes"'])
})

test('a word lasts from its first token to its last and has their mean confidence', () => {
  const [word] = wordsOfTokens(tokens(' ac', 'ou', 'stic'), 'en')
  assert.equal(word?.start, 0)
  assert.equal(word?.end, 3)
  assert.ok(Math.abs((word?.confidence ?? 0) - 0.5) < 1e-9)
})

test('a character that is split over tokens is put together, with or without spaces', () => {
  const bytes = new TextEncoder().encode('é')
  assert.deepEqual(texts(' caf', bytes.slice(0, 1), bytes.slice(1)), ['café'])
  const kanji = new TextEncoder().encode('字')
  const parts = tokens('漢', kanji.slice(0, 2), kanji.slice(2), '。')
  assert.deepEqual(
    wordsOfTokens(parts, 'ja').map((word) => word.text),
    ['漢', '字。'],
  )
})

test('Latin words and figures within a script without spaces are whole words', () => {
  const parts = tokens('私', 'は', ' New', ' Yor', 'k', 'に', '202', '4', '年', '3', '.', '5', '。')
  assert.deepEqual(
    wordsOfTokens(parts, 'ja').map((word) => word.text),
    ['私', 'は', 'New', 'York', 'に', '2024', '年', '3.5。'],
  )
})

test('a vocabulary gives its tokens by id, without the special ones, and their bytes', () => {
  const tokens = tokensById({ Ġcaf: 2, 'Ã©': 0, '<|endoftext|>': 3 }, 3)
  assert.deepEqual([tokens[0], tokens[1], tokens[2], tokens.length], ['Ã©', undefined, 'Ġcaf', 3])
  assert.equal(Buffer.from(tokenBytes(tokens[0]!)).toString(), 'é')
  assert.equal(Buffer.from(tokenBytes(tokens[2]!)).toString(), ' caf')
})

test('a file that is no vocabulary is refused', () => {
  for (const wrong of [null, 'text', { token: '1' }, { token: 1.5 }, { token: -1 }, ['a']]) {
    assert.throws(() => tokensById(wrong, 3), /vocabulary/)
  }
})
