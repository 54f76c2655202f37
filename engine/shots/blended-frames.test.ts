import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withBlendedCuts } from './blended-frames.ts'
import type { CutScore } from './cuts.ts'

const cut = (frame: number, score: number): CutScore => ({
  frame,
  score,
  certain: 1,
  flashEnd: null,
})

test('cuts of a film of another rate say whether a mixed frame is before them', () => {
  const plain = [cut(40, 0.2), cut(90, 0.9), cut(130, 0.8)]
  const blended = [cut(40, 0.95), cut(90, 0.7), cut(160, 0.3)]
  assert.deepEqual(
    withBlendedCuts(plain, blended).map((cut) => [cut.frame, cut.score, !!cut.isBehindBlend]),
    [
      [40, 0.95, true],
      [90, 0.9, true],
      [130, 0.8, false],
      [160, 0.3, false],
    ],
  )
  const once = withBlendedCuts(plain, [cut(40, 0.95)])
  assert.deepEqual(once, plain, 'one alone shows no other rate')
})
