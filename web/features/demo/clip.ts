/**
 * The sample clip of the landing page, with what the product found in it and the files it exported:
 * scripts/pictures/pictures.ts writes sample.json from a finished job.
 */
import {
  parseRate,
  parseTimecode,
  timecodeFormat,
  toTimecode,
} from '../../../domain/time/timecode.ts'
import sample from './sample.json' with { type: 'json' }

export interface DemoSpan {
  startFrame: number
  endFrame: number
}

export const { frames, shots, cutPoints, sentences, levels } = sample
/** A mouth that moves with a voice, a voice without a mouth, a mouth without a voice. */
export const talking: readonly DemoSpan[] = sample.talking
export const voiceOnly: readonly DemoSpan[] = sample.voiceOnly
export const lipFlap: readonly DemoSpan[] = sample.lipFlap

const format = timecodeFormat(sample.frameRate, false)
const startFrame = parseTimecode(sample.startTimecode, format) ?? 0
const rate = parseRate(sample.frameRate)
export const framesPerSecond = rate ? Number(rate.num) / Number(rate.den) : 25

export interface DemoFile {
  id: string
  label: string
  lines: readonly { text: string; frame: number | null }[]
}

export const demoFiles: readonly DemoFile[] = sample.files

export function demoTimecode(frame: number): string {
  return toTimecode(startFrame + frame, format)
}

export function within(span: DemoSpan, frame: number): boolean {
  return frame >= span.startFrame && frame < span.endFrame
}

export function shotAt(frame: number): number {
  return Math.max(
    0,
    shots.findIndex((shot) => within(shot, frame)),
  )
}

/** The first frame of the passage of a file that is playing; -1 before the first. */
export function passageAt(file: DemoFile, frame: number): number {
  return file.lines.findLast((line) => line.frame !== null && line.frame <= frame)?.frame ?? -1
}
