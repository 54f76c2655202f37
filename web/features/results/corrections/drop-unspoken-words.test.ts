import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dropUnspokenWords } from './drop-unspoken-words.ts'

/** The text with the part between the brackets selected. */
function without(marked: string, joiner: string): string {
  const from = marked.indexOf('[')
  const to = marked.indexOf(']') - 1
  return dropUnspokenWords(marked.replaceAll(/[[\]]/g, ''), { from, to, joiner })
}

test('every word that the selection touches goes', () => {
  assert.equal(without('We w[ai]ted for fog', ' '), 'We for fog')
  assert.equal(without('We wa[ited fo]r fog', ' '), 'We fog')
  assert.equal(without('[We ]waited', ' '), 'waited')
})

test('in a language without spaces only the selected words go, not the paragraph', () => {
  assert.equal(without('我们[等了]很久', ''), '我们很久')
  assert.equal(without('霧が[来]ました。', ''), '霧がました。')
  assert.equal(without('我们等了很[久]', ''), '我们等了')
})
