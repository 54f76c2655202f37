import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeNumbers } from './write-numbers.ts'

const cases: [heard: string, written: string][] = [
  ['1. From fairest creatures', 'One. From fairest creatures'],
  ['We need 2 cameras and 10 lights.', 'We need two cameras and ten lights.'],
  ['Only 1, he said, "3?"', 'Only one, he said, "three?"'],
  ['It is over. 4 of us stayed.', 'It is over. Four of us stayed.'],
  ['I have 5.', 'I have five.'],
  ['Scene 4, Take 3, on March 5.', 'Scene 4, Take 3, on March 5.'],
  ['at 7 p.m. with 5 mm', 'at 7 p.m. with 5 mm'],
  ['3 million in 9% or $5', '3 million in 9% or $5'],
  ['call 5 5 5 1 2', 'call 5 5 5 1 2'],
  ['10, 9, 8, go', '10, 9, 8, go'],
  ['Did you? No. 5 is here.', 'Did you? No. 5 is here.'],
  ['11 of 24 at 3:30 on the 2nd', '11 of 24 at 3:30 on the 2nd'],
]
for (const [heard, written] of cases) {
  test(`“${heard}” is written “${written}”`, () => {
    const words = heard.split(' ').map((text) => ({ text, language: 'en' }))
    const result = writeNumbers(words)
    assert.equal(result.map((word) => word.text).join(' '), written)
    assert.equal(result.length, words.length)
  })
}

test('a number in a passage of another language stays a figure', () => {
  const said = (text: string, language: string) =>
    text.split(' ').map((word) => ({ text: word, language }))
  const words = [...said('I have 3 children.', 'en'), ...said('Ich habe 3 Kinder.', 'de')]
  const text = writeNumbers(words)
    .map((word) => word.text)
    .join(' ')
  assert.equal(text, 'I have three children. Ich habe 3 Kinder.')
})
