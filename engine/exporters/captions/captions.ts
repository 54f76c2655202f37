/**
 * Words into captions: whole phrases, at most two lines of 42 characters, long enough to read and
 * never two at once. Times are frames of the timeline, so a caption changes with the picture.
 */
import type { ExportOptions } from '../../../contract/footage/export-options.ts'
import type { Findings, FindingsOf } from '../../../domain/findings/findings.ts'
import { toNumber } from '../../../domain/time/rational.ts'
import { markedSpeaker } from '../../../domain/findings/speakers.ts'
import { breakLines, charactersPerSecond, fitsLines, phraseCost, textWidth } from './line-break.ts'
import { separator } from '../../speech/text/join-words.ts'
import { oneLine } from '../timeline/names.ts'
import { ExportRefused } from '../refused.ts'
import type { Timeline } from '../timeline/timeline.ts'

export interface Cue {
  /** Frames of the timeline; `end` is exclusive. */
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
  /** Joined to the word before without a space. */
  glued: boolean
}

type TranslatedWord = NonNullable<FindingsOf<'transcription'>['translation']>['words'][number]

const seconds = {
  longest: 7,
  shortest: 5 / 6,
  /** A pause this long ends a caption. */
  pause: 1,
  /** A smaller hole between two captions flickers: it is closed. */
  hole: 0.5,
}
const gapFrames = 2

export function buildCues(timeline: Timeline, findings: Findings, options: ExportOptions): Cue[] {
  if (!findings.transcription) {
    throw new ExportRefused('There is no transcript in these findings: run transcription.')
  }
  const words = wordsOnTimeline(timeline, findings, options)
  const fps = toNumber(timeline.grid.format.rate)
  return cuesOf(words, { fps, frames: timeline.frames, options })
}

/** Captions of words that stand where the timeline plays them, in order. */
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

/** The words that the timeline keeps, where it plays them. */
function wordsOnTimeline(
  timeline: Timeline,
  findings: Findings,
  options: ExportOptions,
): TimedWord[] {
  const { words, lastWords, language } = spokenOrEnglish(
    findings.transcription!,
    options.caption_language,
  )
  const { grid } = timeline
  const placed = words.flatMap((word, index) => {
    const text = oneLine(word.text)
    if (text === '') return []
    const start = grid.place(word.start_frame, word.start_time)
    const end = Math.max(start + 1, grid.place(word.end_frame, word.end_time))
    const endsSentence = lastWords.has(index) || /[.!?…。！？]["'”’)]*$/u.test(text)
    const speaker = 'speaker' in word ? markedSpeaker(word) : null
    const width = textWidth(text)
    return [{ text, width, start, end, speaker, startsSentence: false, endsSentence, glued: false }]
  })
  placed.sort((a, b) => a.start - b.start || a.end - b.end)
  placed.forEach((word, index) => {
    const previous = placed[index - 1]
    word.startsSentence = previous?.endsSentence ?? true
    word.glued = separator(previous?.text ?? '', word.text, language ?? 'en') === ''
  })
  return uncutStretches(timeline).flatMap((stretch) => {
    const shift = stretch.recordIn - stretch.sourceIn
    return placed.flatMap((word) => {
      const middle = (word.start + word.end) / 2
      if (middle < stretch.sourceIn || middle >= stretch.sourceOut) return []
      const start = Math.max(word.start, stretch.sourceIn) + shift
      const end = Math.min(word.end, stretch.sourceOut) + shift
      return splitLongWord({ ...word, start, end }, options.line_length)
    })
  })
}

/** The words that captions show: as they are spoken, or their translation. */
function spokenOrEnglish(
  spoken: FindingsOf<'transcription'>,
  wanted: ExportOptions['caption_language'],
): {
  words: readonly (FindingsOf<'transcription'>['words'][number] | TranslatedWord)[]
  lastWords: ReadonlySet<number>
  language: string | null
} {
  if (wanted === 'spoken' || spoken.language === 'en') {
    const lastWords = new Set(spoken.sentences.map((sentence) => sentence.last_word))
    return { words: spoken.words, lastWords, language: spoken.language }
  }
  if (!spoken.translation) {
    throw new ExportRefused(
      'There is no English translation in these findings: run transcription with translate.',
    )
  }
  return { words: spoken.translation.words, lastWords: new Set(), language: 'en' }
}

/** Clips that run on from each other in source and timeline count as one. */
function uncutStretches(timeline: Timeline) {
  const stretches: { sourceIn: number; sourceOut: number; recordIn: number }[] = []
  for (const clip of timeline.clips) {
    const last = stretches.at(-1)
    if (last && last.sourceOut === clip.sourceIn) last.sourceOut = clip.sourceOut
    else stretches.push({ ...clip })
  }
  return stretches
}

/** An address or the like that no line can hold is broken where the line ends. */
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
    let least = Infinity
    for (let start = end - 1; start >= 0; start--) {
      const part = words.slice(start, end)
      const alone = part.length === 1
      if (!alone && !fitsLines(part, shape)) break
      const length = (part.at(-1)!.end - part[0]!.start) / fps
      if (!alone && length > seconds.longest) break
      const total = cost[start]! + phraseCost(part, length)
      if (total >= least) continue
      least = total
      from[end] = start
    }
    cost[end] = least
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
