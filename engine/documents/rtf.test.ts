import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rtfText } from './rtf.ts'

/** As programs write it, and what a person reads. */
const cases: [writer: string, source: string, text: string][] = [
  ['TextEdit', String.raw`{\rtf1\ansi\ansicpg1252\uc0\u1055 \u1088 \u1080 \u1074 }`, 'Прив'],
  ['Word', String.raw`{\rtf1\ansi\ansicpg1251\uc1\u1055\'cf\u1088\'f0 \'e8!}`, 'Пр и!'],
  ['a code page', String.raw`{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8\'e2}`, 'Прив'],
  ['two bytes a letter', String.raw`{\rtf1\ansi\ansicpg932 \'93\'fa\'96\'7b}`, '日本'],
  [
    'a second byte that is a letter or a sign',
    String.raw`{\rtf1\ansi\ansicpg932{\fonttbl{\f0\fcharset128 MS;}}\f0 \'83e\'83X\'83g a\'94\\ \'83\{b}`,
    'テスト a能 ボb',
  ],
  [
    'fonts with code pages of their own',
    String.raw`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fnil\fcharset204{\*\fname Arial;}Arial;}}` +
      String.raw`\f1 \'cf\'f0{\f0 \'e9}\'e8\plain \'e9}`,
    'Прéиé',
  ],
  ['a smart quote', String.raw`{\rtf1\ansi\ansicpg1252 don\'92t}`, 'don’t'],
  ['named signs', String.raw`{\rtf1 don\rquote t a\emdash b \{c\} d\\e}`, 'don’t a—b {c} d\\e'],
  ['a letter of two halves', String.raw`{\rtf1\uc1\u-10179?\u-8694?}`, '😊'],
  ['two stand-ins in one group', String.raw`{\rtf1{\uc2\u8364 EU}R}`, '€R'],
  ['a word that nobody knows', String.raw`{\rtf1 a\constructor b\toString c}`, 'abc'],
  ['lines of the file', '{\\rtf1 one\r\n two\\par\r\nthree}', 'one two\nthree'],
]

for (const [writer, source, text] of cases) {
  test(`rich text of ${writer}`, () => {
    assert.equal(rtfText(source).text, text)
  })
}

test('title and author are read like the text', () => {
  const { title, author, text } = rtfText(
    String.raw`{\rtf1\ansicpg1252{\info{\title Caf\'e9}{\author \uc0\u1040 \u1085 }}Hi}`,
  )
  assert.deepEqual([title, author, text], ['Café', 'Ан', 'Hi'])
})
