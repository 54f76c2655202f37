import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lengthened } from './read-frame.ts'

const part = { left: 200, top: 500, right: 600, bottom: 640 }
/** A line from one place of the part to another. */
const line = (left: number, right: number) => ({
  ...{ x: (left + right) / 2, y: 70, width: right - left, height: 30, angle: 0 },
})

test('a part grows on the side where a line reaches its border', () => {
  assert.deepEqual(lengthened(part, [line(2, 180)], 1280), { ...part, left: 40 })
  assert.deepEqual(lengthened(part, [line(90, 398)], 700), { ...part, right: 700 })
  assert.equal(lengthened(part, [line(60, 300)], 1280), null)
})

test('nothing goes on outside of the picture', () => {
  assert.equal(lengthened({ ...part, left: 0 }, [line(2, 180)], 1280), null)
})
