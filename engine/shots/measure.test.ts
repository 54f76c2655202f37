import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { smallBytes, smallHeight, smallWidth } from '../pass/plan.ts'
import {
  histogramDistance,
  layoutDistance,
  lightShare,
  measureBetween,
  measureSteps,
  pixelDistance,
  texturedChange,
} from './distance.ts'
import { thumbPixels } from './grid.ts'
import { columnShift, motionResidual } from './motion.ts'
import { createImage, readImage } from './picture.ts'
import type { Image } from './picture.ts'

const luma = smallWidth * smallHeight
const bytes = fc.uint8Array({ minLength: smallBytes, maxLength: smallBytes })
const near = (value: number, expected: number): void => {
  assert.ok(
    Math.abs(value - expected) < 1e-5 * (1 + Math.abs(expected)),
    `${value} for ${expected}`,
  )
}

test('a frame is measured by its definition, whatever was measured there before', () => {
  const image = createImage()
  fc.assert(
    fc.property(bytes, (yuv) => {
      readImage(yuv, image)
      const pixels = [...yuv.subarray(0, luma)]
      const average = meanOf(pixels)
      near(image.mean, average)
      near(image.deviation, Math.sqrt(meanOf(pixels.map((value) => (value - average) ** 2))))
      for (const x of [0, 31, 63]) {
        near(image.columns[x]!, meanOf(pixels.filter((_, index) => index % smallWidth === x)))
      }
      for (const y of [0, 17, 35]) {
        near(image.rows[y]!, meanOf(pixels.slice(y * smallWidth, (y + 1) * smallWidth)))
      }
      assert.deepEqual([...image.thumb], thumbOf(yuv))
      for (const [at, value] of layoutOf(yuv).entries()) near(image.layout[at]!, value)
    }),
    { numRuns: 20, endOnFailure: true },
  )
})

test('distances follow their definitions', () => {
  fc.assert(
    fc.property(bytes, bytes, bytes, (...frames) => {
      const [a, b, middle] = frames.map(read) as [Image, Image, Image]
      const [before, after] = frames.map(histogramOf) as [number[], number[]]
      near(
        histogramDistance(a, b),
        before.reduce((sum, part, bin) => {
          const isLight = bin < 64
          return sum + (isLight ? 0.3 : 0.2) * Math.abs(part - after[bin]!)
        }, 0),
      )
      const [first, last] = frames.map(layoutOf) as [number[], number[]]
      near(
        layoutDistance(a, b),
        first.reduce((sum, part, at) => sum + Math.abs(part - last[at]!), 0) / (32 * 255),
      )
      const apart = [...frames[0]].map((value, at) => Math.abs(value - frames[1][at]!))
      near(pixelDistance(a, b), meanOf(apart.slice(0, luma)) + 2 * meanOf(apart.slice(luma)))
      const [from, to, way] = frames.map(thumbOf) as [number[], number[], number[]]
      const steps = from.map((value, at) => ({ whole: to[at]! - value, moved: way[at]! - value }))
      const large = steps.filter(({ whole }) => Math.abs(whole) > 24)
      assert.deepEqual(measureSteps(a.thumb, b.thumb), {
        squares: steps.reduce((sum, { whole }) => sum + whole ** 2, 0),
        large: large.length,
      })
      assert.deepEqual(measureBetween(a.thumb, b.thumb, middle.thumb), {
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

test('a frame that moved is explained by moving blocks, another one is not', () => {
  const still = draw(1, 0, 0)
  for (const moved of [0, 1, -2, 9, -14]) {
    const other = draw(1, moved, 8)
    assert.ok(motionResidual(still, other) < 0.3, `moved by ${moved}`)
    assert.equal(columnShift(still, other), moved)
  }
  assert.ok(motionResidual(still, draw(5, 0, 0)) > 0.6)
})

test('light explains a change of brightness and contrast, and no other image', () => {
  const image = draw(1, 0, 0)
  assert.ok(lightShare(image, draw(1, 0, 30)) > 0.9)
  assert.ok(lightShare(image, draw(5, 0, 0)) < 0.2)
})

test('only what has texture counts as kept', () => {
  // A pattern on a plain ground: all of it is new, though most pixels are as they were.
  const onGround = (left: number): Image => {
    const yuv = new Uint8Array(smallBytes).fill(128)
    for (let y = 12; y < 24; y++) {
      for (let x = left; x < left + 16; x++) yuv[y * smallWidth + x] = 128 + 90 * ((x * y) % 2)
    }
    return read(yuv)
  }
  assert.equal(texturedChange(onGround(8), onGround(40)), 1)
  assert.equal(texturedChange(onGround(8), onGround(8)), 0)
})

/** An image with texture, moved to the left and brightened. */
function draw(seed: number, moved: number, brighter: number): Image {
  const yuv = new Uint8Array(smallBytes).fill(128)
  for (let at = 0; at < luma; at++) {
    const [x, y] = [(at % smallWidth) + moved, Math.floor(at / smallWidth)]
    const across = 40 * Math.sin(x / (3 + seed)) + 30 * Math.cos(x / 7.3)
    yuv[at] = 110 + across + 40 * Math.sin(y / (2 + seed)) + brighter
  }
  return read(yuv)
}

function read(yuv: Uint8Array): Image {
  const image = createImage()
  readImage(yuv, image)
  return image
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
