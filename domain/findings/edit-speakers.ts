/** Speakers renamed, merged, and passages given to another. */
import type { Corrections } from './corrections.ts'
import type { Findings } from './findings.ts'

/** Everybody who was found, by the id that the findings give. */
export function foundSpeakers({ transcription, talking }: Partial<Findings>): string[] {
  const faces = talking?.faces.map((face) => face.id) ?? []
  const voices = transcription?.words.flatMap((word) => word.speaker ?? []) ?? []
  return [...new Set([...faces, ...voices])]
}

/** Everybody as they are called now. */
export function shownSpeakers(findings: Partial<Findings>, { speakers }: Corrections): string[] {
  const names = foundSpeakers(findings).map((id) => speakers.names[id] ?? id)
  return [...new Set([...names, ...speakers.passages.map((item) => item.speaker)])].toSorted()
}

/** A name that another has merges the two. */
export function renameSpeaker(
  corrections: Corrections,
  found: Partial<Findings>,
  { from, to }: { from: string; to: string },
): Corrections {
  const { names, passages } = corrections.speakers
  const next = { ...names }
  for (const id of foundSpeakers(found)) {
    if ((names[id] ?? id) !== from) continue
    if (id === to) delete next[id]
    else next[id] = to
  }
  return {
    ...corrections,
    speakers: {
      names: next,
      passages: passages.map((item) => (item.speaker === from ? { ...item, speaker: to } : item)),
    },
  }
}

export function givePassage(
  corrections: Corrections,
  { start, end, speaker }: { start: number; end: number; speaker: string },
): Corrections {
  const { names, passages } = corrections.speakers
  const others = passages.filter((item) => item.start < start || item.end > end)
  return {
    ...corrections,
    speakers: { names, passages: [...others, { start, end, speaker }] },
  }
}
