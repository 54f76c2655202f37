import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bonusPercent,
  creditPackages,
  extractors,
  fullAnalysisMicrosPerSecond,
  quickTopUpPackages,
} from './catalogue.ts'
import { toUsd } from './money.ts'

test('the four packages are those of the specification', () => {
  assert.deepEqual(
    creditPackages.map((item) => [
      item.id,
      item.name,
      toUsd(item.priceMicros),
      toUsd(item.creditsMicros),
      toUsd(item.bonusMicros),
      bonusPercent(item),
    ]),
    [
      ['pkg-starter-10', 'STARTER', 10, 10, 0, 0],
      ['pkg-power-50', 'POWER', 50, 52.5, 2.5, 5],
      ['pkg-pro-100', 'PRO', 100, 115, 15, 15],
      ['pkg-enterprise-500', 'ENTERPRISE', 500, 600, 100, 20],
    ],
  )
  assert.deepEqual(
    creditPackages.map((item) => [item.popular, item.bestValue]),
    [
      [false, false],
      [true, false],
      [false, true],
      [false, false],
    ],
  )
})

test('quick top-up offers the second and the third package', () => {
  assert.deepEqual(
    quickTopUpPackages.map((item) => item.id),
    ['pkg-power-50', 'pkg-pro-100'],
  )
})

test('the six extractors together cost the advertised full analysis', () => {
  const sum = extractors.reduce((total, item) => total + item.microsPerSecond, 0)
  assert.equal(sum, fullAnalysisMicrosPerSecond)
  assert.equal(extractors.length, 6)
})
