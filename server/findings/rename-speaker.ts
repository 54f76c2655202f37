/** One name for a speaker in every clip of a project, as corrections of each clip. */
import { sql } from 'kysely'
import { renameSpeaker, shownSpeakers } from '../../domain/findings/edit-speakers.ts'
import type { Verb } from '../ground/verb.ts'
import type { Context } from '../ground/context.ts'
import { notFound } from '../ground/refusal.ts'
import { lockSaved, saveVersion } from './corrections.ts'
import { readFindings } from './results.ts'
import { paramsKey } from '../results/reuse.ts'

export const renameProjectSpeaker: Verb<'renameSpeaker'> = async (
  ctx,
  { accountId },
  { params, body },
) => {
  const project = await ctx.db
    .selectFrom('projects')
    .select('id')
    .where('id', '=', params.id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!project) throw notFound('The project')
  let changed = 0
  for (const job of await jobsWithSpeakers(ctx, { accountId, projectId: project.id })) {
    const findings = await readFindings(ctx, { id: job.id, accountId }, undefined, null)
    const media = {
      accountId,
      sha256: job.content_sha256 ?? '',
      params: paramsKey(job.options),
    }
    const isChanged = await ctx.db.transaction().execute(async (trx) => {
      const saved = await lockSaved(trx, media)
      if (!shownSpeakers(findings, saved.corrections).includes(body.from)) return false
      const corrections = renameSpeaker(saved.corrections, findings, body)
      await saveVersion(trx, media, {
        corrections,
        version: saved.version + 1,
        savedAt: ctx.now(),
      })
      return true
    })
    if (isChanged) changed += 1
  }
  return { changed }
}

/** The latest job of each medium and range that has speakers. */
function jobsWithSpeakers(ctx: Context, input: { accountId: string; projectId: string }) {
  const start = sql`j.options->'in'`
  const end = sql`j.options->'out'`
  return ctx.db
    .selectFrom('jobs as j')
    .innerJoin('content as c', 'c.id', 'j.content_id')
    .select(['j.id', 'j.content_sha256', 'j.options'])
    .distinctOn(['j.content_sha256', start, end])
    .where('j.account_id', '=', input.accountId)
    .where('c.account_id', '=', input.accountId)
    .where('c.project_id', '=', input.projectId)
    .where('j.content_sha256', 'is not', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('job_extractors as e')
          .select('e.job_id')
          .whereRef('e.job_id', '=', 'j.id')
          .where('e.extractor', 'in', ['talking', 'transcription'])
          .where('e.result_id', 'is not', null),
      ),
    )
    .orderBy('j.content_sha256')
    .orderBy(start)
    .orderBy(end)
    .orderBy('j.created_at', 'desc')
    .execute()
}
