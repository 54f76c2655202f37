/**
 * Who says which sentence, as far as the picture tells: the face that is seen to talk through most of
 * it. Whole sentences, so that a look away or a cutaway in the middle does not take the name off a
 * few words. The transcript is found without the picture and is kept alone, so the two are joined
 * when findings are read.
 */
import type { Findings, FindingsOf } from './findings.ts'

/** How much of the spoken time of a sentence a face must be seen talking. */
const minShare = 0.5

export function nameSpeakers<Some extends Partial<Findings>>(findings: Some): Some {
  const { transcription, talking } = findings
  if (!transcription || !talking || talking.talking.length === 0) return findings
  const words = [...transcription.words]
  for (const { first_word: first, last_word: last } of transcription.sentences) {
    const speaker = speakerOf(words.slice(first, last + 1), talking.talking)
    for (let at = first; at <= last; at++) {
      const word = words[at]
      if (word) words[at] = { ...word, speaker }
    }
  }
  return { ...findings, transcription: { ...transcription, words } }
}

/** A face as people call it: "face-2" is Person 2. */
export function speakerName(face: string): string {
  return face.replace(/^face-(\d+)$/, 'Person $1')
}

interface Seconds {
  start: number
  end: number
}

function speakerOf(
  words: readonly Seconds[],
  talking: FindingsOf<'talking'>['talking'],
): string | null {
  const seen = new Map<string, number>()
  let spoken = 0
  for (const word of words) {
    spoken += word.end - word.start
    for (const span of talking) {
      if (span.face === null) continue
      const shared = Math.min(word.end, span.end) - Math.max(word.start, span.start)
      if (shared > 0) seen.set(span.face, (seen.get(span.face) ?? 0) + shared)
    }
  }
  const [best, next] = [...seen].toSorted(([, a], [, b]) => b - a)
  // Two mouths that move alike say nothing about who is heard.
  if (!best || best[1] < spoken * minShare || (next && next[1] === best[1])) return null
  return best[0]
}
