import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import createModule from 'soundswallower'
import { loadWeights, packageFolder } from '../../models/weights.ts'
import { openDictionary } from './dictionary.ts'
import { slow } from '../../../test/support/slow.ts'

const file = Buffer.from(
  ['a AH', 'a(2) EY', "a's EY Z", 'bat B AE T', 'at AE  T ', 'at(2) AH T', 'at(3) EH T'].join('\n'),
)

test('gives every way to say a word, and of no other word', () => {
  const { waysToSay } = openDictionary(file)
  assert.deepEqual(waysToSay('a'), [
    ['a', 'AH'],
    ['a(2)', 'EY'],
  ])
  assert.deepEqual(waysToSay('at'), [
    ['at', 'AE T'],
    ['at(2)', 'AH T'],
    ['at(3)', 'EH T'],
  ])
  assert.deepEqual(waysToSay("a's"), [["a's", 'EY Z']])
  assert.deepEqual(waysToSay('b'), [])
  assert.deepEqual(waysToSay('AH'), [])
})

test('the aligner knows the same words from its own dictionary', slow, async () => {
  for (const [id, words] of [
    ['align-en', ['the', 'read', "don't", 'tuesday', 'zzz', 'a']],
    ['align-fr', ['le', 'été', "aujourd'hui", 'zzz', 'plus']],
  ] as const) {
    const hmm = await loadWeights(id)
    const module = await createModule({
      modelBase: path.join(packageFolder('soundswallower'), 'model/'),
    })
    const decoder = new module.Decoder({ hmm, samprate: 16_000, loglevel: 'FATAL' })
    await decoder.initialize()
    const { waysToSay } = openDictionary(await readFile(path.join(hmm, 'dict.txt')))
    for (const word of words) {
      const ways = waysToSay(word)
      assert.equal(ways[0]?.[1] ?? null, decoder.lookup_word(word))
      for (const [name, phones] of ways) assert.equal(decoder.lookup_word(name), phones)
      assert.equal(decoder.lookup_word(`${word}(${ways.length + 1})`), null)
    }
  }
})
