import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { defaultMinPartFrames, keptRanges } from './tighten.ts'

const plain = { frames: 1000, handleFrames: 0, minPartFrames: defaultMinPartFrames }
const range = (start: number, end: number) => ({ start, end })

test('a part of three frames between two removals takes back the shorter one', () => {
  const removals = [range(100, 200), range(203, 300), range(500, 600)]
  assert.deepEqual(keptRanges(removals, { ...plain, minPartFrames: 1 }), [
    range(0, 100),
    range(200, 203),
    range(300, 500),
    range(600, 1000),
  ])
  assert.deepEqual(keptRanges(removals, plain), [range(0, 100), range(200, 500), range(600, 1000)])
})

test('air between two removals goes with them when the words are known', () => {
  const removals = [range(100, 200), range(203, 300)]
  const words = [range(10, 90), range(310, 400)]
  assert.deepEqual(keptRanges(removals, { ...plain, words }), [range(0, 100), range(300, 1000)])
  const said = [...words, range(201, 202)]
  assert.deepEqual(keptRanges(removals, { ...plain, words: said }), [
    range(0, 100),
    range(200, 1000),
  ])
})

test('handles stay at each edge, but not at the ends of the media', () => {
  const removals = [range(0, 50), range(100, 200), range(950, 1000)]
  assert.deepEqual(keptRanges(removals, { ...plain, handleFrames: 5 }), [
    range(45, 105),
    range(195, 955),
  ])
})

test('no part is shorter than asked, none overlaps, and no word is lost', () => {
  const anyRange = fc
    .tuple(fc.integer({ min: 0, max: 990 }), fc.integer({ min: 1, max: 60 }))
    .map(([start, length]) => range(start, Math.min(1000, start + length)))
  fc.assert(
    fc.property(
      fc.array(anyRange, { maxLength: 40 }),
      fc.array(anyRange, { maxLength: 40 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 0, max: 8 }),
      (removals, words, minPartFrames, handleFrames) => {
        const options = { frames: 1000, handleFrames, minPartFrames, words }
        const kept = keptRanges(removals, options)
        kept.forEach((part, index) => {
          assert.ok(part.end - part.start >= minPartFrames || kept.length === 1)
          assert.ok(part.start >= (kept[index - 1]?.end ?? 0) && part.end <= 1000)
        })
        const isKept = (frame: number) =>
          kept.some((part) => frame >= part.start && frame < part.end)
        const isRemoved = (frame: number) =>
          removals.some(({ start, end }) => frame >= start && frame < end)
        for (const word of words) {
          for (let frame = word.start; frame < word.end; frame += 1) {
            assert.ok(isKept(frame) || isRemoved(frame), `frame ${frame} of a word is lost`)
          }
        }
      },
    ),
  )
})
