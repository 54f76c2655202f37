import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinWords } from './join-words.ts'

const cases: [language: string, words: string[], text: string][] = [
  ['en', ['Hello', 'my', 'friend.'], 'Hello my friend.'],
  ['ja', ['今', '日', 'は', '良', 'い。'], '今日は良い。'],
  ['ja', ['は', 'い。', 'Hello', 'my', 'friend.', 'で', 'す。'], 'はい。Hello my friend.です。'],
  ['ja', ['私', 'は', 'New', 'York', 'に', '10', '年'], '私はNew Yorkに10年'],
  ['en', ['He', 'said', '今', '日', 'は', 'twice.'], 'He said 今日は twice.'],
  ['th', ['สวัส', 'ดี', 'John', 'Smith'], 'สวัสดีJohn Smith'],
  ['ja', ['スー', 'パー', '♪', '店'], 'スーパー♪店'],
]
for (const [language, words, text] of cases) {
  test(`${language}: ${text}`, () => {
    assert.equal(joinWords(words, language), text)
  })
}
