/** A job's findings as a file for editing software, with what the review decided. */
import type { ExportedFile, SourceComment } from '../../engine/export.ts'
import type { ExportOptions } from '../../contract/footage/export-options.ts'
import type { ExportFormat } from '../../domain/export-formats.ts'
import type { Findings } from '../../domain/findings/findings.ts'
import type { Review } from '../../contract/footage/review.ts'
import { reviewFrames } from '../../domain/cuts/review-cut.ts'
import { knownFrameTimes } from '../../domain/time/source-times.ts'
import { readPreferences } from '../sign-in/preferences.ts'
import type { Context } from '../ground/context.ts'
import type { Verb } from '../ground/verb.ts'
import { Refusal } from '../ground/refusal.ts'
import { makeExport, sendExport } from './make-export.ts'
import { readJob } from '../jobs/read.ts'
import { readCorrected } from './results.ts'
import { readReview } from './review.ts'

export const exportJob: Verb<'exportJob'> = async (ctx, actor, input, { reply }) => {
  const { format, ticket: _, ...asked } = input.query
  const key = { id: input.params.id, accountId: actor.accountId }
  const file = await exportFindingsOf(ctx, key, { format, ...asked })
  await sendExport(reply, { ...file, notes: undefined })
}

export async function exportFindingsOf(
  ctx: Context,
  target: { id: string; accountId: string },
  { format, ...asked }: ExportOptions & { format: ExportFormat },
): Promise<ExportedFile> {
  const job = await readJob(ctx.db, target)
  const [{ media, ...found }, review, folder] = await Promise.all([
    readCorrected(ctx, target),
    readReview(ctx, target),
    readMediaFolder(ctx, { accountId: target.accountId, contentId: job.content_id }),
  ])
  if (!media || Object.keys(found).length === 0) {
    throw new Refusal('conflict', 'This job has no findings to export yet.')
  }
  const findings = { media, ...found }
  return makeExport(ctx, target.accountId, {
    findings,
    comments: asked.comments ? await readComments(ctx, target, findings) : [],
    format,
    source: { name: job.content_name, path: folderPath(folder) },
    options: withReview(asked, review),
  })
}

/**
 * Reads comments made on shared links of this review, on the clip's frames; replies stay with their
 * comments.
 */
async function readComments(
  ctx: Context,
  { id, accountId }: { id: string; accountId: string },
  findings: Findings,
): Promise<SourceComment[]> {
  const rows = await ctx.db
    .selectFrom('shared_comments')
    .select(['at_frame', 'out_frame', 'name', 'text'])
    .where('job_id', '=', id)
    .where('account_id', '=', accountId)
    .where('reply_to', 'is', null)
    .orderBy('at_frame')
    .orderBy('created_at')
    .execute()
  const frameOf = reviewFrames({
    content_id: id,
    media: findings.media,
    frame_times: knownFrameTimes(findings),
  })
  return rows.flatMap((row) => {
    const start = frameOf(row.at_frame)
    if (start === null) return []
    const last = frameOf((row.out_frame ?? row.at_frame + 1) - 1) ?? start
    const end = Math.max(start, last) + 1
    return [{ start_frame: start, end_frame: end, name: row.name, text: row.text }]
  })
}

/** The folder of the content's project comes before that of the account. */
async function readMediaFolder(
  ctx: Context,
  { accountId, contentId }: { accountId: string; contentId: string | null },
): Promise<string | null> {
  const project =
    contentId === null
      ? undefined
      : await ctx.db
          .selectFrom('content as c')
          .innerJoin('projects as p', 'p.id', 'c.project_id')
          .select('p.media_folder')
          .where('c.id', '=', contentId)
          .where('p.account_id', '=', accountId)
          .executeTakeFirst()
  return project?.media_folder || ((await readPreferences(ctx, accountId)).media_folder ?? null)
}

/**
 * Adds the slash that a folder ends with; without one, editing software takes it for the file
 * itself.
 */
function folderPath(folder: string | null | undefined): string | undefined {
  return folder ? `${folder.replace(/[\\/]+$/, '')}/` : undefined
}

/** Options of the request come before saved ones. */
function withReview(asked: ExportOptions, review: Review | null): ExportOptions {
  if (!review) return asked
  const tighten = asked.which === 'removals-kept' ? review.tighten : undefined
  return {
    ...asked,
    handle_frames: asked.handle_frames ?? tighten?.handle_frames,
    min_part_frames: asked.min_part_frames ?? tighten?.min_part_frames,
    selects: asked.selects ?? (review.selects.length > 0 ? review.selects : undefined),
    accepted: asked.accepted ?? nonEmpty(review.accepted_cut_frames),
    rejected: asked.rejected ?? nonEmpty(review.rejected_cut_frames),
    threshold: asked.threshold ?? review.shot_threshold ?? undefined,
  }
}

function nonEmpty(frames: number[]): number[] | undefined {
  return frames.length > 0 ? frames : undefined
}
