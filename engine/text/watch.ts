/**
 * Decides which of the sampled frames are read. Reading costs a hundred times more than looking, so
 * a frame is read when its text can be new: once in a shot, and when cells that look like text
 * (many strong edges from left to right) come or change. Text that goes is seen without reading. A
 * frame that still moves is left for the next, and a budget limits reading in restless footage.
 */
import type { Box, Gray } from './gray.ts'

export interface Watch {
  /** The part of this frame to read: all of it in a new shot, later where text is new. */
  look(image: Gray, seconds: number): Box | null
  /** Reads the next frame whatever it shows: a slate is worth more than one look. */
  readNext(): void
}

const columns = 48
const rows = 27
const cells = columns * rows
/** A difference of grey values that counts as an edge. */
const edge = 40
/** The share (0 to 1) of a cell's pixels that must be edges for the cell to count as text-like. */
const dense = 0.1
/** Fewer adjacent text-like cells than this are not read. */
const minRun = 2
/** A mean difference in grey values from which a frame counts as a new scene. */
const sceneStep = 22
/** At least this many adjacent cells must have become text-like to count as new text. */
const minNewRun = 3
/** Cells read around new ones: a line is longer and higher than its strongest edges. */
const marginColumns = 7
const marginRows = 2
/** The part of the text-like cells that may differ at rest. */
const restless = 0.45
const secondsPerRead = 2.4
const maxSaved = 3

interface Look {
  density: Float32Array
  mean: Float32Array
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
    look(image, seconds) {
      const now = measure(image)
      saved = Math.min(maxSaved, saved + (seconds - beforeSeconds) / secondsPerRead)
      const isCut = before !== null && meanStep(before, now) > sceneStep
      const isSteady = before !== null && !isCut && difference(before, now) < restless
      beforeSeconds = seconds
      before = now
      if (isCut) {
        isNewScene = true
        pendingSince = seconds
      } else if (pendingSince === null && lastRead && newText(lastRead, now).length > 0) {
        pendingSince = seconds
      }
      if (lastRead) forgetGone(lastRead, now)
      if (pendingSince === null && !isForced) return null
      const hasWaited = pendingSince !== null && seconds - pendingSince > 0.9
      const mayRead = isForced || isNewScene || saved >= 1
      if (!isForced && (!(isSteady || hasWaited) || !mayRead)) return null
      const isWhole = isForced || isNewScene || !lastRead
      const part = isWhole ? wholeOf(image) : partOf(newText(lastRead!, now), image)
      isForced = false
      isNewScene = false
      pendingSince = null
      lastRead = now
      const hasText = runsOf(minRun, (cell) => now.density[cell]! >= dense).length > 0
      if (!part || !hasText) return null
      saved = Math.max(0, saved - 1)
      return part
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
  for (let cell = 0; cell < cells; cell++) {
    const count = Math.max(1, counts[cell]!)
    density[cell]! /= count
    mean[cell]! /= count
  }
  return { density, mean }
}

function meanStep(a: Look, b: Look): number {
  let sum = 0
  for (let cell = 0; cell < cells; cell++) sum += Math.abs(a.mean[cell]! - b.mean[cell]!)
  return sum / cells
}

/** Runs of cells that look like text now and did not look like that before. */
function newText(before: Look, now: Look): Run[] {
  return runsOf(minNewRun, (cell) => {
    const [old, fresh] = [before.density[cell]!, now.density[cell]!]
    return fresh >= dense && Math.abs(fresh - old) > 0.35 * Math.max(fresh, old)
  })
}

interface Run {
  row: number
  first: number
  last: number
}

/** So many marked cells or more beside each other. */
function runsOf(min: number, isMarked: (cell: number) => boolean): Run[] {
  const runs: Run[] = []
  for (let row = 0; row < rows; row++) {
    let first = 0
    for (let column = 0; column <= columns; column++) {
      if (column < columns && isMarked(row * columns + column)) continue
      if (column - first >= min) runs.push({ row, first, last: column - 1 })
      first = column + 1
    }
  }
  return runs
}

function wholeOf({ width, height }: Gray): Box {
  return { left: 0, top: 0, right: width, bottom: height }
}

/** The box of all runs with a margin; null where there is none. */
function partOf(runs: readonly Run[], { width, height }: Gray): Box | null {
  if (runs.length === 0) return null
  const left = Math.min(...runs.map(({ first }) => first)) - marginColumns
  const right = Math.max(...runs.map(({ last }) => last)) + 1 + marginColumns
  const top = Math.min(...runs.map(({ row }) => row)) - marginRows
  const bottom = Math.max(...runs.map(({ row }) => row)) + 1 + marginRows
  return {
    left: Math.floor((Math.max(0, left) * width) / columns),
    right: Math.ceil((Math.min(columns, right) * width) / columns),
    top: Math.floor((Math.max(0, top) * height) / rows),
    bottom: Math.ceil((Math.min(rows, bottom) * height) / rows),
  }
}

/** Forgets text that is gone, so that the next text is new even if it looks the same. */
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
    const [first, other] = [a.density[cell]!, b.density[cell]!]
    if (first < dense && other < dense) continue
    either++
    if (Math.abs(first - other) > 0.35 * Math.max(first, other)) unlike++
  }
  return either < minRun ? 0 : unlike / either
}
