import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MediaDetails } from '../probe.ts'
import { createClock } from '../time/clock.ts'
import { planOf } from './plan.ts'
import type { PassRequest } from './plan.ts'

/** Two seconds of frames, and sound from their start on. */
function detailsWith(soundSeconds: number): MediaDetails {
  const clock = createClock({ rate: { num: 25n, den: 1n }, frames: 50 })
  const video = { startSeconds: 0.5 } as MediaDetails['video']
  const audio = { index: 1, startSeconds: 0.5, durationSeconds: soundSeconds }
  return { clock, video, audio, exact: true } as MediaDetails
}

function plan(soundSeconds: number, request: Partial<PassRequest>): [number, number] {
  const details = detailsWith(soundSeconds)
  const { frames, seconds } = planOf({ file: '', workDir: '', details, ...request })
  return [frames, seconds]
}

test('sound that goes on after the last frame is part of the plan', () => {
  assert.deepEqual(plan(7, {}), [50, 7])
  assert.deepEqual(plan(7, { maxSeconds: 4 }), [50, 4])
  assert.deepEqual(plan(7, { maxSeconds: 1 }), [25, 1])
  assert.deepEqual(plan(7, { range: { startFrame: 25, endFrame: 50 } }), [25, 6])
  assert.deepEqual(plan(7, { range: { startFrame: 25, endFrame: 50, soundEnd: 5 } }), [25, 4])
  assert.deepEqual(plan(7, { range: { startFrame: 0, endFrame: 25 } }), [25, 1])
  const late = { startFrame: 49, endFrame: 50, soundStart: 4 }
  assert.deepEqual(plan(7, { range: late, maxSeconds: 2 }), [1, 4.04])
  assert.deepEqual(plan(7, { range: { ...late, soundEnd: 5 } }), [1, 3.04])
  assert.deepEqual(plan(7, { only: 'frames' }), [50, 2])
})

test('sound that ends a little off changes no length', () => {
  assert.deepEqual(plan(2.9, {}), [50, 2])
  assert.deepEqual(plan(1.5, {}), [50, 2])
  assert.deepEqual(plan(2.9, { range: { startFrame: 25, endFrame: 50, soundEnd: 9 } }), [25, 1])
})
