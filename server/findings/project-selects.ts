import { sql } from 'kysely'
import type { ProjectSelect } from '../../contract/footage/projects.ts'
import type { Verb } from '../ground/verb.ts'
import { readProject } from '../projects/read.ts'

/** Equals the maximum length of a cut. */
const maxSelects = 2000
/** Reviews that were saved before there was a limit may name any frame. */
const maxFrame = 1_000_000_000

export const listProjectSelects: Verb<'listProjectSelects'> = async (
  ctx,
  { accountId },
  { params },
) => {
  await readProject(ctx, accountId, params.id)
  const { rows } = await sql<ProjectSelect>`
    select c.id as content_id, c.file_name as content_name, s.name,
      least(s.start_frame, ${maxFrame})::int as start_frame,
      least(s.end_frame, ${maxFrame})::int as end_frame
    from content c
    left join clip_reviews own on own.content_id = c.id
    left join lateral (
      select j.review from jobs j
      where j.content_id = c.id and j.account_id = c.account_id and j.review is not null
      order by j.seq desc limit 1
    ) latest on true
    cross join lateral jsonb_to_recordset(
      coalesce(latest.review, own.review)::jsonb->'selects')
      as s(name text, start_frame bigint, end_frame bigint)
    where c.account_id = ${accountId} and c.project_id = ${params.id}
    order by c.file_name, c.id, s.start_frame, s.end_frame
    limit ${maxSelects}`.execute(ctx.db)
  return { selects: rows }
}
