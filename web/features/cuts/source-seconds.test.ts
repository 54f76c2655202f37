import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Media } from '../../../domain/findings/findings.ts'
import { frameAfter, spanSeconds } from './source-seconds.ts'

const id = '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34'
/** A minute at 30 frames a second, then one at 15. */
const variable = {
  content_id: id,
  frames: 2700,
  media: { kind: 'video', frames: 2700, frame_rate: '45/2' } as Media,
  frame_times: [
    [0, '0/1'],
    [1800, '60/1'],
    [2700, '120/1'],
  ] as [number, string][],
}
const constant = { ...variable, frame_times: null }

test('frames of a variable clip last as long as they are known to', () => {
  assert.equal(spanSeconds(variable, { in: 1800, out: 1815 }), 1)
  assert.equal(spanSeconds(variable, { in: 1785, out: 1815 }), 1.5)
  assert.equal(spanSeconds(constant, { in: 0, out: 45 }), 2)
  assert.equal(spanSeconds(undefined, { in: 0, out: 50 }), 2)
})

test('an edge that is dragged by a second goes to the frame of that second', () => {
  assert.equal(frameAfter(variable, 1800, 1), 1815)
  assert.equal(frameAfter(variable, 1800, -1), 1770)
  assert.equal(frameAfter(variable, 1800, 0), 1800)
  assert.equal(frameAfter(variable, 1800, 0.04), 1801)
  assert.equal(frameAfter(variable, 1800, 0.03), 1800)
  assert.equal(frameAfter(variable, 2690, 60), 2700)
  assert.equal(frameAfter(constant, 1800, 2), 1845)
})
