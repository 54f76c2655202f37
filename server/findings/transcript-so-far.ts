/**
 * Reads the words of speech parts that are done while others are still at work, from the files that
 * they hand to the join. They go with those files when the job ends, however it ends.
 */
import { json } from 'node:stream/consumers'
import { HeardPart } from '../../contract/footage/jobs.ts'
import { previewName } from '../../engine/parts/artifacts.ts'
import type { Context } from '../ground/context.ts'
import { notFound } from '../ground/refusal.ts'
import { ObjectNotFound } from '../ground/storage.ts'
import type { Verb } from '../ground/verb.ts'
import { mayReadWords, noteWords } from '../jobs/reads.ts'

const nothing = { parts: 0, heard: [] }
const Preview = HeardPart.omit({ part: true })
type Preview = Omit<HeardPart, 'part'>

export const getTranscriptSoFar: Verb<'getTranscriptSoFar'> = async (ctx, actor, input) => {
  const { accountId } = actor
  const job = await ctx.db
    .selectFrom('jobs')
    .select(['id', 'options'])
    .where('id', '=', input.params.id)
    .where('account_id', '=', accountId)
    .where('kind', '=', 'analysis')
    .executeTakeFirst()
  if (!job) throw notFound('The job')
  const parts = await ctx.db
    .selectFrom('work as p')
    .leftJoin('work_files as f', (file) =>
      file.onRef('f.work_id', '=', 'p.id').on('f.name', '=', previewName),
    )
    .select(['p.position', 'f.storage_key'])
    .where('p.job_id', '=', job.id)
    .where('p.kind', '=', 'speech')
    .orderBy('p.position')
    .execute()
  if (parts.length === 0 || !(await mayReadWords(ctx, accountId))) return nothing
  const heard: HeardPart[] = []
  for (const { position, storage_key: key } of parts) {
    if (key === null || position < (input.query.from_part ?? 0)) continue
    const preview = await readPreview(ctx, key)
    if (preview) heard.push(onMediaClock(preview, position, job.options.in ?? 0))
  }
  const isNoted = await noteWords(
    ctx,
    job.id,
    heard.map(({ part }) => part),
  )
  return isNoted ? { parts: parts.length, heard } : nothing
}

/** Reads the preview; null if the job has ended meanwhile. */
async function readPreview(ctx: Context, key: string): Promise<Preview | null> {
  try {
    return Preview.parse(await json(await ctx.storage.read(key)))
  } catch (error) {
    if (error instanceof ObjectNotFound) return null
    throw error
  }
}

/** Parts count from the start of what is analysed. */
function onMediaClock(preview: Preview, part: number, offset: number): HeardPart {
  return {
    part,
    start: preview.start + offset,
    end: preview.end + offset,
    paragraphs: preview.paragraphs.map(({ start, end, text }) => ({
      start: start + offset,
      end: end + offset,
      text,
    })),
  }
}
