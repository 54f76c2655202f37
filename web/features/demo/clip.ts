/** The drawn clip of the landing page: twenty seconds at 25 frames a second, with its findings. */
import { timecodeFormat, toTimecode } from '../../../contract/timecode.ts'

export type Picture = 'river' | 'interview' | 'boat' | 'close' | 'fog'

export interface DemoShot {
  startFrame: number
  endFrame: number
  picture: Picture
  size: string
}

export interface DemoSpan {
  startFrame: number
  endFrame: number
}

export interface DemoCutPoint {
  frame: number
  score: number
  reason: string
}

interface DemoWord extends DemoSpan {
  text: string
}

export interface DemoSentence extends DemoSpan {
  words: readonly DemoWord[]
}

export const frames = 500
export const framesPerSecond = 25
const startFrame = 3600 * framesPerSecond
const format = timecodeFormat('25/1', false)

export const shots: readonly DemoShot[] = [
  { startFrame: 0, endFrame: 92, picture: 'river', size: 'wide' },
  { startFrame: 92, endFrame: 205, picture: 'interview', size: 'medium' },
  { startFrame: 205, endFrame: 262, picture: 'boat', size: 'wide' },
  { startFrame: 262, endFrame: 350, picture: 'close', size: 'close' },
  { startFrame: 350, endFrame: 412, picture: 'fog', size: 'wide' },
  { startFrame: 412, endFrame: 500, picture: 'interview', size: 'medium' },
]

/** A mouth that moves with a voice. Between 206 and 258 there is a voice without a mouth. */
export const talking: readonly DemoSpan[] = [
  { startFrame: 98, endFrame: 203 },
  { startFrame: 268, endFrame: 338 },
  { startFrame: 420, endFrame: 470 },
]
export const voiceOnly: readonly DemoSpan[] = [{ startFrame: 206, endFrame: 258 }]
/** A mouth that moves without a voice. */
export const lipFlap: readonly DemoSpan[] = [{ startFrame: 474, endFrame: 490 }]

export const cutPoints: readonly DemoCutPoint[] = [
  { frame: 92, score: 0.98, reason: 'shot change' },
  { frame: 96, score: 0.71, reason: 'before the first word' },
  { frame: 152, score: 0.42, reason: 'short pause' },
  { frame: 204, score: 0.94, reason: 'end of sentence' },
  { frame: 260, score: 0.93, reason: 'end of sentence, silence' },
  { frame: 304, score: 0.38, reason: 'short pause' },
  { frame: 344, score: 0.9, reason: 'silence of 0.4 s' },
  { frame: 412, score: 0.97, reason: 'shot change' },
  { frame: 472, score: 0.95, reason: 'end of sentence, before lip flap' },
]

export const sentences: readonly DemoSentence[] = [
  spoken('We never planned the river scene.', { startFrame: 98, endFrame: 203 }),
  spoken('We went out at five and waited for fog.', { startFrame: 206, endFrame: 258 }),
  spoken('The boat was an accident. Nobody called it.', { startFrame: 268, endFrame: 338 }),
  spoken('That is the shot everyone remembers.', { startFrame: 420, endFrame: 470 }),
]

/** The half height of the sound at each of the given steps, from 0 to 1; the same on every visit. */
export function soundLevels(steps: number): number[] {
  return Array.from({ length: steps }, (_, step) => {
    const frame = (step / steps) * frames
    const voice = [...talking, ...voiceOnly].some((span) => within(span, frame)) ? 0.72 : 0.1
    const noise = Math.abs(Math.sin(step * 12.9898) * 43758.5453) % 1
    const breath = 0.55 + 0.45 * Math.sin(step * 0.41) * Math.sin(step * 0.13)
    return Math.min(1, voice * (0.35 + 0.65 * noise) * breath + 0.03)
  })
}

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

/** Gives each word of a sentence its share of the time, by its length. */
function spoken(sentence: string, span: DemoSpan): DemoSentence {
  const texts = sentence.split(' ')
  const total = texts.reduce((sum, text) => sum + text.length + 1, 0)
  const perLetter = (span.endFrame - span.startFrame) / total
  let at = span.startFrame
  const words = texts.map((text) => {
    const start = at
    at += (text.length + 1) * perLetter
    return { text, startFrame: Math.round(start), endFrame: Math.round(at) }
  })
  return { ...span, words }
}
