import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  formatBalanceUsd,
  formatNeedUsd,
  formatUsd,
  fromUsd,
  fromUsdNumber,
  microsPerUsd,
  toUsd,
  toUsdText,
} from './money.ts'

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

test('display rounds halves away from zero and shows zero without a sign', () => {
  assert.equal(formatUsd(4_995_000), '$5.00')
  assert.equal(formatUsd(-4_995_000), '-$5.00')
  assert.equal(formatUsd(0), '$0.00')
  assert.equal(formatUsd(7_500_000, 3), '$7.500')
  assert.equal(formatUsd(52_500_000), '$52.50')
})

test('a price below half a cent does not read as free', () => {
  assert.equal(formatUsd(1), '<$0.01')
  assert.equal(formatUsd(4999), '<$0.01')
  assert.equal(formatUsd(5000), '$0.01')
  assert.equal(formatUsd(-1), '-<$0.01')
  assert.equal(formatUsd(499, 3), '<$0.001')
})

test('thousands are set apart', () => {
  assert.equal(formatUsd(1_234_567_890_000), '$1,234,567.89')
  assert.equal(formatUsd(999_990_000), '$999.99')
  assert.equal(formatUsd(1_000_000_000, 0), '$1,000')
})

test('display differs from the amount by at most half a cent (§2 Dashboard)', () => {
  fc.assert(
    fc.property(micros, (amount) => {
      const text = formatUsd(amount)
      if (text.includes('<')) assert.ok(amount !== 0 && Math.abs(amount) < 5000)
      else assert.ok(Math.abs(amountIn(text) - amount) <= 5000)
    }),
  )
})

test('a balance never shows more than can be spent, and at most a cent less', () => {
  assert.equal(formatBalanceUsd(4_425_000), '$4.42')
  assert.equal(formatBalanceUsd(-4_425_000), '-$4.43')
  assert.equal(formatBalanceUsd(5_000_000), '$5.00')
  fc.assert(
    fc.property(micros, (amount) => {
      const shown = amountIn(formatBalanceUsd(amount))
      assert.ok(shown <= amount && amount < shown + 10_000)
    }),
  )
})

test('the rest of half a cent adds up with the captured part', () => {
  const cents = fc.integer({ min: 0, max: 1_000_000 })
  fc.assert(
    fc.property(cents, cents, (whole, taken) => {
      const [before, cost] = [(whole + taken + 1) * 10_000, taken * 10_000 + 5000]
      const left = amountIn(formatBalanceUsd(before - cost))
      const charged = amountIn(formatUsd(cost))
      assert.equal(left + charged, before)
    }),
  )
})

test('a need that the balance does not cover never reads as if it did', () => {
  assert.equal(formatNeedUsd(6_000_000), '$6.00')
  const affordable = fc.integer({ min: 0, max: 1_000_000_000_000 })
  fc.assert(
    fc.property(affordable, fc.integer({ min: 1, max: 1_000_000_000 }), (available, short) => {
      assert.ok(amountIn(formatNeedUsd(available + short)) > amountIn(formatBalanceUsd(available)))
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

function amountIn(text: string): number {
  return fromUsd(text.replace(/[$,]/g, ''))
}
