import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Word } from './findings.ts'
import { joinerOf } from './replace-words.ts'

function said(text: string, words: string[]): { text: string; words: Word[] } {
  return { text, words: words.map((word) => ({ text: word })) as Word[] }
}

test('words are joined as their language does it, whatever foreign name stands among them', () => {
  const spoken = 'so we cut here'
  assert.equal(joinerOf(said(spoken, spoken.split(' '))), ' ')
  assert.equal(joinerOf(said('我们在这里剪', ['我们', '在', '这里', '剪'])), '')
  const mixed = '我们用iPhone 15 Pro在这里拍'
  assert.equal(joinerOf(said(mixed, ['我们', '用', 'iPhone', '15', 'Pro', '在', '这里', '拍'])), '')
  assert.equal(joinerOf(said('Cut.', ['Cut.'])), ' ')
})
