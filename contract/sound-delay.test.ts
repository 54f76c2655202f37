import assert from 'node:assert/strict'
import { test } from 'node:test'
import { soundDelayText } from './sound-delay.ts'

test('a delay is shown in tenths of a second, with its direction', () => {
  assert.equal(soundDelayText(0.48), 'Sound is about 0.5 s late')
  assert.equal(soundDelayText(-2.04), 'Sound is about 2.0 s early')
})
