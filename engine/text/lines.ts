/**
 * Joins readings of single frames to lines with a first and a last frame. The same text at the same
 * place, read again within a moment, is one line; its text is the reading that most agree on. Ends
 * that fall between two samples are put at the cut, or at the frame in which the line's place
 * changes most.
 */
import { boxOf } from './read-frame.ts'
import type { BlockMotion, Part } from './block-motion.ts'
import { editDistance } from './read-slate.ts'
import type { SeenLine, TextReadings } from './text-process.ts'

export interface TextLine {
  startFrame: number
  endFrame: number
  text: string
  confidence: number
  box: Part
  /** The frames in which it was read. */
  readAt: number[]
}

export interface LineContext {
  frames: number
  framesPerSecond: number
  /** First frames of new shots. */
  cuts: readonly number[]
  motion: BlockMotion | null
}

/** A line that is not read for this long has gone, where its place did not keep its look. */
const bridgeSeconds = 2
/** Characters that may differ, as a part of the longer text. */
const alike = 0.34

interface Track {
  firstFrame: number
  lastFrame: number
  votes: Map<string, number>
  confidences: number[]
  box: Part
  readAt: number[]
}

export function joinLines(input: TextReadings, context: LineContext): TextLine[] {
  const { readings, width, height, step } = input
  const open: Track[] = []
  const tracks: Track[] = []
  const bridge = Math.max(step, Math.round(bridgeSeconds * context.framesPerSecond))
  for (const { frame, lines } of readings) {
    for (const line of lines) {
      const box = partOf(line, width, height)
      const track = open.find(
        (value) =>
          line.firstFrame - value.lastFrame <= bridge &&
          !context.cuts.some((cut) => cut > value.lastFrame && cut <= line.firstFrame) &&
          !value.readAt.includes(frame) &&
          isAlike(bestText(value), line.text) &&
          isNear(value.box, box),
      )
      if (track) add(track, line, box, frame)
      else tracks.push(openTrack(open, line, box, frame))
    }
    const gone = frame - 4 * bridge
    for (const track of open.filter(({ lastFrame }) => lastFrame < gone)) {
      open.splice(open.indexOf(track), 1)
    }
  }
  return tracks
    .map((track) => lineOf(track, step, context))
    .toSorted((a, b) => a.startFrame - b.startFrame || a.box.y - b.box.y || a.box.x - b.box.x)
}

function openTrack(open: Track[], line: SeenLine, box: Part, frame: number): Track {
  const track: Track = {
    firstFrame: line.firstFrame,
    lastFrame: line.lastFrame,
    votes: new Map([[line.text, line.confidence]]),
    confidences: [line.confidence],
    box,
    readAt: [frame],
  }
  open.push(track)
  return track
}

function add(track: Track, line: SeenLine, box: Part, frame: number): void {
  track.firstFrame = Math.min(track.firstFrame, line.firstFrame)
  track.lastFrame = Math.max(track.lastFrame, line.lastFrame)
  track.votes.set(line.text, (track.votes.get(line.text) ?? 0) + line.confidence)
  track.confidences.push(line.confidence)
  track.box = box
  track.readAt.push(frame)
}

function bestText({ votes }: Track): string {
  return [...votes].toSorted((a, b) => b[1] - a[1])[0]![0]
}

function lineOf(track: Track, step: number, context: LineContext): TextLine {
  const { box, firstFrame, lastFrame, readAt } = track
  const startFrame = changeWithin(firstFrame - step + 1, firstFrame, box, context) ?? firstFrame
  const endFrame =
    changeWithin(lastFrame + 1, lastFrame + step, box, context) ??
    Math.min(context.frames, lastFrame + 1 + (step >> 1))
  const mean = track.confidences.reduce((sum, value) => sum + value, 0) / track.confidences.length
  return {
    startFrame: Math.max(0, Math.min(startFrame, firstFrame)),
    endFrame: Math.min(context.frames, Math.max(endFrame, lastFrame + 1)),
    text: bestText(track),
    confidence: Math.round(mean * 1000) / 1000,
    box: rounded(box),
    readAt,
  }
}

/** The first frame that is other than the one before, between two samples: a cut, or a step. */
function changeWithin(
  from: number,
  to: number,
  box: Part,
  { cuts, motion, frames }: LineContext,
): number | null {
  const first = Math.max(0, from)
  const last = Math.min(frames, to)
  if (from <= 0) return 0
  if (to >= frames) return frames
  const cut = cuts.find((frame) => frame >= first && frame <= last)
  if (cut !== undefined) return cut
  if (!motion) return null
  let best = -1
  let maxChange = 0
  let sum = 0
  for (let frame = first; frame <= last && frame < motion.frames; frame++) {
    const change = motion.at(frame, box)
    sum += change
    if (change <= maxChange) continue
    maxChange = change
    best = frame
  }
  const rest = (sum - maxChange) / Math.max(1, last - first)
  return best >= 0 && maxChange > 2.5 && maxChange > 3 * rest ? best : null
}

function partOf(line: SeenLine, width: number, height: number): Part {
  const { left, right, top, bottom } = boxOf(line.area)
  const x = clamp(left / width)
  const y = clamp(top / height)
  return { x, y, width: clamp(right / width) - x, height: clamp(bottom / height) - y }
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}

function rounded({ x, y, width, height }: Part): Part {
  const round = (value: number): number => Math.round(value * 1e4) / 1e4
  return { x: round(x), y: round(y), width: round(width), height: round(height) }
}

function isAlike(a: string, b: string): boolean {
  const longer = Math.max(a.length, b.length)
  if (Math.abs(a.length - b.length) > alike * longer) return false
  return editDistance(a.toLowerCase(), b.toLowerCase()) <= alike * longer
}

/** Overlapping, or within a line's height of each other: hands shake. */
function isNear(a: Part, b: Part): boolean {
  const reach = 0.6 * Math.max(a.height, b.height) + 0.01
  const across =
    Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > -reach &&
    Math.abs(a.x + a.width / 2 - b.x - b.width / 2) < 0.5 * Math.max(a.width, b.width) + reach
  const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > -reach
  return across && down
}
