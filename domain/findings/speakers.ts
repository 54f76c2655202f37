/**
 * Who says which sentence. The picture comes first: the face that is seen to talk through most of a
 * sentence. Whole sentences, so that a look away or a cutaway in the middle does not take the name
 * off a few words. Then the sound: a voice that is heard where a face is seen talking is that
 * face's wherever else it is heard. The transcript is found without the picture and is kept alone,
 * so the two are joined when findings are read.
 */
import type { Findings, FindingsOf } from './findings.ts'

export const maxSpeakers = 12

/** How much of the spoken time of a sentence a face must be seen talking. */
const minShare = 0.5
/** A voice is a face's that is seen this long, for this share of the voice's visible time. */
const minSeenSeconds = 2
const minSeenShare = 0.75

export function nameSpeakers<Some extends Partial<Findings>>(findings: Some): Some {
  const { transcription, talking } = findings
  if (!transcription || !talking || talking.talking.length === 0) return findings
  const faces = facesOf(transcription, talking.talking)
  const owners = ownersOf(transcription.words, faces)
  const words = transcription.words.map((word, at) => {
    const face = faces[at] ?? null
    if (face !== null) return surely(word, face)
    const owner = word.speaker === null ? undefined : owners.get(word.speaker)
    return owner === undefined ? word : { ...word, speaker: owner }
  })
  return { ...findings, transcription: { ...transcription, words } }
}

/** A face or a voice as people call it: "face-2" is Person 2, "voice-1" is Voice 1. */
export function speakerName(id: string): string {
  return id.replace(/^face-(\d+)$/, 'Person $1').replace(/^voice-(\d+)$/, 'Voice $1')
}

/** Whether a speaker is shown without a question mark. Names that people gave carry no doubt. */
export function isSureSpeaker(confidence: number | null | undefined): boolean {
  return (confidence ?? 1) >= 0.8
}

/** The speaker on screens and in exports: a name, with a question mark where it is not sure. */
export function markedSpeaker(word: Spoken | undefined): string | null {
  if (!word || word.speaker === null) return null
  const mark = isSureSpeaker(word.speaker_confidence) ? '' : '?'
  return `${speakerName(word.speaker)}${mark}`
}

/** The word, said by somebody who was seen or named. */
export function surely<Of extends Spoken>(word: Of, speaker: string): Of {
  const isDoubted = typeof word.speaker_confidence === 'number'
  return { ...word, speaker, ...(isDoubted ? { speaker_confidence: 1 } : {}) }
}

interface Spoken {
  speaker: string | null
  speaker_confidence?: number | null | undefined
}

interface Seconds {
  start: number
  end: number
}

/** The face that is seen to say each word, by sentence. */
function facesOf(
  { words, sentences }: FindingsOf<'transcription'>,
  talking: FindingsOf<'talking'>['talking'],
): (string | null)[] {
  const faces = words.map((): string | null => null)
  for (const { first_word: first, last_word: last } of sentences) {
    faces.fill(faceOf(words.slice(first, last + 1), talking), first, last + 1)
  }
  return faces
}

/** The face of each voice that is seen often enough. */
function ownersOf(
  words: FindingsOf<'transcription'>['words'],
  faces: readonly (string | null)[],
): Map<string, string> {
  const seen = new Map<string, Map<string, number>>()
  words.forEach(({ speaker, start, end }, at) => {
    const face = faces[at] ?? null
    if (speaker === null || face === null) return
    const secondsByFace = seen.get(speaker) ?? new Map<string, number>()
    secondsByFace.set(face, (secondsByFace.get(face) ?? 0) + end - start)
    seen.set(speaker, secondsByFace)
  })
  const owners = new Map<string, string>()
  for (const [voice, seconds] of seen) {
    const total = [...seconds.values()].reduce((sum, value) => sum + value, 0)
    const [best] = [...seconds].toSorted(([, a], [, b]) => b - a)
    if (best && best[1] >= minSeenSeconds && best[1] >= minSeenShare * total) {
      owners.set(voice, best[0])
    }
  }
  return owners
}

function faceOf(
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
