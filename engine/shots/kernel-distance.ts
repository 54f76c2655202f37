/** How far apart two pictures are, without any search. */
import {
  both,
  eightAt,
  either,
  everywhere16,
  isMore16,
  minus,
  minus16,
  over,
  pairs32,
  plus,
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
import { blocks, chroma, luma, parts, resultsAt, thumbPixels } from './record.ts'

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
}
