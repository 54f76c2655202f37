/**
 * Who speaks, as Final Cut keeps it: a keyword range of the source for each stretch of a speaker,
 * and a subrole of dialogue for a clip in which one speaker alone is heard. Captions keep one role:
 * Final Cut shows and exports the captions of one role at a time.
 */
import type { Findings } from '../../../domain/findings/findings.ts'
import { isSureSpeaker, markedSpeaker } from '../../../domain/findings/speakers.ts'
import type { Grid } from '../../timeline/grid.ts'
import { oneLine } from '../../timeline/names.ts'

interface SpeakerRange {
  /** The speaker's name, with a question mark if unsure. */
  name: string
  isSure: boolean
  /** First frame of the source on the grid. */
  start: number
  end: number
}

/** A longer pause between words ends a range. */
const pauseSeconds = 2
/** Marks that separate roles, formats and keywords. */
const separators = /[.,?]+/g

export function speakerRanges(findings: Findings, grid: Grid): SpeakerRange[] {
  const ranges: SpeakerRange[] = []
  let lastSecond = -Infinity
  for (const word of findings.transcription?.words ?? []) {
    const marked = markedSpeaker(word)
    if (marked === null) continue
    const name = oneLine(marked)
    const start = Math.min(grid.place(word.start_frame, word.start_time), grid.frames - 1)
    const end = Math.min(
      Math.max(start + 1, grid.place(word.end_frame, word.end_time)),
      grid.frames,
    )
    const last = ranges.at(-1)
    if (last?.name === name && word.start - lastSecond < pauseSeconds) {
      last.end = Math.max(last.end, end)
    } else ranges.push({ name, isSure: isSureSpeaker(word.speaker_confidence), start, end })
    lastSecond = word.end
  }
  return ranges
}

/** The role of a stretch of the source: a speaker's if surely nobody else speaks in it. */
export function dialogueRole(
  ranges: readonly SpeakerRange[],
  { sourceIn, sourceOut }: { sourceIn: number; sourceOut: number },
): string {
  const heard = ranges.filter((range) => range.start < sourceOut && range.end > sourceIn)
  const [first] = heard
  const isOne = first && heard.every((range) => range.isSure && range.name === first.name)
  const subrole = isOne ? first.name.replaceAll(separators, ' ').trim() : ''
  return subrole === '' ? 'dialogue' : `dialogue.${subrole}`
}
