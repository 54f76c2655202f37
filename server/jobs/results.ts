import type { ExtractorId } from '../../contract/catalogue.ts'
import type { Input } from '../../contract/endpoint.ts'
import type { Findings } from '../../contract/findings.ts'
import type { jobEndpoints } from '../../contract/jobs.ts'
import type { Member } from '../actor.ts'
import type { Context } from '../context.ts'
import { notFound } from '../refusal.ts'

export type PartialFindings = Partial<Findings>

/** What has been found so far: complete once the job has ended. */
export async function getJobResults(
  ctx: Context,
  actor: Member,
  input: Input<typeof jobEndpoints.getJobResults>,
): Promise<{ results: PartialFindings }> {
  const { extractor } = input.query
  const of = { id: input.params.id, accountId: actor.accountId }
  return { results: await readFindings(ctx, of, extractor) }
}

export async function readFindings(
  ctx: Context,
  of: { id: string; accountId: string },
  extractor?: ExtractorId,
): Promise<PartialFindings> {
  const job = await ctx.db
    .selectFrom('jobs')
    .select('media')
    .where('id', '=', of.id)
    .where('account_id', '=', of.accountId)
    .executeTakeFirst()
  if (!job) throw notFound('The job')
  let query = ctx.db
    .selectFrom('job_extractors as e')
    .innerJoin('job_results as r', 'r.id', 'e.result_id')
    .select(['e.extractor', 'r.findings', 'r.media'])
    .where('e.job_id', '=', of.id)
    .orderBy('e.position')
  if (extractor) query = query.where('e.extractor', '=', extractor)
  const rows = await query.execute()
  // The analysis measures the media exactly, the look at upload may not have.
  const media = rows.at(-1)?.media ?? job.media ?? undefined
  const found = Object.fromEntries(rows.map((row) => [row.extractor, row.findings]))
  return { ...(media ? { media } : {}), ...found }
}
