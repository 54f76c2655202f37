import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  apiKeyExpiryDays,
  apiKeyPrefix,
  autoReload,
  bonusPercent,
  calculator,
  creditPackages,
  defaultApiKeyExpiryDays,
  defaultMemberSinceYear,
  extractors,
  freeTierMicros,
  fullAnalysis,
  fullAnalysisMicrosPerSecond,
  listLengths,
  quickTopUpPackages,
  shownIdLength,
  timings,
} from './catalogue.ts'
import { toUsd } from './money.ts'

test('the four packages are those of the specification (§3, §9)', () => {
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

test('quick top-up offers the second and the third package (§9)', () => {
  assert.deepEqual(
    quickTopUpPackages.map((item) => item.id),
    ['pkg-power-50', 'pkg-pro-100'],
  )
})

test('the extractors of a full analysis together cost the advertised full analysis', () => {
  const full = extractors.filter(({ id }) => fullAnalysis.includes(id))
  const sum = full.reduce((total, item) => total + item.microsPerSecond, 0)
  assert.equal(sum, fullAnalysisMicrosPerSecond)
  assert.equal(full.length, 6)
})

test('extractor prices, calculator, lists, times and choices are those of the specification (§9)', () => {
  const price = new Map(extractors.map((item) => [item.id, toUsd(item.microsPerSecond)]))
  assert.equal(price.get('ffprobe'), 0.001)
  assert.equal(price.get('thumbnail'), 0.005)
  assert.equal(price.get('transcription'), 0.01)
  assert.equal(toUsd(fullAnalysisMicrosPerSecond), 0.025)
  assert.deepEqual(calculator, { minSeconds: 1, maxSeconds: 3600, defaultSeconds: 300 })
  assert.equal(toUsd(freeTierMicros), 5)
  assert.deepEqual(listLengths, {
    dashboardJobs: 5,
    dashboardTransactions: 5,
    profilePurchases: 10,
    profileUsage: 20,
  })
  assert.deepEqual(autoReload.thresholdsUsd, [5, 10, 20, 50])
  assert.equal(autoReload.defaultThresholdUsd, 5)
  assert.equal(autoReload.defaultProfileThresholdUsd, 10)
  assert.equal(autoReload.defaultAmountUsd, 20)
  assert.deepEqual(apiKeyExpiryDays, [30, 90, 180, 365])
  assert.equal(defaultApiKeyExpiryDays, 365)
  assert.equal(apiKeyPrefix, 'ci_live_')
  assert.deepEqual(timings, {
    toastMs: 4000,
    uploadModalCloseMs: 1000,
    jobModalCloseMs: 1500,
    successCountdownSeconds: 8,
    confettiMs: 3000,
    confettiPieces: 20,
    apiKeyScrollDelayMs: 100,
  })
  assert.equal(defaultMemberSinceYear, 2025)
  assert.equal(shownIdLength, 8)
})
