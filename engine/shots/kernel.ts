/**
 * What the detector does with pixels, in WebAssembly (assemble.ts): a short clip ends before the
 * same loops in JavaScript would be compiled, and eight pixels at a time they are several times
 * faster after that too. Pictures live in the memory of this code, one record in each slot; whoever
 * holds a picture holds the address of its record.
 */
import { smallHeight as height, smallWidth as width } from '../pass/plan.ts'
import { createProgram } from './assemble.ts'
import { defineDistances } from './kernel-distance.ts'
import { defineMotion } from './kernel-motion.ts'
import { defineReading } from './kernel-read.ts'
import {
  cellHeight,
  luma,
  moves,
  movesAt,
  parts,
  recordsAt,
  resultsAt,
  sumsStride,
  thumbPixels,
} from './record.ts'

export interface Kernel {
  bytes: Uint8Array
  floats: Float32Array
  addressOf(slot: number): number
  /** Measures the picture whose bytes were put into a record. */
  read(picture: number): { mean: number; deviation: number }
  /** How badly `b` is predicted by moving blocks of `a`; `skipped` has a bit for each block. */
  residual: (a: number, b: number, skipped: number) => number
  /** How far the profile of columns (0) or rows (1) moved. */
  shift: (a: number, b: number, isRows: 0 | 1) => number
  histogramDistance: (a: number, b: number) => number
  layoutDistance: (a: number, b: number) => number
  /** How far `b` is from `a` moved by x, y, a pixel, over what both show. */
  movedDistance: (a: number, b: number, x: number, y: number) => number
  /** How many cells differ by more than this much a pixel on average. */
  changedCells: (a: number, b: number, limit: number) => number
  /** The mean difference of a picture's thumb and what lies anywhere in rows of this stride. */
  stripError: (strip: number, stride: number, picture: number) => number
  /** Of two thumbs: the sum of squared steps, and how many pixels differ much. */
  apart(a: number, b: number): { squares: number; large: number }
  /**
   * A third thumb on the way from one to the other: its steps from `a` multiplied with the whole
   * steps, squared, and how many of the large ones are wholly on one side.
   */
  between(a: number, b: number, middle: number): { along: number; squares: number; sided: number }
}

export function createKernel(slots: number): Kernel {
  const pages = Math.ceil((recordsAt + slots * parts.end) / 65_536)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const call = new WebAssembly.Instance(module, { e: { m: memory } }).exports as unknown as Calls
  new Int8Array(memory.buffer).set(moves, movesAt)
  const ints = new Int32Array(memory.buffer)
  const results = ints.subarray(resultsAt / 4, resultsAt / 4 + 3)
  return {
    bytes: new Uint8Array(memory.buffer),
    floats: new Float32Array(memory.buffer),
    addressOf: (slot) => recordsAt + slot * parts.end,
    read(picture) {
      const squares = call.read(picture)
      const corner = picture + parts.sums + height * sumsStride + 4 * width
      const mean = ints[corner / 4]! / luma
      return { mean, deviation: Math.sqrt(Math.max(0, squares / luma - mean * mean)) }
    },
    residual: call.residual,
    shift: call.shift,
    histogramDistance: call.histogramDistance,
    layoutDistance: call.layoutDistance,
    movedDistance: call.movedDistance,
    changedCells: (a, b, limit) => call.changedCells(a, b, Math.round(limit * 8 * cellHeight)),
    stripError: (strip, stride, picture) => call.stripError(strip, stride, picture) / thumbPixels,
    apart(a, b) {
      const large = call.between(a, b, b)
      return { squares: results[1]!, large }
    },
    between(a, b, middle) {
      call.between(a, b, middle)
      return { along: results[0]!, squares: results[1]!, sided: results[2]! }
    },
  }
}

interface Calls {
  read: (picture: number) => number
  residual: Kernel['residual']
  shift: Kernel['shift']
  histogramDistance: Kernel['histogramDistance']
  layoutDistance: Kernel['layoutDistance']
  movedDistance: Kernel['movedDistance']
  changedCells: Kernel['changedCells']
  stripError: Kernel['stripError']
  between: (a: number, b: number, middle: number) => number
}

const module = assembleKernel()

function assembleKernel(): WebAssembly.Module {
  const program = createProgram()
  const { blockSum } = defineMotion(program)
  defineReading(program, blockSum)
  defineDistances(program)
  return program.assemble()
}
