/**
 * Decides which of the sampled pictures are read. Reading costs a hundred times more than looking, so
 * a picture is read when its text can be new: once in a shot, and when cells that look like text
 * (many strong edges from left to right) come or change. Text that goes is seen without reading. A
 * picture that still moves is left for the next one, and a budget keeps restless footage from being
 * read all the time.
 */
import type { Gray } from './gray.ts'

export interface Watch {
  /** Whether to read this picture. */
  look(picture: Gray, seconds: number): boolean
  /** Reads the next picture whatever it shows: a slate is worth more than one look. */
  readNext(): void
}

const columns = 48
const rows = 27
const cells = columns * rows
/** A difference of grey values that counts as an edge. */
const edge = 40
/** The part of a cell's points that are edges where there is text. */
const dense = 0.1
/** Fewer text-like cells than these are not worth a look. */
const minCells = 2
/** Mean difference of grey that a new scene makes. */
const sceneStep = 22
/** New text is this many new text-like cells beside each other. */
const newRun = 3
/** The part of the text-like cells that may differ at rest. */
const restless = 0.45
const secondsPerRead = 2.4
const maxSaved = 3

interface Look {
  density: Float32Array
  mean: Float32Array
  textCells: number
}

export function createWatch(): Watch {
  let lastRead: Look | null = null
  let before: Look | null = null
  let beforeSeconds = 0
  let pendingSince: number | null = 0
  let isNewScene = true
  let saved = maxSaved
  let isForced = false

  return {
    readNext() {
      isForced = true
    },
    look(picture, seconds) {
      const now = measure(picture)
      saved = Math.min(maxSaved, saved + (seconds - beforeSeconds) / secondsPerRead)
      const isCut = before !== null && meanStep(before, now) > sceneStep
      const isSteady = before !== null && !isCut && difference(before, now) < restless
      beforeSeconds = seconds
      before = now
      if (isCut) {
        isNewScene = true
        pendingSince = seconds
      } else if (pendingSince === null && lastRead && hasNewText(lastRead, now)) {
        pendingSince = seconds
      }
      if (lastRead) forgetGone(lastRead, now)
      if (pendingSince === null && !isForced) return false
      const hasWaited = pendingSince !== null && seconds - pendingSince > 0.9
      const mayRead = isForced || isNewScene || saved >= 1
      if (!isForced && (!(isSteady || hasWaited) || !mayRead)) return false
      isForced = false
      isNewScene = false
      pendingSince = null
      lastRead = now
      if (now.textCells < minCells) return false
      saved = Math.max(0, saved - 1)
      return true
    },
  }
}

function measure({ pixels, width, height }: Gray): Look {
  const density = new Float32Array(cells)
  const mean = new Float32Array(cells)
  const counts = new Float32Array(cells)
  for (let y = 0; y < height; y += 2) {
    const row = Math.floor((y * rows) / height) * columns
    for (let column = 0; column < columns; column++) {
      const last = Math.min(width - 2, Math.floor(((column + 1) * width) / columns))
      let [sum, edges, count] = [0, 0, 0]
      for (let x = Math.floor((column * width) / columns); x < last; x++) {
        const value = pixels[y * width + x]!
        const step = pixels[y * width + x + 2]! - value
        count++
        sum += value
        if (step > edge || step < -edge) edges++
      }
      counts[row + column]! += count
      mean[row + column]! += sum
      density[row + column]! += edges
    }
  }
  let textCells = 0
  for (let cell = 0; cell < cells; cell++) {
    const count = Math.max(1, counts[cell]!)
    density[cell]! /= count
    mean[cell]! /= count
    if (density[cell]! >= dense) textCells++
  }
  return { density, mean, textCells }
}

function meanStep(a: Look, b: Look): number {
  let sum = 0
  for (let cell = 0; cell < cells; cell++) sum += Math.abs(a.mean[cell]! - b.mean[cell]!)
  return sum / cells
}

/** Whether a run of cells looks like text now and did not look like that before. */
function hasNewText(before: Look, now: Look): boolean {
  let run = 0
  for (let cell = 0; cell < cells; cell++) {
    if (cell % columns === 0) run = 0
    const [old, fresh] = [before.density[cell]!, now.density[cell]!]
    const isNew = fresh >= dense && Math.abs(fresh - old) > 0.35 * Math.max(fresh, old)
    run = isNew ? run + 1 : 0
    if (run >= newRun) return true
  }
  return false
}

/** Where text has gone, the next one is new even if it looks like the last. */
function forgetGone(lastRead: Look, now: Look): void {
  for (let cell = 0; cell < cells; cell++) {
    if (now.density[cell]! < dense) lastRead.density[cell] = now.density[cell]!
  }
}

/** The part of the cells that look like text in one of the two, and not alike in both. */
function difference(a: Look, b: Look): number {
  let either = 0
  let unlike = 0
  for (let cell = 0; cell < cells; cell++) {
    const [one, other] = [a.density[cell]!, b.density[cell]!]
    if (one < dense && other < dense) continue
    either++
    if (Math.abs(one - other) > 0.35 * Math.max(one, other)) unlike++
  }
  return either < minCells ? 0 : unlike / either
}
