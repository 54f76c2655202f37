import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addRanges,
  bringBack,
  describeRange,
  duplicateRanges,
  hasRoom,
  moveRanges,
  moveSpan,
  newRange,
  removeRanges,
  setDisabled,
  splitRange,
  strike,
  trimRange,
} from './cut-edit.ts'
import type { CutRange } from './cut.ts'

const content = '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34'
const list = (...names: string[]): CutRange[] =>
  names.map((name, index) =>
    newRange({ id: name, name, content_id: content, in: index * 100, out: index * 100 + 100 }),
  )
const names = (ranges: readonly CutRange[]): string => ranges.map((range) => range.name).join('')

test('ranges are added at an index or at the end, each with an id of its own', () => {
  const added = addRanges(list('a', 'b'), [{ content_id: content, in: 0, out: 5, name: 'x' }], 1)
  assert.equal(names(added), 'axb')
  assert.match(added[1]!.id, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  assert.equal(names(addRanges(list('a'), list('y', 'z'))), 'ayz')
})

test('ranges move together, before and after where they were', () => {
  const ranges = list('a', 'b', 'c', 'd')
  assert.equal(names(moveRanges(ranges, ['d', 'b'], 0)), 'bdac')
  assert.equal(names(moveRanges(ranges, ['a', 'b'], 3)), 'cabd')
  assert.equal(names(moveRanges(ranges, ['a'], 99)), 'bcda')
  assert.equal(names(moveRanges(ranges, ['b'], 1)), 'abcd')
  assert.equal(names(moveRanges(ranges, ['b'], 2)), 'abcd')
})

test('ranges are removed, copied, disabled and described', () => {
  const ranges = list('a', 'b', 'c')
  assert.equal(names(removeRanges(ranges, ['b'])), 'ac')
  const copied = duplicateRanges(ranges, ['a', 'b'])
  assert.equal(names(copied), 'ababc')
  assert.equal(new Set(copied.map((range) => range.id)).size, 5)
  assert.deepEqual(
    setDisabled(ranges, ['c'], true).map((range) => range.disabled),
    [false, false, true],
  )
  assert.equal(describeRange(ranges, 'a', { note: 'wide' })[0]?.note, 'wide')
  assert.deepEqual([hasRoom(ranges, 1997), hasRoom(ranges, 1998)], [true, false])
})

test('a trim stays in the clip, keeps a frame, and forgets removed words outside', () => {
  const ranges = strike(list('a'), 'a', { in: 10, out: 30 })
  const ends = (edit: { in?: number; out?: number }) => {
    const [range] = trimRange(ranges, 'a', { ...edit, clipFrames: 120 })
    return [range!.in, range!.out, ...range!.removed.map((span) => `${span.in}-${span.out}`)]
  }
  assert.deepEqual(ends({ in: 20 }), [20, 100, '20-30'])
  assert.deepEqual(ends({ in: -5, out: 500 }), [0, 120, '10-30'])
  assert.deepEqual(ends({ in: 300 }), [99, 100])
  assert.deepEqual(ends({ out: 0 }), [0, 1])
})

test('a split range plays the same frames', () => {
  const ranges = strike(list('a', 'b'), 'a', { in: 40, out: 60 })
  const [first, second, third] = splitRange(ranges, 'a', 50)
  assert.deepEqual([first!.in, first!.out, first!.removed], [0, 50, [{ in: 40, out: 50 }]])
  assert.deepEqual([second!.in, second!.out, second!.removed], [50, 100, [{ in: 50, out: 60 }]])
  assert.notEqual(first!.id, second!.id)
  assert.equal(third!.name, 'b')
  assert.equal(splitRange(ranges, 'a', 0).length, 2)
  assert.equal(splitRange(ranges, 'a', 100).length, 2)
})

test('a part of a range moves and leaves the rest where it is', () => {
  const ranges = list('a', 'b')
  const spans = (edited: readonly CutRange[]) =>
    edited.map((range) => `${range.name}${range.in}-${range.out}`).join(' ')
  assert.equal(
    spans(moveSpan(ranges, 'a', { in: 30, out: 60 }, 2)),
    'a0-30 a60-100 b100-200 a30-60',
  )
  assert.equal(spans(moveSpan(ranges, 'b', { in: 100, out: 150 }, 0)), 'b100-150 a0-100 b150-200')
  assert.equal(spans(moveSpan(ranges, 'b', { in: 150, out: 200 }, 0)), 'b150-200 a0-100 b100-150')
  assert.equal(spans(moveSpan(ranges, 'b', { in: 100, out: 200 }, 0)), 'b100-200 a0-100')
})

test('struck words join, and come back whole or in part', () => {
  let ranges = strike(list('a'), 'a', { in: 10, out: 20 })
  ranges = strike(ranges, 'a', { in: 20, out: 30 })
  ranges = strike(ranges, 'a', { in: 90, out: 999 })
  assert.deepEqual(ranges[0]!.removed, [
    { in: 10, out: 30 },
    { in: 90, out: 100 },
  ])
  assert.deepEqual(bringBack(ranges, 'a', { in: 15, out: 18 })[0]!.removed, [
    { in: 10, out: 15 },
    { in: 18, out: 30 },
    { in: 90, out: 100 },
  ])
  assert.deepEqual(bringBack(ranges, 'a', { in: 0, out: 100 })[0]!.removed, [])
})
