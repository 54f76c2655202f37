/** Every constant a price, a limit or a screen depends on (section 9 of the specification). */

import { fromUsd } from './money.ts'
import type { Micros } from './money.ts'

export interface CreditPackage {
  id: string
  name: string
  priceMicros: Micros
  creditsMicros: Micros
  bonusMicros: Micros
  bonusText: string | null
  popular: boolean
  bestValue: boolean
}

function creditPackage(
  id: string,
  name: string,
  usd: { price: string; bonus: string },
  flag?: 'popular' | 'bestValue',
): CreditPackage {
  const priceMicros = fromUsd(usd.price)
  const bonusMicros = fromUsd(usd.bonus)
  const percent = bonusPercent({ priceMicros, bonusMicros })
  return {
    id,
    name,
    priceMicros,
    bonusMicros,
    creditsMicros: priceMicros + bonusMicros,
    bonusText: percent > 0 ? `+${percent}%` : null,
    popular: flag === 'popular',
    bestValue: flag === 'bestValue',
  }
}

/** The bonus percent shown: bonus divided by price, rounded. */
export function bonusPercent(offer: { priceMicros: Micros; bonusMicros: Micros }): number {
  return Math.round((offer.bonusMicros / offer.priceMicros) * 100)
}

export const creditPackages: readonly CreditPackage[] = [
  creditPackage('pkg-starter-10', 'STARTER', { price: '10', bonus: '0' }),
  creditPackage('pkg-power-50', 'POWER', { price: '50', bonus: '2.5' }, 'popular'),
  creditPackage('pkg-pro-100', 'PRO', { price: '100', bonus: '15' }, 'bestValue'),
  creditPackage('pkg-enterprise-500', 'ENTERPRISE', { price: '500', bonus: '100' }),
]

/** The packages of the quick top-up strip: the second and the third. */
export const quickTopUpPackages: readonly CreditPackage[] = creditPackages.slice(1, 3)

export const priceVersion = '2025-10-22'

export interface ExtractorPrice<Id extends string = ExtractorId> {
  id: Id
  name: string
  summary: string
  microsPerSecond: Micros
  /** Not of the full analysis: chosen beside it and priced on its own. */
  isExtra?: boolean
  /** The kind of what a search finds in its findings. */
  hit?: string
}

/** The one list of extractors; every other follows from it. */
const catalogue = [
  {
    id: 'ffprobe',
    name: 'Metadata',
    summary: 'Streams, frame rate, timecode, colour, and a conform report.',
    microsPerSecond: fromUsd('0.001'),
    hit: 'text',
  },
  {
    id: 'thumbnail',
    name: 'Thumbnails',
    summary: 'Poster, stills, scrubbing sprite, review proxy and waveform.',
    microsPerSecond: fromUsd('0.005'),
  },
  {
    id: 'transcription',
    name: 'Transcription',
    summary: 'Speech to text with a time for every word.',
    microsPerSecond: fromUsd('0.01'),
    hit: 'word',
  },
  {
    id: 'shots',
    name: 'Shot changes',
    summary: 'Cuts, dissolves, fades and wipes to the frame.',
    microsPerSecond: fromUsd('0.003'),
    hit: 'shot',
  },
  {
    id: 'talking',
    name: 'People talking',
    summary: 'Who visibly talks when, lip flap, and voice without mouth.',
    microsPerSecond: fromUsd('0.004'),
    hit: 'talking',
  },
  {
    id: 'cutpoints',
    name: 'Cut points',
    summary: 'Ranked frames where a cut works, with the reasons.',
    microsPerSecond: fromUsd('0.002'),
    hit: 'cutpoint',
  },
  {
    id: 'text',
    name: 'On-screen text',
    summary: 'Titles, signs and slates, with their place and frames.',
    microsPerSecond: fromUsd('0.003'),
    hit: 'screen',
    isExtra: true,
  },
] as const satisfies readonly ExtractorPrice<string>[]

export type ExtractorId = (typeof catalogue)[number]['id']
export const extractors: readonly ExtractorPrice[] = catalogue
export const passageKinds = catalogue.flatMap((extractor) =>
  'hit' in extractor ? [extractor.hit] : [],
)
export type PassageKind = (typeof passageKinds)[number]
export const extractorIds = extractors.map(({ id }) => id)
export const fullAnalysis = extractors.flatMap(({ id, isExtra }) => (isExtra ? [] : [id]))

/** Beside the extractors: for each second of each item that has sound. */
export const syncPrice = {
  id: 'sync',
  name: 'Sync by sound',
  microsPerSecond: fromUsd('0.001'),
} as const
export const syncLimits = { minItems: 2, maxItems: 16, maxSoundSeconds: 10 } as const

export const fullAnalysisMicrosPerSecond: Micros = fromUsd('0.025')
export const calculator = { minSeconds: 1, maxSeconds: 3600, defaultSeconds: 300 } as const

export const freeTierMicros: Micros = fromUsd('5')

export const autoReload = {
  thresholdsUsd: [5, 10, 20, 50],
  defaultThresholdUsd: 5,
  defaultProfileThresholdUsd: 10,
  defaultAmountUsd: 20,
} as const

export const apiKeyExpiryDays = [30, 90, 180, 365] as const
export const defaultApiKeyExpiryDays = 365
export const apiKeyPrefix = 'ci_live_'
export const testKeyPrefix = 'ci_test_'
/** `fail-{name}` at the start of a file's name: how a job of a test key on it ends. */
export const testFailures = {
  credit: 'insufficient_credit',
  limit: 'spend_limit',
  probe: 'probe_failed',
  fetch: 'fetch_failed',
  extractor: 'extractor_failed',
  timeout: 'timeout',
  internal: 'internal',
  partial: 'extractor_failed',
} as const
export const testObjects = { lifeHours: 24, maxBytes: 1024 ** 3 } as const
export const spendLimits = { maxUsd: 1_000_000 } as const

export const listLengths = {
  dashboardJobs: 5,
  dashboardTransactions: 5,
  profilePurchases: 10,
  profileUsage: 20,
} as const

export const timings = {
  toastMs: 4000,
  uploadModalCloseMs: 1000,
  jobModalCloseMs: 1500,
  successCountdownSeconds: 8,
  confettiMs: 3000,
  confettiPieces: 20,
  apiKeyScrollDelayMs: 100,
} as const

export const defaultMemberSinceYear = 2025
export const shownIdLength = 8

export const contentLimits = {
  maxUploadBytes: 10 * 1024 ** 3,
  maxMediaSeconds: 6 * 3600,
  resumableFromBytes: 64 * 1024 ** 2,
} as const

export const webhookEvents = [
  'job.completed',
  'job.failed',
  'job.canceled',
  'batch.completed',
  'balance.low',
  'auto_reload.failed',
  'payment.succeeded',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** Items of one batch. */
export const maxBatchItems = 500

export const webhookLimits = {
  maxEndpoints: 20,
  answerBytes: 1024,
  previousSecretHours: 24,
} as const
