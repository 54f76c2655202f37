/** The price of a job before it runs; `createJob` places its hold by the same sum. */
import { priceVersion } from '../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { Input } from '../../contract/endpoint.ts'
import type { Media } from '../../domain/findings/findings.ts'
import type { jobEndpoints } from '../../contract/footage/jobs.ts'
import { toUsd } from '../../domain/money/money.ts'
import type { Micros } from '../../domain/money/money.ts'
import { isTestAccount } from '../accounts/test-account.ts'
import { readBalance } from '../billing/balance.ts'
import { grantFreeCredit } from '../billing/grant.ts'
import { isSample } from '../uploads/sample.ts'
import { optionsOf } from '../../domain/job-options.ts'
import type { PlacedOptions } from '../../domain/job-options.ts'
import type { Context } from '../ground/context.ts'
import type { Db } from '../ground/database.ts'
import { Refusal } from '../ground/refusal.ts'
import { quoteIdOf, quoteLifeMs } from './quote-id.ts'
import { skipReason } from './applies.ts'
import { countedSeconds, mediaSeconds, parseWorkflow, priceLines, totalMicros } from './price.ts'
import type { PriceLine } from './price.ts'
import { findReusable, versionsOf } from '../results/reuse.ts'
import { findSource } from './source.ts'
import type { Source } from './source.ts'
import type { Verb } from '../ground/verb.ts'

type JobRequest = Input<typeof jobEndpoints.quoteJob>['body']

/** A checked request, with the content that it is about. */
export interface JobPlan {
  accountId: string
  source: Source
  extractors: ExtractorId[]
  versions: Map<ExtractorId, string>
  options: PlacedOptions
  /** The length of what is analysed, and the seconds to pay for at most. */
  mediaSeconds: number
  seconds: number
  /** True for the sample clip, which is free for everyone. */
  isSample: boolean
  /** True for jobs of a test key: free, and rehearsed instead of analysed. */
  isTest: boolean
}

export interface PricedPlan {
  lines: PriceLine[]
  totalMicros: Micros
  reusable: Map<ExtractorId, string>
}

export const quoteJob: Verb<'quoteJob'> = async (ctx, actor, input) => {
  const { accountId } = actor
  const plan = await planJob(ctx, accountId, input.body)
  const now = ctx.now()
  await grantFreeCredit(ctx.db, { accountId, now })
  const [priced, balance] = await Promise.all([
    pricePlan(ctx.db, plan),
    readBalance(ctx.db, { accountId, now }),
  ])
  const expiresAt = new Date(now.getTime() + quoteLifeMs)
  const promise = { accountId, request: input.body, maxMicros: priced.totalMicros, expiresAt }
  return {
    quote: {
      id: await quoteIdOf(ctx, promise),
      expires_at: expiresAt.toISOString(),
      lines: priced.lines.map((line) => ({
        extractor: line.extractor,
        usd_per_second: toUsd(line.microsPerSecond),
        seconds: line.seconds,
        usd: toUsd(line.micros),
        reused: line.reused,
        applies: line.applies,
        skip_reason: skipReason(line.extractor, plan.source.media)?.message ?? null,
      })),
      seconds: plan.seconds,
      media_seconds: plan.mediaSeconds,
      total_usd: toUsd(priced.totalMicros),
      available_usd: toUsd(balance.availableMicros),
      sufficient: balance.availableMicros >= priced.totalMicros,
      price_version: priceVersion,
      media: plan.source.media,
    },
  }
}

/** Checks the request and looks at the content; everything that can be refused is refused here. */
export async function planJob(
  ctx: Context,
  accountId: string,
  request: JobRequest,
): Promise<JobPlan> {
  const extractors = parseWorkflow(request.workflow)
  if (request.out !== undefined && (request.in ?? 0) >= request.out) {
    throw new Refusal('invalid', 'The in point must be before the out point.', { field: 'out' })
  }
  const source = await findSource(ctx, accountId, request)
  refuseUnreadable(source.media, extractors)
  const length = mediaSeconds(source.media, request)
  const { maxMediaSeconds } = ctx.config.limits
  if (length > maxMediaSeconds) {
    const hours = Math.floor(maxMediaSeconds / 360) / 10
    throw new Refusal(
      'too_long',
      `This would analyse more than ${hours} hours of media. Choose a shorter range.`,
    )
  }
  const options = optionsOf({ ...request, vocabulary: source.vocabulary })
  return {
    accountId,
    source,
    extractors,
    versions: await versionsOf(ctx, extractors, options),
    options,
    mediaSeconds: length,
    seconds: countedSeconds(source.media, length),
    isSample: await isSample(source.sha256),
    isTest: await isTestAccount(ctx.db, accountId),
  }
}

/** Refuses a file that is no media at all; a missing track is reported by the job. */
function refuseUnreadable({ kind }: Media, extractors: readonly ExtractorId[]): void {
  if (kind === 'other') {
    throw new Refusal(
      'unsupported_source',
      'We can’t read this file. Use video, audio, an image, or a PDF, DOCX, HTML or text file.',
    )
  }
  if (kind === 'document' && !extractors.includes('ffprobe')) {
    throw new Refusal(
      'unsupported_source',
      'This is a document: only Metadata (ffprobe) can read it, page by page.',
    )
  }
}

export async function pricePlan(
  db: Db,
  plan: JobPlan,
  prepared: ReadonlyMap<ExtractorId, string> = new Map(),
): Promise<PricedPlan> {
  const { accountId, source, extractors, versions, options } = plan
  const sha256 = source.sha256
  const known = await findReusable(db, { accountId, sha256, versions, options })
  const reusable = new Map([...prepared, ...known])
  const lines = priceLines(extractors, {
    seconds: plan.seconds,
    applies: (id) => skipReason(id, source.media) === null,
    isReused: (id) => reusable.has(id),
    isFree: plan.isSample || plan.isTest,
  })
  return { lines, totalMicros: totalMicros(lines), reusable }
}
