/**
 * The process that holds the text models: it takes each sampled frame and reads those with new
 * text.
 */
import { serve } from '../processes/serve.ts'
import type { Box, Tilted } from './gray.ts'
import { firstShown, isSame, patchOf } from './presence.ts'
import type { Patch, Sample } from './presence.ts'
import { createFrameReader, widened } from './read-frame.ts'
import type { ReadLine } from './read-frame.ts'
import { isSlate, readSlate } from './read-slate.ts'
import { createWatch } from './watch.ts'

export interface TextSettings {
  width: number
  height: number
  framesPerSecond: number
  /** Reads every picture: the baseline, for comparison. */
  readAll?: boolean
}

export interface TextReading {
  /** The picture that was read. */
  frame: number
  lines: SeenLine[]
}

export interface SeenLine extends ReadLine {
  /** The first and the last sampled picture that shows the line as it was read. */
  firstFrame: number
  lastFrame: number
}

export interface TextReadings {
  readings: TextReading[]
  width: number
  height: number
  /** Frames between two samples. */
  step: number
}

export type TextMethods = {
  start: { input: TextSettings; output: null }
  push: { input: { gray: Uint8Array; frame: number }; output: null }
  breakOff: { input: null; output: null }
  finish: { input: null; output: TextReading[] }
}

/** Frames kept to see how long a line has been there before it was read. */
const keptSamples = 12
/** A slate is read this often, so that its fields can be voted on. */
const slateReads = 4
const maxReadings = 20_000

const reader = await createFrameReader()
let watch = createWatch()
const readings: TextReading[] = []
let samples: Sample[] = []
let settings: TextSettings = { width: 0, height: 0, framesPerSecond: 25 }
let shown: { line: SeenLine; patch: Patch }[] = []
let lastAreas: Tilted[] = []
let slateReadsLeft = slateReads
let isOnSlate = false

serve({
  async start(input: TextSettings) {
    settings = input
    return null
  },
  async push({ gray, frame }: TextMethods['push']['input']) {
    const { width, height, framesPerSecond } = settings
    const image = { pixels: gray, width, height }
    samples.push({ frame, image })
    if (samples.length > keptSamples) samples.shift()
    shown = shown.filter(({ line, patch }) => {
      const isThere = isSame(patch, patchOf(image, line.area))
      if (isThere) line.lastFrame = frame
      return isThere
    })
    const due = watch.look(image, frame / framesPerSecond)
    const part = settings.readAll ? { left: 0, top: 0, right: width, bottom: height } : due
    if (part && readings.length < maxReadings) await read(frame, whole(part))
    return null
  },
  async breakOff() {
    watch = createWatch()
    samples = []
    shown = []
    lastAreas = []
    slateReadsLeft = slateReads
    isOnSlate = false
    return null
  },
  finish: async () => readings,
})

/** Widens a part to all of the lines last read there, even where their background moved. */
function whole(part: Box): Box {
  const { width, height } = settings
  const { left, top, right, bottom } = widened(part, lastAreas)
  return { left, top, right: Math.min(width, right), bottom: Math.min(height, bottom) }
}

async function read(frame: number, part: Box): Promise<void> {
  const { image } = samples.at(-1)!
  // Lines on a slate are voted on, so they are recognised each time.
  const known = isOnSlate ? [] : shown.map(({ line }) => line)
  const lines = (await reader.read(image, { part, known })).map(({ text, confidence, area }) => ({
    text,
    confidence,
    area,
  }))
  const seen = lines.map((line) => {
    const patch = patchOf(image, line.area)
    const firstFrame = firstShown(samples, line.area, patch)
    return { patch, line: { ...line, firstFrame, lastFrame: frame } }
  })
  shown = seen
  lastAreas = seen.map(({ line }) => line.area)
  readings.push({ frame, lines: seen.map(({ line }) => line) })
  // Where one has been seen, a part of it is enough: hands and blur hide labels for a moment.
  const slate = readSlate(lines)
  isOnSlate = isSlate(slate) || slate.labels >= (isOnSlate ? 1 : 2)
  if (!isOnSlate) slateReadsLeft = slateReads
  else if (slateReadsLeft-- > 0) watch.readNext()
}
