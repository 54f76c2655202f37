/** Edits one paragraph of the transcript, as changes of the corrections. */
import { correctFindings } from '../../../../domain/findings/correct.ts'
import type { Corrections } from '../../../../domain/findings/corrections.ts'
import type { FindingsOf } from '../../../../domain/findings/findings.ts'
import { joinerOf } from '../../../../domain/findings/replace-words.ts'
import { joinAt, splitAt } from './edit-paragraphs.ts'
import { editWords, groupsBetween, revertWords } from './edit-words.ts'
import type { WordGroup } from './edit-words.ts'

type Transcript = FindingsOf<'transcription'>

export interface ParagraphEdit {
  text: string
  isCorrected: boolean
  save: (text: string) => Corrections
  split: (text: string, place: number) => Corrections
  join: (text: string) => Corrections
  revert: () => Corrections
}

export function editParagraph(input: {
  corrections: Corrections
  detected: Transcript
  shown: Transcript
  groups: readonly WordGroup[]
  /** Its words in the shown transcript; the last one included. */
  range: { first: number; last: number }
}): ParagraphEdit {
  const { corrections, detected, shown, range } = input
  const joiner = joinerOf(shown)
  const touched = groupsBetween(input.groups, range, 'and struck')
  const words = shown.words.slice(range.first, range.last + 1)
  const text = words.map((word) => word.text).join(joiner)
  const save = (next: string): Corrections =>
    next.trim() === text ? corrections : editWords(corrections, detected, touched, next)
  return {
    text,
    isCorrected: touched.some((group) => group.corrections.length > 0),
    save,
    split(next, place) {
      const saved = save(next)
      const before = next.slice(0, place).trim()
      const count = joiner ? before.split(/\s+/).filter(Boolean).length : wordsIn(words, before)
      const { transcription } = correctFindings({ transcription: detected }, saved).findings
      const word = transcription?.words[range.first + count]
      return count > 0 && word ? splitAt(saved, word.start) : saved
    },
    join: (next) => joinAt(save(next), words[0]?.start ?? 0),
    revert: () => revertWords(corrections, touched),
  }
}

/** How many words of a text without spaces stand before a place. */
function wordsIn(words: readonly { text: string }[], before: string): number {
  let length = 0
  const count = words.findIndex((word) => {
    length += word.text.length
    return length > before.length
  })
  return count < 0 ? words.length : count
}
