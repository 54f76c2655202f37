import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logSum } from './log-sum.ts'

test('a sum of powers is what it is, near the largest and far below it', () => {
  let state = 7
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  for (const spread of [0, 1, 20, 60, 500]) {
    const values = Float32Array.from({ length: 5000 }, () => 30 - spread * random())
    for (let at = 0; at < values.length; at += 9) values[at] = -Infinity
    const max = Math.max(...values)
    const exact = Math.log(values.reduce((sum, value) => sum + Math.exp(value - max), 0)) + max
    assert.ok(Math.abs(logSum(values, max) - exact) < 1e-8, `${spread}`)
  }
})

test('one value alone is its own sum', () => {
  assert.equal(logSum(Float32Array.of(-Infinity, -3, -Infinity), -3), -3)
})
