import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { smallBytes, smallHeight, smallWidth } from '../pass/plan.ts'
import { createKernel } from './kernel.ts'
import { parts, thumbPixels } from './record.ts'

const luma = smallWidth * smallHeight
const bytes = fc.uint8Array({ minLength: smallBytes, maxLength: smallBytes })
const near = (one: number, other: number): void => {
  assert.ok(Math.abs(one - other) < 1e-5 * (1 + Math.abs(other)), `${one} for ${other}`)
}

test('a picture is measured as plain loops measure it', () => {
  const kernel = createKernel(2)
  fc.assert(
    fc.property(bytes, (yuv) => {
      // The second slot: what the first one left behind must not matter.
      for (const slot of [0, 1]) {
        const at = kernel.addressOf(slot)
        kernel.bytes.set(yuv, at)
        const { mean, deviation } = kernel.read(at)
        const pixels = [...yuv.subarray(0, luma)]
        const average = pixels.reduce((sum, value) => sum + value, 0) / luma
        const variance = pixels.reduce((sum, value) => sum + (value - average) ** 2, 0) / luma
        near(mean, average)
        near(deviation, Math.sqrt(variance))
        for (const x of [0, 31, 63]) {
          const column = pixels.filter((_, index) => index % smallWidth === x)
          near(kernel.floats[(at + parts.columns) / 4 + x]!, meanOf(column))
        }
        for (const y of [0, 17, 35]) {
          near(kernel.floats[(at + parts.rows) / 4 + y]!, meanOf(pixels.slice(y * 64, y * 64 + 64)))
        }
      }
    }),
    { numRuns: 20, endOnFailure: true },
  )
})

test('distances are those of plain loops', () => {
  const kernel = createKernel(3)
  fc.assert(
    fc.property(bytes, bytes, bytes, (...pictures) => {
      const [a, b, middle] = pictures.map((yuv, slot) => put(kernel, slot, yuv)) as Three
      const [one, other] = pictures.map(histogramOf) as [number[], number[]]
      near(
        kernel.histogramDistance(a, b),
        one.reduce((sum, part, bin) => {
          const isLight = bin < 64
          return sum + (isLight ? 0.3 : 0.2) * Math.abs(part - other[bin]!)
        }, 0),
      )
      const [first, last] = pictures.map(layoutOf) as [number[], number[]]
      near(
        kernel.layoutDistance(a, b),
        first.reduce((sum, part, at) => sum + Math.abs(part - last[at]!), 0) / (32 * 255),
      )
      const [from, to, way] = pictures.map(thumbOf) as [number[], number[], number[]]
      const steps = from.map((value, at) => ({
        whole: to[at]! - value,
        moved: way[at]! - value,
      }))
      const large = steps.filter(({ whole }) => Math.abs(whole) > 24)
      assert.deepEqual(kernel.apart(a, b), {
        squares: steps.reduce((sum, { whole }) => sum + whole ** 2, 0),
        large: large.length,
      })
      assert.deepEqual(kernel.between(a, b, middle), {
        along: steps.reduce((sum, { whole, moved }) => sum + whole * moved, 0),
        squares: steps.reduce((sum, { moved }) => sum + moved ** 2, 0),
        // Within 15 % of the one or the other, in whole numbers.
        sided: large.filter(({ whole, moved }) =>
          [moved, moved - whole].some((far) => 20 * Math.abs(far) < 3 * Math.abs(whole)),
        ).length,
      })
    }),
    { numRuns: 20, endOnFailure: true },
  )
})

test('a picture that moved is explained by moving blocks, another one is not', () => {
  const kernel = createKernel(3)
  const light = (seed: number, x: number, y: number): number =>
    120 + 40 * Math.sin(x / (3 + seed)) + 30 * Math.cos(x / 7.3) + 40 * Math.sin(y / (2 + seed))
  const draw = (slot: number, seed: number, moved: number, brighter: number): number => {
    const yuv = new Uint8Array(smallBytes).fill(128)
    for (let at = 0; at < luma; at++) {
      const [x, y] = [at % smallWidth, Math.floor(at / smallWidth)]
      yuv[at] = light(seed, x + moved, y) + brighter
    }
    return put(kernel, slot, yuv)
  }
  const still = draw(0, 1, 0, 0)
  for (const moved of [0, 1, -2, 9, -14]) {
    const other = draw(1, 1, moved, 8)
    assert.ok(kernel.residual(still, other, 0) < 0.3, `moved by ${moved}`)
    assert.equal(kernel.shift(still, other, 0), moved)
  }
  assert.ok(kernel.residual(still, draw(2, 5, 0, 0), 0) > 0.6)
  // A block that is left out counts for nothing.
  assert.equal(kernel.residual(still, draw(2, 5, 0, 0), -1), 0)
})

type Three = [number, number, number]

function put(kernel: ReturnType<typeof createKernel>, slot: number, yuv: Uint8Array): number {
  const at = kernel.addressOf(slot)
  kernel.bytes.set(yuv, at)
  kernel.read(at)
  return at
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function histogramOf(yuv: Uint8Array): number[] {
  const parted = Array.from({ length: 128 }, () => 0)
  for (const [at, value] of yuv.entries()) {
    const [x, y] = [at % smallWidth, Math.floor(at / smallWidth)]
    const quadrant = (y >= smallHeight / 2 ? 32 : 0) + (x >= smallWidth / 2 ? 16 : 0)
    if (at < luma) parted[quadrant + (value >> 4)]! += 1 / luma
    else parted[(at < luma * 1.25 ? 64 : 96) + (value >> 3)]! += 4 / luma
  }
  return parted
}

function layoutOf(yuv: Uint8Array): number[] {
  const planes = [
    { from: 0, width: smallWidth, height: smallHeight },
    { from: luma, width: smallWidth / 2, height: smallHeight / 2 },
    { from: luma * 1.25, width: smallWidth / 2, height: smallHeight / 2 },
  ]
  return planes.flatMap(({ from, width, height }) => {
    const cells = Array.from({ length: 32 }, () => [] as number[])
    for (let at = 0; at < width * height; at++) {
      const down = Math.floor((Math.floor(at / width) * 4) / height)
      const across = Math.floor(((at % width) * 8) / width)
      cells[down * 8 + across]!.push(yuv[from + at]!)
    }
    return cells.map(meanOf)
  })
}

function thumbOf(yuv: Uint8Array): number[] {
  return Array.from({ length: thumbPixels }, (_, at) => {
    const from = 2 * Math.floor(at / 32) * smallWidth + 2 * (at % 32)
    const four = [yuv[from]!, yuv[from + 1]!, yuv[from + smallWidth]!, yuv[from + smallWidth + 1]!]
    return Math.floor(meanOf(four) + 0.5)
  })
}
