import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatUsd, fromUsd, fromUsdNumber, microsPerUsd, toUsd, toUsdText } from './money.ts'

const micros = fc.integer({ min: -999_999_990_000_000, max: 999_999_990_000_000 })

test('an amount survives the wire as a JSON number', () => {
  fc.assert(
    fc.property(micros, (amount) => {
      const wire = JSON.parse(JSON.stringify(toUsd(amount))) as number
      assert.equal(fromUsdNumber(wire), amount)
    }),
  )
})

test('an amount survives exact decimal text', () => {
  fc.assert(
    fc.property(micros, (amount) => {
      assert.equal(fromUsd(toUsdText(amount)), amount)
    }),
  )
})

test('display rounds halves away from zero and never shows minus zero', () => {
  assert.equal(formatUsd(4_995_000), '$5.00')
  assert.equal(formatUsd(-4_995_000), '-$5.00')
  assert.equal(formatUsd(-1), '$0.00')
  assert.equal(formatUsd(7_500_000, 3), '$7.500')
  assert.equal(formatUsd(52_500_000), '$52.50')
})

test('display differs from the amount by at most half a cent', () => {
  fc.assert(
    fc.property(micros, (amount) => {
      const shown = fromUsd(formatUsd(amount).replace('$', ''))
      assert.ok(Math.abs(shown - amount) <= 5000)
    }),
  )
})

test('amounts with more than six decimals, or no amounts at all, are refused', () => {
  for (const bad of ['0.0000001', '1e3', '', '.5', '5.', ' 1', 'NaN', '1,000']) {
    assert.throws(() => fromUsd(bad), RangeError)
  }
  for (const bad of [0.000_000_1, Number.NaN, Infinity, 1e300]) {
    assert.throws(() => fromUsdNumber(bad), RangeError)
  }
  assert.throws(() => toUsd(0.5), RangeError)
  assert.equal(fromUsdNumber(0.1 * microsPerUsd), 100_000 * microsPerUsd)
})
