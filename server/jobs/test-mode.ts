/**
 * Jobs of test keys: nothing is decoded and nothing is charged. The job ends in the transaction
 * that places it, with the sample clip's findings laid onto the length of the file, or with the
 * error that the file's name asks for.
 */
import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { testFailures } from '../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { Media } from '../../domain/findings/findings.ts'
import { parseRate } from '../../domain/time/timecode.ts'
import type { Tables } from '../ground/generated-tables.ts'
import type { Context } from '../ground/context.ts'
import { skipReason } from './applies.ts'
import type { Cause } from './cause.ts'
import { endJob } from './end.ts'
import { addResult, readPrepared } from './sample-results.ts'
import type { JobPlan } from './quote.ts'
import { findReusable } from '../results/reuse.ts'

/** Gives the twin account the results of this plan. Call it under `lockResults`. */
export async function addRehearsed(
  ctx: Context,
  trx: Transaction<Tables>,
  plan: JobPlan,
): Promise<Map<ExtractorId, string>> {
  const added = new Map<ExtractorId, string>()
  const { accountId, source, options, versions } = plan
  const sha256 = source.sha256 ?? createHash('sha256').update(source.url).digest('hex')
  const known = await findReusable(trx, { accountId, sha256, versions, options })
  const prepared = await readPrepared()
  for (const extractor of plan.extractors) {
    if (known.has(extractor) || skipReason(extractor, source.media)) continue
    const findings = layOnto(prepared.findings[extractor], prepared.media, plan)
    const version = versions.get(extractor) ?? ''
    const result = { extractor, sha256, version, findings, media: source.media }
    added.set(extractor, await addResult(ctx, trx, plan, result))
  }
  return added
}

/** Failure that a file's name asks for: `fail-timeout.mp4` asks for a timeout. */
export function wantedFailure(name: string): keyof typeof testFailures | null {
  const word = /^fail-([a-z]+)\b/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return word in testFailures ? (word as keyof typeof testFailures) : null
}

/** Ends a job that was placed a moment ago. */
export async function endRehearsed(
  ctx: Context,
  trx: Transaction<Tables>,
  job: { id: string; name: string },
): Promise<void> {
  const failure = wantedFailure(job.name)
  const cause: Cause | null = failure && {
    code: testFailures[failure],
    message: `The name of the file asked for this failure (fail-${failure}).`,
  }
  if (cause && failure !== 'partial') {
    await endJob(ctx, trx, { jobId: job.id, reason: 'failed', cause })
    return
  }
  if (cause) await failLastExtractor(trx, job.id, cause)
  await endJob(ctx, trx, { jobId: job.id, reason: 'finished' })
}

async function failLastExtractor(
  trx: Transaction<Tables>,
  jobId: string,
  cause: Cause,
): Promise<void> {
  await trx
    .updateTable('job_extractors')
    .set({
      status: 'failed',
      result_id: null,
      error_code: cause.code,
      error_message: cause.message,
    })
    .where('job_id', '=', jobId)
    .where('position', '=', (row) =>
      row
        .selectFrom('job_extractors as last')
        .select((last) => last.fn.max('last.position').as('position'))
        .where('last.job_id', '=', jobId)
        .where('last.status', '=', 'reused'),
    )
    .execute()
}

interface Scale {
  place: (frame: number) => number
  /** Frames a second, as a fraction. */
  rate: { num: bigint; den: bigint }
  frames: number
}

/** Stretches findings of the sample over the part of the file that the job is about. */
function layOnto(findings: unknown, sample: Media, { source, options }: JobPlan): unknown {
  const { media } = source
  const rate = rateOf(media)
  const perSecond = Number(rate.num) / Number(rate.den)
  const frames = Math.max(1, media.kind === 'video' ? media.frames : media.duration * 25)
  const all = Math.round(frames)
  const first = Math.min(all - 1, Math.round((options.in ?? 0) * perSecond))
  const end = options.out === undefined ? all : Math.round(options.out * perSecond)
  const length = Math.max(1, Math.min(all, end) - first)
  const place = (frame: number): number => first + Math.round((frame * length) / sample.frames)
  return stretchValue(findings, { place, rate, frames: first + length })
}

function rateOf(media: Media): { num: bigint; den: bigint } {
  const isConstant = media.kind === 'video' && !media.variable_frame_rate
  const rate = isConstant && media.frame_rate ? parseRate(media.frame_rate) : null
  if (rate) return rate
  if (media.kind !== 'video' || media.duration === 0) return { num: 25n, den: 1n }
  return {
    num: BigInt(Math.max(1, Math.round((media.frames / media.duration) * 1000))),
    den: 1000n,
  }
}

function stretchValue(value: unknown, scale: Scale): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => stretchValue(item, scale))
  if (typeof value !== 'object' || value === null) return value
  const laid: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) laid[key] = stretchValue(inner, scale)
  const { start_frame: start, end_frame: end, frame, bytes } = laid
  const seconds = (at: number): number => (at * Number(scale.rate.den)) / Number(scale.rate.num)
  const time = (at: number): string => `${BigInt(at) * scale.rate.den}/${scale.rate.num}`
  if (typeof start === 'number' && typeof end === 'number') {
    const from = scale.place(start)
    const to = end > start ? Math.max(from + 1, scale.place(end)) : from
    return {
      ...laid,
      start_frame: from,
      end_frame: to,
      start_time: time(from),
      end_time: time(to),
      start: seconds(from),
      end: seconds(to),
    }
  }
  if (typeof frame === 'number') {
    const at = Math.min(scale.frames - 1, scale.place(frame))
    return {
      ...laid,
      frame: at,
      time: time(at),
      ...('seconds' in laid ? { seconds: seconds(at) } : {}),
    }
  }
  if (typeof bytes === 'string' && typeof laid.frames === 'number') {
    const scores = Buffer.from(bytes, 'base64')
    const spread = Buffer.alloc(scale.frames)
    scores.forEach((score, at) => spread.fill(score, scale.place(at), scale.place(at + 1)))
    return { ...laid, bytes: spread.toString('base64'), frames: spread.length }
  }
  return laid
}
