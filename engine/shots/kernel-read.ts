/** What the kernel measures of a picture that has just come. */
import { smallHeight as height, smallWidth as width } from '../pass/plan.ts'
import {
  both,
  byteAt,
  choose,
  eightAt,
  everywhere16,
  isLess,
  minus,
  not,
  over,
  pairs16,
  plus,
  plus16,
  plus32,
  products32,
  putEight,
  putReal,
  putShort,
  putSixteen,
  putWhole,
  quarters8,
  real,
  realAt,
  repeat,
  run,
  shiftRight,
  shortAt,
  sixteenAt,
  sum32,
  times,
  toReal,
  when,
  whole,
  wholeAt,
} from './assemble.ts'
import type { Code, Program, Value } from './assemble.ts'
import type { BlockSum } from './kernel-motion.ts'
import {
  blockHeight,
  blockPixels,
  blocks,
  blocksAcross,
  blockWidth,
  luma,
  parts,
  sumsStride,
} from './record.ts'

export function defineReading({ define }: Program, blockSum: BlockSum): void {
  const zero = whole(0)
  const countIn = (bin: Value): Code =>
    putShort(bin, parts.counts, plus(shortAt(bin, parts.counts), whole(1)))

  /** Sums and histogram of luma, half a row at a time, since each half has a quadrant of its own. */
  const readLuma = define(['i32'], 'i32', (locals, picture) => {
    const { half, x, pixel, cell } = locals({ half: 'i32', x: 'i32', pixel: 'i32', cell: 'i32' })
    const { row, bins, at } = locals({ row: 'i32', bins: 'i32', at: 'i32' })
    const side = both(half, whole(1))
    return [
      repeat(at, picture, plus(picture, whole(256)), 16, [
        putSixteen(at, parts.counts, everywhere16(zero)),
      ]),
      pixel.set(picture),
      cell.set(plus(picture, whole(parts.sums))),
      repeat(half, zero, whole(2 * height), 1, [
        when(not(side), [row.set(zero), cell.set(plus(cell, whole(4)))]),
        bins.set(plus(picture, times(side, whole(32)))),
        when(not(isLess(half, whole(height))), [bins.set(plus(bins, whole(64)))]),
        repeat(x, zero, whole(width / 2), 1, [
          row.set(plus(row, byteAt(pixel))),
          putWhole(cell, sumsStride, plus(wholeAt(cell), row)),
          at.set(plus(bins, times(shiftRight(byteAt(pixel), whole(4)), whole(2)))),
          countIn(at),
          pixel.set(plus(pixel, whole(1))),
          cell.set(plus(cell, whole(4))),
        ]),
      ]),
      zero,
    ]
  })

  /** Histogram and layout of both chromas; a block is four pixels wide and four or five high. */
  const readChroma = define(['i32'], 'i32', (locals, picture) => {
    const { line, x, pixel, bins } = locals({ line: 'i32', x: 'i32', pixel: 'i32', bins: 'i32' })
    const { at, sum, cell } = locals({ at: 'i32', sum: 'i32', cell: 'i32' })
    const [lines, first] = [height / 2, 4 * blocks]
    const four = [0, 1, 2, 3].flatMap((next) => [
      at.set(plus(bins, times(shiftRight(byteAt(pixel, next), whole(3)), whole(2)))),
      countIn(at),
      sum.set(plus(sum, byteAt(pixel, next))),
    ])
    return [
      repeat(at, picture, plus(picture, whole(8 * blocks)), 16, [
        putSixteen(at, parts.layout + first, everywhere16(zero)),
      ]),
      pixel.set(plus(picture, whole(luma))),
      repeat(line, zero, whole(2 * lines), 1, [
        bins.set(plus(picture, choose(isLess(line, whole(lines)), whole(128), whole(192)))),
        // Eighteen lines are four rows of blocks; the second chroma's rows follow the first's.
        cell.set(plus(picture, times(over(times(line, whole(4)), whole(lines)), whole(32)))),
        repeat(x, zero, whole(blocksAcross), 1, [
          sum.set(zero),
          ...four,
          putReal(
            cell,
            parts.layout + first,
            plus(realAt(cell, parts.layout + first), toReal(sum)),
          ),
          pixel.set(plus(pixel, whole(4))),
          cell.set(plus(cell, whole(4))),
        ]),
      ]),
      repeat(x, zero, whole(2 * blocks), 1, [
        cell.set(plus(picture, times(x, whole(4)))),
        // Rows of blocks are five and four lines high in turn.
        sum.set(choose(both(x, whole(blocksAcross)), whole(16), whole(20))),
        putReal(cell, parts.layout + first, over(realAt(cell, parts.layout + first), toReal(sum))),
      ]),
      zero,
    ]
  })

  /** The half size, and what follows from the sums: layout of luma and the two profiles. */
  const readMeans = define(['i32'], 'i32', (locals, picture) => {
    const { x, y, at, cell } = locals({ x: 'i32', y: 'i32', at: 'i32', cell: 'i32' })
    const { lanes } = locals({ lanes: 'v128' })
    const last = parts.sums + height * sumsStride
    const part = (sum: Value, count: number): Value => over(toReal(sum), real(count))
    return [
      at.set(picture),
      cell.set(picture),
      repeat(y, zero, whole(height / 2), 1, [
        repeat(x, zero, whole(width / 16), 1, [
          lanes.set(plus16(pairs16(sixteenAt(at)), pairs16(sixteenAt(at, width)))),
          lanes.set(quarters8(plus16(lanes, everywhere16(whole(2))))),
          putEight(cell, parts.thumb, lanes),
          at.set(plus(at, whole(16))),
          cell.set(plus(cell, whole(8))),
        ]),
        at.set(plus(at, whole(width))),
      ]),
      cell.set(picture),
      repeat(y, zero, whole(height), blockHeight, [
        repeat(x, zero, whole(width), blockWidth, [
          putReal(cell, parts.layout, part(blockSum(picture, x, y), blockPixels)),
          cell.set(plus(cell, whole(4))),
        ]),
      ]),
      repeat(x, zero, whole(width), 1, [
        cell.set(plus(picture, times(x, whole(4)))),
        putReal(
          cell,
          parts.columns,
          part(minus(wholeAt(cell, last + 4), wholeAt(cell, last)), height),
        ),
      ]),
      at.set(plus(picture, whole(parts.sums + 4 * width))),
      repeat(y, zero, whole(height), 1, [
        cell.set(plus(picture, times(y, whole(4)))),
        putReal(cell, parts.rows, part(minus(wholeAt(at, sumsStride), wholeAt(at)), width)),
        at.set(plus(at, whole(sumsStride))),
      ]),
      zero,
    ]
  })

  define(
    ['i32'],
    'i32',
    (locals, picture) => {
      const { at, squares } = locals({ at: 'i32', squares: 'v128' })
      return [
        run(readLuma(picture)),
        run(readChroma(picture)),
        run(readMeans(picture)),
        repeat(at, picture, plus(picture, whole(luma)), 8, [
          squares.set(plus32(squares, products32(eightAt(at), eightAt(at)))),
        ]),
        sum32(squares),
      ]
    },
    'read',
  )
}
