/** SRT and WebVTT: the same captions, two notations. Zero is the first frame of the timeline. */
import { frameTime } from '../../../domain/time/timecode.ts'
import { multiply, rational, round } from '../../../domain/time/rational.ts'
import type { Rational } from '../../../domain/time/rational.ts'
import { oneLine } from '../timeline/names.ts'
import type { Cue } from './captions.ts'

export function writeSrt(cues: Cue[], rate: Rational): string {
  return cues
    .map((cue, index) => {
      const times = `${clock(cue.start, rate, ',')} --> ${clock(cue.end, rate, ',')}`
      return `${index + 1}\n${times}\n${cue.lines.join('\n')}\n`
    })
    .join('\n')
}

export function writeVtt(cues: Cue[], rate: Rational, notes: string[]): string {
  const head = ['WEBVTT', '']
  if (notes.length > 0) head.push(`NOTE ${notes.join(' ').replaceAll('-->', '->')}`, '')
  const body = cues.map((cue, index) => {
    const times = `${clock(cue.start, rate, '.')} --> ${clock(cue.end, rate, '.')}`
    const voice = cue.speaker === null ? '' : `<v ${escapeVtt(oneLine(cue.speaker))}>`
    return `${index + 1}\n${times}\n${voice}${cue.lines.map(escapeVtt).join('\n')}\n`
  })
  return `${head.join('\n')}\n${body.join('\n')}`
}

/** The millisecond nearest to the start of a frame. */
export function milliseconds(frame: number, rate: Rational): number {
  return Number(round(multiply(frameTime(frame, rate), rational(1000))))
}

function clock(frame: number, rate: Rational, separator: ',' | '.'): string {
  const total = milliseconds(frame, rate)
  const rest = String(total % 1000).padStart(3, '0')
  return `${two(total / 3_600_000)}:${two((total / 60_000) % 60)}:${two((total / 1000) % 60)}${separator}${rest}`
}

function two(value: number): string {
  return String(Math.floor(value)).padStart(2, '0')
}

function escapeVtt(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
