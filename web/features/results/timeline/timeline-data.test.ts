import assert from 'node:assert/strict'
import { test } from 'node:test'
import { voiceAt } from './timeline-data.ts'

test('a voice without a mouth is not called talking', () => {
  const data = {
    talking: [{ startFrame: 10, endFrame: 20 }],
    voiceOnly: [{ startFrame: 20, endFrame: 30 }],
  }
  const told = [9, 10, 19, 20, 29, 30].map((frame) => voiceAt(data, frame))
  assert.deepEqual(told, [null, 'talking', 'talking', 'voice only', 'voice only', null])
})
