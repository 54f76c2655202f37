/** Reads SRT and WebVTT back. */
import { fail } from '../compare.ts'

interface ReadCue {
  startMs: number
  endMs: number
  text: string
}

/** SRT and WebVTT share the shape of a cue: number, times, lines, an empty line. */
export function readCues(body: string, separator: ',' | '.'): ReadCue[] {
  const blocks = body.trimEnd().split(/\n\n+/)
  const cues =
    separator === '.' ? blocks.filter((block) => !/^(?:WEBVTT|NOTE)/.test(block)) : blocks
  return cues.filter(Boolean).map((block, index) => {
    const [number, times, ...lines] = block.split('\n')
    if (number !== String(index + 1)) fail(`cue ${index + 1} is numbered ${number}`)
    const [start, end] = (times ?? '').split(' --> ')
    return {
      startMs: readClock(start, separator),
      endMs: readClock(end, separator),
      text: lines.join('\n'),
    }
  })
}

function readClock(text: string | undefined, separator: ',' | '.'): number {
  const match = /^(\d{2,}):(\d\d):(\d\d)([,.])(\d{3})$/.exec(text ?? '')
  if (!match || match[4] !== separator) fail(`${text} is no time of a caption`)
  const seconds = (Number(match[1]) * 60 + Number(match[2])) * 60 + Number(match[3])
  return seconds * 1000 + Number(match[5])
}
