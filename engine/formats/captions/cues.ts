/**
 * Words into captions: whole phrases, at most two lines of 42 characters, long enough to read and
 * never two at once. Times are frames of the timeline, so a caption changes with the picture.
 */
import type { ExportOptions } from '../../../contract/footage/export-options.ts'
import { breakLines, charactersPerSecond, fitsLines, phraseCost, textWidth } from './line-break.ts'

export interface Cue {
  /** First frame on the timeline; `end` is exclusive. */
  start: number
  end: number
  lines: string[]
  speaker: string | null
}

/** A word on the timeline. */
export interface TimedWord {
  text: string
  width: number
  start: number
  end: number
  speaker: string | null
  startsSentence: boolean
  endsSentence: boolean
  /** True if the word joins the one before without a space. */
  glued: boolean
}

const seconds = {
  longest: 7,
  shortest: 5 / 6,
  /** A pause of this many seconds ends a caption. */
  pause: 1,
  /** A smaller hole between two captions flickers: it is closed. */
  hole: 0.5,
}
const gapFrames = 2

/** Builds captions, in order, from words at their positions on the timeline. */
export function cuesOf(
  words: TimedWord[],
  {
    fps,
    frames,
    options,
  }: { fps: number; frames: number; options: Pick<ExportOptions, 'line_length' | 'lines'> },
): Cue[] {
  const shape = { lineLength: options.line_length, lines: options.lines }
  const runs = splitRuns(words, fps)
  const cues = runs.flatMap((run) =>
    splitRun(run, fps, shape).map((words) => ({
      start: words[0]!.start,
      end: words.at(-1)!.end,
      lines: breakLines(words, shape),
      speaker: words[0]!.speaker,
    })),
  )
  return timed(cues, fps, frames)
}

/** Breaks a word that no line can hold, such as a web address, at the end of each line. */
export function splitLongWord(word: TimedWord, lineLength: number): TimedWord[] {
  if (word.width <= lineLength) return [word]
  const parts: string[] = []
  let part = ''
  for (const character of word.text) {
    if (textWidth(part + character) > lineLength) {
      parts.push(part)
      part = ''
    }
    part += character
  }
  parts.push(part)
  return parts.map((text, index) => ({
    ...word,
    text,
    width: textWidth(text),
    glued: index > 0 || word.glued,
    startsSentence: word.startsSentence && index === 0,
    endsSentence: word.endsSentence && index === parts.length - 1,
  }))
}

function splitRuns(words: TimedWord[], fps: number): TimedWord[][] {
  const runs: TimedWord[][] = []
  words.forEach((word, index) => {
    const before = words[index - 1]
    const together =
      before && word.speaker === before.speaker && word.start - before.end < seconds.pause * fps
    if (together) runs.at(-1)!.push(word)
    else runs.push([word])
  })
  return runs
}

/** The cheapest way to cut a run of words into captions. */
function splitRun(
  words: TimedWord[],
  fps: number,
  shape: { lineLength: number; lines: number },
): TimedWord[][] {
  const cost: number[] = [0]
  const from: number[] = [0]
  for (let end = 1; end <= words.length; end++) {
    let minCost = Infinity
    for (let start = end - 1; start >= 0; start--) {
      const part = words.slice(start, end)
      const alone = part.length === 1
      if (!alone && !fitsLines(part, shape)) break
      const length = (part.at(-1)!.end - part[0]!.start) / fps
      if (!alone && length > seconds.longest) break
      const total = cost[start]! + phraseCost(part, length)
      if (total >= minCost) continue
      minCost = total
      from[end] = start
    }
    cost[end] = minCost
  }
  const parts: TimedWord[][] = []
  for (let end = words.length; end > 0; end = from[end]!) parts.push(words.slice(from[end], end))
  return parts.reverse()
}

/** Long enough to read, without touching the next. */
function timed(cues: Cue[], fps: number, totalFrames: number): Cue[] {
  const result: Cue[] = []
  let free = 0
  cues.forEach((cue, index) => {
    const start = Math.max(cue.start, free)
    const next = Math.min(cues[index + 1]?.start ?? totalFrames, totalFrames)
    const spoken = Math.max(cue.end, start + 1)
    const reading = (textWidth(cue.lines.join(' ')) / charactersPerSecond) * fps
    const wanted = Math.max(spoken, start + Math.ceil(Math.max(seconds.shortest * fps, reading)))
    const longest = start + Math.round(seconds.longest * fps)
    const isLast = index === cues.length - 1
    const limit = isLast ? totalFrames : Math.max(next - gapFrames, start + 1)
    const near = !isLast && next - wanted < seconds.hole * fps
    const end = Math.min(limit, near ? limit : wanted, Math.max(longest, spoken))
    if (start >= totalFrames) return
    result.push({ ...cue, start, end: Math.max(start + 1, end) })
    free = Math.max(start + 1, end)
  })
  return result
}
