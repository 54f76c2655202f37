/**
 * Decides which of the sampled pictures are read. Reading costs a hundred times more than looking, so
 * a picture is read when its text can be new: once in a shot, and when cells that look like text
 * (many strong edges from left to right) come, go or change. A picture that still moves is left for
 * the next one, and a budget keeps restless footage from being read all the time.
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
/** The part of the text-like cells that must differ for a new look, and that may differ at rest. */
const changed = 0.3
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
      } else if (pendingSince === null && lastRead && difference(lastRead, now) > changed) {
        pendingSince = seconds
      }
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
    for (let x = 1; x < width - 2; x++) {
      const at = y * width + x
      const cell = row + Math.floor((x * columns) / width)
      const value = pixels[at]!
      const step = pixels[at + 2]! - value
      counts[cell]!++
      mean[cell]! += value
      if (step > edge || step < -edge) density[cell]!++
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
