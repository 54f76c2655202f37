/** The still of each search hit: of the shot that it lies in, else the nearest one. */
import type { SearchHit } from '../../contract/footage/search.ts'
import type { Member } from '../ground/actor.ts'
import { prepare } from '../db/prepared.ts'
import { issueTicket } from '../ground/ticket.ts'
import type { Context } from '../ground/context.ts'

/** Tickets of one half day are the same, so that a browser may keep the image. */
const ticketStepSeconds = 12 * 3600

export async function withStills(
  ctx: Context,
  actor: Member,
  hits: readonly SearchHit[],
): Promise<SearchHit[]> {
  const files = await findStills(ctx, hits)
  const tickets = new Map<string, string>()
  for (const id of new Set(files.keys().map((at) => hits[at]?.job_id ?? ''))) {
    tickets.set(id, await ticketFor(ctx, actor, id))
  }
  return hits.map((hit, at) => {
    const [name, ticket] = [files.get(at), tickets.get(hit.job_id)]
    const address = `${ctx.config.publicUrl}/v1/jobs/${hit.job_id}/files/${name}`
    return { ...hit, still_url: name && ticket ? `${address}?ticket=${ticket}` : null }
  })
}

const stillsOfHits = prepare<{ at: number; name: string }>(
  'stills_of_hits',
  String.raw`
    select hit.at::int as at, still.name
    from unnest($1::uuid[], $2::int[]) with ordinality as hit (job_id, frame, at)
    join job_extractors e on e.job_id = hit.job_id and e.extractor = 'thumbnail'
    left join lateral (
      select p.start_frame, p.end_frame from job_extractors s
      join job_passages p on p.result_id = s.result_id
      where s.job_id = hit.job_id and s.extractor = 'shots' and p.kind = 'shot'
        and p.start_frame <= hit.frame and p.end_frame > hit.frame
      limit 1
    ) shot on true
    join lateral (
      select taken.name
      from (
        select f.name, substring(f.name from '^still-(\d{9})[.]jpg$')::int as frame
        from job_result_files f where f.result_id = e.result_id
      ) taken
      where taken.frame is not null
      order by
        (taken.frame >= shot.start_frame and taken.frame < shot.end_frame) desc nulls last,
        abs(taken.frame - hit.frame)
      limit 1
    ) still on true`,
)

/**
 * Finds the stills by index in the list. A still's name holds its frame
 * (engine/extractors/thumbnail.ts).
 */
async function findStills(ctx: Context, hits: readonly SearchHit[]): Promise<Map<number, string>> {
  if (hits.length === 0) return new Map()
  const jobs = hits.map((hit) => hit.job_id)
  const frames = hits.map((hit) => hit.start_frame)
  const rows = await stillsOfHits(ctx.db, [jobs, frames])
  return new Map(rows.map(({ at, name }) => [at - 1, name]))
}

async function ticketFor(ctx: Context, actor: Member, jobId: string): Promise<string> {
  const nowSeconds = ctx.now().getTime() / 1000
  const untilSeconds = (Math.floor(nowSeconds / ticketStepSeconds) + 2) * ticketStepSeconds
  const { ticket } = await issueTicket(ctx, actor, {
    scope: 'job-files',
    objectId: jobId,
    lifeSeconds: untilSeconds - nowSeconds,
  })
  return ticket
}
