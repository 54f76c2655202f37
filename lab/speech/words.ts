/** Words as a word error rate compares them: lower case, no punctuation, hesitations left out. */
import { spokenForms } from '../../engine/speech/align/spoken.ts'

const hesitation = /^(?:u+m+|u+h+)$/

export function writtenWords(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[^\p{L}\p{N}' ]+/gu, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && !hesitation.test(word))
}

/** Words as they sound, so that "Mr. 1" is not counted against "mister one". English alone. */
export function spokenWords(text: string): string[] {
  return text
    .replaceAll('’', "'")
    .replaceAll(/yknow/gi, 'you know')
    .split(/\s+/)
    .flatMap((word) => spokenForms(word, 'en'))
    .flatMap((word) => writtenWords(word))
}

/** The fewest words to change, add or leave out. */
export function countErrors(wanted: readonly string[], heard: readonly string[]): number {
  let row = Array.from({ length: heard.length + 1 }, (_, index) => index)
  for (const [at, word] of wanted.entries()) {
    const next = [at + 1]
    for (const [index, other] of heard.entries()) {
      next.push(
        Math.min(row[index + 1]! + 1, next[index]! + 1, row[index]! + Number(word !== other)),
      )
    }
    row = next
  }
  return row[heard.length]!
}
