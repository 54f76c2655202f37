/** How far apart two pictures are, without any search. */
import { smallHeight as height, smallWidth as width } from '../pass/plan.ts'
import {
  both,
  byteAt,
  choose,
  eightAt,
  either,
  everywhere16,
  isLess,
  isMore,
  isMore16,
  minus,
  minus16,
  over,
  pairs32,
  plus,
  plus16,
  plus32,
  products32,
  putWhole,
  real,
  realAt,
  repeat,
  sixteenAt,
  size,
  size16,
  sum32,
  times,
  times16,
  toReal,
  whole,
} from './assemble.ts'
import type { Program, Value } from './assemble.ts'
import { blocks, cellHeight, chroma, luma, parts, resultsAt } from './record.ts'
import { thumbHeight, thumbPixels, thumbWidth } from './record.ts'

export function defineDistances({ define }: Program): void {
  const zero = whole(0)
  define(
    ['i32', 'i32'],
    'f64',
    (locals, a, b) => {
      const { at, light, colour } = locals({ at: 'i32', light: 'v128', colour: 'v128' })
      const step = size16(
        minus16(sixteenAt(plus(a, at), parts.counts), sixteenAt(plus(b, at), parts.counts)),
      )
      const part = (sums: Value, weight: number, of: number): Value =>
        over(times(real(weight), toReal(sum32(sums))), real(of))
      return [
        repeat(at, zero, whole(128), 16, [light.set(plus32(light, pairs32(step)))]),
        repeat(at, whole(128), whole(256), 16, [colour.set(plus32(colour, pairs32(step)))]),
        plus(part(light, 0.3, luma), part(colour, 0.2, chroma)),
      ]
    },
    'histogramDistance',
  )

  define(
    ['i32', 'i32'],
    'f64',
    (locals, a, b) => {
      const { at, sum } = locals({ at: 'i32', sum: 'f64' })
      const step = minus(realAt(plus(a, at), parts.layout), realAt(plus(b, at), parts.layout))
      return [
        repeat(at, zero, whole(4 * 3 * blocks), 4, [sum.set(plus(sum, size(step)))]),
        over(sum, real(blocks * 255)),
      ]
    },
    'layoutDistance',
  )

  /** A pixel counts as wholly on one side when it is within 15 % of it: 3 of 20 parts. */
  define(
    ['i32', 'i32', 'i32'],
    'i32',
    (locals, a, b, middle) => {
      const { at, step, moved } = locals({ at: 'i32', step: 'v128', moved: 'v128' })
      const { along, squares } = locals({ along: 'v128', squares: 'v128' })
      const { isLarge, large, sided } = locals({ isLarge: 'v128', large: 'v128', sided: 'v128' })
      const thumbAt = (picture: Value): Value => eightAt(plus(picture, at), parts.thumb)
      const times16by = (lanes: Value, factor: number): Value =>
        times16(lanes, everywhere16(whole(factor)))
      const isNear = (far: Value): Value =>
        isMore16(times16by(size16(step), 3), times16by(size16(far), 20))
      return [
        repeat(at, zero, whole(thumbPixels), 8, [
          step.set(minus16(thumbAt(b), thumbAt(a))),
          moved.set(minus16(thumbAt(middle), thumbAt(a))),
          along.set(plus32(along, products32(step, moved))),
          squares.set(plus32(squares, products32(moved, moved))),
          isLarge.set(isMore16(size16(step), everywhere16(whole(24)))),
          large.set(minus16(large, isLarge)),
          sided.set(
            minus16(sided, both(isLarge, either(isNear(moved), isNear(minus16(moved, step))))),
          ),
        ]),
        putWhole(zero, resultsAt, sum32(along)),
        putWhole(zero, resultsAt + 4, sum32(squares)),
        putWhole(zero, resultsAt + 8, sum32(pairs32(sided))),
        sum32(pairs32(large)),
      ]
    },
    'between',
  )

  /** The mean of |b − a| where a is moved by x, y, over what both show. */
  define(
    ['i32', 'i32', 'i32', 'i32'],
    'f64',
    (locals, a, b, dx, dy) => {
      const { x, y, fromX, toX, fromY, toY, sum } = locals({
        ...{ x: 'i32', y: 'i32', fromX: 'i32', toX: 'i32', fromY: 'i32', toY: 'i32', sum: 'i32' },
      })
      const { step } = locals({ step: 'i32' })
      const first = (move: Value): Value => choose(isLess(move, zero), minus(zero, move), zero)
      const end = (move: Value, length: number): Value =>
        choose(isMore(move, zero), minus(whole(length), move), whole(length))
      const pixel = (picture: Value, atX: Value, atY: Value): Value =>
        byteAt(plus(plus(picture, atX), times(atY, whole(width))))
      return [
        fromX.set(first(dx)),
        toX.set(end(dx, width)),
        fromY.set(first(dy)),
        toY.set(end(dy, height)),
        repeat(y, fromY, toY, 1, [
          repeat(x, fromX, toX, 1, [
            step.set(minus(pixel(b, x, y), pixel(a, plus(x, dx), plus(y, dy)))),
            sum.set(plus(sum, choose(isLess(step, zero), minus(zero, step), step))),
          ]),
        ]),
        over(toReal(sum), toReal(times(minus(toX, fromX), minus(toY, fromY)))),
      ]
    },
    'movedDistance',
  )

  /** How many cells of 8 × 6 pixels differ by more than a limit, summed over their pixels. */
  define(
    ['i32', 'i32', 'i32'],
    'i32',
    (locals, a, b, limit) => {
      const { x, y, at, count } = locals({ x: 'i32', y: 'i32', at: 'i32', count: 'i32' })
      const { sum } = locals({ sum: 'v128' })
      const rows = Array.from({ length: cellHeight }, (_, row) => {
        const [one, other] = [eightAt(plus(a, at), row * width), eightAt(plus(b, at), row * width)]
        return sum.set(plus16(sum, size16(minus16(one, other))))
      })
      return [
        repeat(y, zero, whole(height), cellHeight, [
          repeat(x, zero, whole(width), 8, [
            at.set(plus(times(y, whole(width)), x)),
            sum.set(everywhere16(zero)),
            ...rows,
            sum.set(pairs32(sum)),
            count.set(plus(count, isMore(sum32(sum), limit))),
          ]),
        ]),
        count,
      ]
    },
    'changedCells',
  )

  /** Σ |strip − thumb|: a part of two thumbs side by side or one above the other, and a third. */
  define(
    ['i32', 'i32', 'i32'],
    'i32',
    (locals, strip, stride, picture) => {
      const { y, at, thumb, sum } = locals({ y: 'i32', at: 'i32', thumb: 'i32', sum: 'v128' })
      const { row } = locals({ row: 'v128' })
      const eights = [0, 8, 16, 24].map((x) =>
        row.set(plus16(row, size16(minus16(eightAt(at, x), eightAt(thumb, x))))),
      )
      return [
        at.set(strip),
        thumb.set(plus(picture, whole(parts.thumb))),
        repeat(y, zero, whole(thumbHeight), 1, [
          row.set(everywhere16(zero)),
          ...eights,
          sum.set(plus32(sum, pairs32(row))),
          at.set(plus(at, stride)),
          thumb.set(plus(thumb, whole(thumbWidth))),
        ]),
        sum32(sum),
      ]
    },
    'stripError',
  )
}
