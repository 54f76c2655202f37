/** The kernel's search for where blocks went. */
import { smallHeight as height, smallWidth as width } from '../pass/plan.ts'
import {
  both,
  choose,
  eightAt,
  either,
  everywhere16,
  give,
  isLess,
  isMore,
  least,
  minus,
  minus16,
  not,
  over,
  pairs32,
  plus,
  plus16,
  real,
  realAt,
  repeat,
  run,
  shiftRight,
  signedByteAt,
  size,
  size16,
  sum32,
  times,
  toReal,
  when,
  whole,
  wholeAt,
} from './assemble.ts'
import type { Program, Value } from './assemble.ts'
import {
  blackAt,
  blockHeight,
  blockPixels,
  blocks,
  blocksAcross,
  blockWidth,
  moves,
  movesAt,
  parts,
  sumsStride,
} from './record.ts'

export type BlockSum = (picture: Value, x: Value, y: Value) => Value

export function defineMotion({ define, shared }: Program): { blockSum: BlockSum } {
  const zero = whole(0)
  /** Σ |a − b − lift| over two blocks. */
  const blockError = define(['i32', 'i32', 'i32'], 'i32', (locals, a, b, lift) => {
    const { sum, lifts } = locals({ sum: 'v128', lifts: 'v128' })
    const rows = Array.from({ length: blockHeight }, (_, row) => {
      const step = minus16(eightAt(a, row * width), eightAt(b, row * width))
      return sum.set(plus16(sum, size16(minus16(step, lifts))))
    })
    return [lifts.set(everywhere16(lift)), ...rows, sum.set(pairs32(sum)), sum32(sum)]
  })

  /** Where the block at x, y of a picture begins. */
  const blockAt = (picture: Value, x: Value, y: Value): Value =>
    plus(plus(picture, x), times(y, whole(width)))

  const blockSum = define(['i32', 'i32', 'i32'], 'i32', (locals, picture, x, y) => {
    const { at } = locals({ at: 'i32' })
    const [top, bottom] = [parts.sums, parts.sums + blockHeight * sumsStride]
    const right = 4 * blockWidth
    return [
      at.set(plus(picture, plus(times(y, whole(sumsStride)), times(x, whole(4))))),
      plus(
        minus(wholeAt(at, bottom + right), wholeAt(at, bottom)),
        minus(wholeAt(at, top), wholeAt(at, top + right)),
      ),
    ]
  })

  const blockMean = (picture: Value, x: Value, y: Value): Value =>
    over(plus(blockSum(picture, x, y), whole(blockPixels / 2)), whole(blockPixels))

  /** The best match so far of the block that is looked for. */
  const best = { error: shared(), x: shared(), y: shared() }

  const tryMove = define(
    ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
    'i32',
    (locals, a, b, x, y, dx, dy, mean) => {
      const { error } = locals({ error: 'i32' })
      const [toX, toY] = [plus(x, dx), plus(y, dy)]
      const isOutside = either(
        either(isLess(toX, zero), isMore(toX, whole(width - blockWidth))),
        either(isLess(toY, zero), isMore(toY, whole(height - blockHeight))),
      )
      const lift = minus(blockMean(a, toX, toY), mean)
      return [
        when(isOutside, [give(zero)]),
        error.set(blockError(blockAt(a, toX, toY), blockAt(b, x, y), lift)),
        when(isLess(error, best.error), [best.error.set(error), best.x.set(dx), best.y.set(dy)]),
        zero,
      ]
    },
  )

  const searchAround = define(
    ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'f64'],
    'i32',
    (locals, a, b, x, y, centreX, centreY, mean, enough) => {
      const { at } = locals({ at: 'i32' })
      const dx = plus(centreX, signedByteAt(at))
      const dy = plus(centreY, signedByteAt(at, 1))
      return [
        repeat(at, whole(movesAt), whole(movesAt + moves.length), 2, [
          run(tryMove(a, b, x, y, dx, dy, mean)),
          when(not(isMore(toReal(best.error), enough)), [give(zero)]),
        ]),
        zero,
      ]
    },
  )

  /** Profiles are laid upon each other at every shift, without the difference of their means. */
  const profileShift = define(
    ['i32', 'i32', 'i32', 'i32'],
    'i32',
    (locals, a, b, length, reach) => {
      const { shift, from, to, at, found } = locals({
        ...{ shift: 'i32', from: 'i32', to: 'i32', at: 'i32', found: 'i32' },
      })
      const { lift, error, lowest } = locals({ lift: 'f64', error: 'f64', lowest: 'f64' })
      const cell = (start: Value, index: Value): Value => plus(start, times(index, whole(4)))
      const step = minus(realAt(cell(a, plus(at, shift))), realAt(cell(b, at)))
      const count = toReal(minus(to, from))
      return [
        lowest.set(real(Infinity)),
        repeat(shift, minus(zero, reach), plus(reach, whole(1)), 1, [
          from.set(choose(isLess(shift, zero), minus(zero, shift), zero)),
          to.set(choose(isMore(shift, zero), minus(length, shift), length)),
          lift.set(real(0)),
          repeat(at, from, to, 1, [lift.set(plus(lift, step))]),
          lift.set(over(lift, count)),
          error.set(real(0)),
          repeat(at, from, to, 1, [error.set(plus(error, size(minus(step, lift))))]),
          error.set(plus(over(error, count), times(real(0.02), size(toReal(shift))))),
          when(isLess(error, lowest), [lowest.set(error), found.set(shift)]),
        ]),
        found,
      ]
    },
  )

  const globalShift = define(
    ['i32', 'i32', 'i32'],
    'i32',
    (_locals, a, b, isRows) => {
      const [columns, rows] = [whole(parts.columns), whole(parts.rows)]
      const byColumns = profileShift(plus(a, columns), plus(b, columns), whole(width), whole(20))
      const byRows = profileShift(plus(a, rows), plus(b, rows), whole(height), whole(10))
      return [when(isRows, [give(byRows)]), byColumns]
    },
    'shift',
  )

  define(
    ['i32', 'i32', 'i32'],
    'f64',
    (locals, a, b, skipped) => {
      const { block, x, y, mean, own } = locals({
        ...{ block: 'i32', x: 'i32', y: 'i32', mean: 'i32', own: 'i32' },
      })
      const { counted, lastX, lastY } = locals({ counted: 'i32', lastX: 'i32', lastY: 'i32' })
      const { isKnown, shiftX, shiftY } = locals({ isKnown: 'i32', shiftX: 'i32', shiftY: 'i32' })
      const { total, texture, enough } = locals({ total: 'f64', texture: 'f64', enough: 'f64' })
      const isPoor = isMore(toReal(best.error), enough)
      const here = blockAt(b, x, y)
      return [
        best.x.set(zero),
        best.y.set(zero),
        repeat(block, zero, whole(blocks), 1, [
          when(not(both(shiftRight(skipped, block), whole(1))), [
            x.set(times(both(block, whole(blocksAcross - 1)), whole(blockWidth))),
            y.set(times(over(block, whole(blocksAcross)), whole(blockHeight))),
            counted.set(plus(counted, whole(1))),
            mean.set(blockMean(b, x, y)),
            own.set(blockError(whole(blackAt), here, minus(zero, mean))),
            texture.set(plus(texture, toReal(own))),
            enough.set(plus(times(real(0.15), toReal(own)), real(40))),
            lastX.set(best.x),
            lastY.set(best.y),
            best.error.set(blockError(blockAt(a, x, y), here, minus(blockMean(a, x, y), mean))),
            best.x.set(zero),
            best.y.set(zero),
            // A block that has not moved needs no search, one that moved like its neighbour a short one.
            when(both(isPoor, not(not(either(lastX, lastY)))), [
              run(tryMove(a, b, x, y, lastX, lastY, mean)),
            ]),
            when(isPoor, [run(searchAround(a, b, x, y, zero, zero, mean, enough))]),
            when(both(isPoor, not(isKnown)), [
              shiftX.set(globalShift(a, b, zero)),
              shiftY.set(globalShift(a, b, whole(1))),
              isKnown.set(whole(1)),
            ]),
            when(both(isPoor, not(not(either(shiftX, shiftY)))), [
              run(searchAround(a, b, x, y, shiftX, shiftY, mean, enough)),
            ]),
            // What is worse than unrelated says no more than that.
            total.set(
              plus(total, least(toReal(best.error), plus(times(toReal(own), real(1.5)), real(40)))),
            ),
          ]),
        ]),
        over(total, plus(plus(texture, times(toReal(counted), real(blockPixels * 0.8))), real(1))),
      ]
    },
    'residual',
  )

  return { blockSum }
}
