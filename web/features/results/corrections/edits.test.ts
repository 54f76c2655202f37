import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { correctFindings } from '../../../../domain/findings/correct.ts'
import { noCorrections } from '../../../../domain/findings/no-corrections.ts'
import type { Corrections } from '../../../../domain/findings/corrections.ts'
import type { FindingsOf } from '../../../../domain/findings/findings.ts'
import { editParagraph } from './edit-paragraph.ts'
import { groupWords, placesOf, replacePlaces } from './edit-words.ts'
import { mergeCorrections, takeMine } from './merge-corrections.ts'

/** One word each second, of half a second. */
function transcript(text: string): FindingsOf<'transcription'> {
  const words = text.split(' ').map((word, index) => ({
    text: word,
    confidence: 0.9,
    speaker: null,
    start_frame: index * 25,
    end_frame: index * 25 + 12,
    start_time: `${index * 25}/25`,
    end_time: `${index * 25 + 12}/25`,
    start: index,
    end: index + 12 / 25,
  }))
  const { speaker: _, confidence: __, ...first } = words[0]!
  const last = words.at(-1)!
  const all = {
    ...first,
    end_frame: last.end_frame,
    end_time: last.end_time,
    end: last.end,
    text,
    first_word: 0,
    last_word: words.length - 1,
  }
  const model = { model: 'test', word_times: 'aligned' as const }
  return {
    language: 'en',
    language_confidence: 1,
    text,
    words,
    sentences: [all],
    paragraphs: [all],
    ...model,
  }
}

const detected = transcript('We sail to Hamburg, every single day')

function shownUnder(corrections: Corrections): FindingsOf<'transcription'> {
  return correctFindings({ transcription: detected }, corrections).findings.transcription!
}

function edit(corrections: Corrections) {
  const shown = shownUnder(corrections)
  const groups = groupWords(detected, corrections.words)
  const range = { first: 0, last: shown.words.length - 1 }
  return editParagraph({ corrections, detected, shown, groups, range })
}

test('a new text becomes one correction for each run that differs', () => {
  const next = edit(noCorrections).save('We will sail to Homburg, every day')
  assert.deepEqual(
    next.words.map(({ from, to }) => [from, to]),
    [
      ['We', 'We will'],
      ['Hamburg,', 'Homburg,'],
      ['single', null],
    ],
  )
  const { words, text } = shownUnder(next)
  assert.equal(text, 'We will sail to Homburg, every day')
  assert.equal(words.find((word) => word.text === 'Homburg,')?.start, 3)
  assert.equal(words.at(-1)?.start, 6)
})

test('any text can be typed, any number of times, and reverting leaves what was found', () => {
  const word = fc.constantFrom('We', 'sail', 'to', 'Hamburg,', 'every', 'single', 'day', 'and', 'x')
  const sentence = fc.array(word, { minLength: 1, maxLength: 12 }).map((list) => list.join(' '))
  fc.assert(
    fc.property(fc.array(sentence, { minLength: 1, maxLength: 3 }), (texts) => {
      let corrections = noCorrections
      for (const text of texts) {
        corrections = edit(corrections).save(text)
        const { findings, unmatched } = correctFindings({ transcription: detected }, corrections)
        assert.equal(findings.transcription?.text, text)
        assert.deepEqual(unmatched, [])
      }
      assert.equal(edit(edit(corrections).revert()).text, detected.text)
    }),
  )
})

test('a word marked as not spoken stays known beside its neighbours', () => {
  const next = edit(noCorrections).save('We sail to every single day')
  const group = groupWords(detected, next.words)[3]
  assert.deepEqual([group?.detected, group?.shown, group?.firstShown], ['Hamburg,', 0, 3])
})

test('a paragraph is split at the cursor, and joining takes that back', () => {
  const text = detected.text
  const split = edit(noCorrections).split(text, text.indexOf('every'))
  assert.deepEqual(split.paragraphs, [{ at: 4, action: 'split' }])
  const shown = shownUnder(split)
  assert.equal(shown.paragraphs[1]?.text, 'every single day')
  const groups = groupWords(detected, [])
  const range = { first: 4, last: 6 }
  const second = editParagraph({ corrections: split, detected, shown, groups, range })
  assert.deepEqual(second.join('every single day').paragraphs, [])
})

test('a phrase is replaced in whole words and keeps its punctuation', () => {
  const groups = groupWords(detected, [])
  const places = placesOf(detected, groups, { find: 'TO hamburg', replace: 'from Homburg' })
  assert.equal(places.length, 1)
  const next = replacePlaces(noCorrections, detected, places)
  assert.equal(shownUnder(next).text, 'We sail from Homburg, every single day')
  assert.equal(placesOf(detected, groups, { find: 'burg', replace: 'x' }).length, 0)
})

test('corrections of two tabs are merged; the same word is left to decide', () => {
  const say = (text: string) => edit(noCorrections).save(text)
  const mine = say('We sail to Homburg, every single night')
  const theirs = say('They sail to Harburg, every single day')
  const merged = mergeCorrections({ base: noCorrections, mine, theirs })
  assert.deepEqual(
    merged.conflicts.map((conflict) => conflict.key),
    ['word 3'],
  )
  assert.equal(shownUnder(merged.value).text, 'They sail to Harburg, every single night')
  const chosen = merged.conflicts.reduce(takeMine, merged.value)
  assert.equal(shownUnder(chosen).text, 'They sail to Homburg, every single night')
  assert.deepEqual(mergeCorrections({ base: mine, mine, theirs }).value, theirs)
  const turned = theirs.words.map(({ start, end, from, to }) => ({ to, from, end, start }))
  const again = { base: noCorrections, mine: theirs, theirs: { ...theirs, words: turned } }
  assert.deepEqual(mergeCorrections(again).conflicts, [])
})
