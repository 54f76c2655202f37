/** Rows of work (server/work/claim.ts): placed with a job, added for a film, dropped at its end. */
import { sql } from 'kysely'
import type { Selectable, Transaction } from 'kysely'
import type { Tables } from '../ground/generated-tables.ts'
import { abandonWrites } from '../storage/unowned-objects.ts'
import { writerOf } from './writer.ts'

export type WorkKind = Selectable<Tables['work']>['kind']

/**
 * Accounts take turns: a job's turn comes after the account's last one, and never before the turn
 * that the workers have reached, so that nobody saves up turns by being away.
 */
export async function placeWork(trx: Transaction<Tables>, jobId: string): Promise<void> {
  await sql`
    insert into work (id, job_id, account_id, kind, turn)
    select id, id, account_id, 'whole', greatest(1,
      (select max(turn) from work where state <> 'waiting' and job_id is not null),
      (select max(turn) + 1 from work where account_id = jobs.account_id and job_id is not null))
    from jobs where id = ${jobId}`.execute(trx)
}

/** Turns of quick proxies are their own: a worker has a place for one beside those for jobs. */
export async function placeQuickProxyWork(
  trx: Transaction<Tables>,
  clip: { contentId: string; accountId: string; seconds: number },
): Promise<void> {
  const { contentId, accountId, seconds } = clip
  await sql`
    insert into work (content_id, account_id, kind, seconds, turn)
    select ${contentId}, ${accountId}, 'quick-proxy', ${seconds}, greatest(1,
      max(turn) filter (where state <> 'waiting'),
      max(turn + 1) filter (where account_id = ${accountId}))
    from work where kind = 'quick-proxy'`.execute(trx)
}

export interface NewWork {
  kind: WorkKind
  /** Seconds of each row. */
  seconds: readonly number[]
  after?: readonly WorkKind[]
}

/** Each row has a turn of its own, so that a long film does not hold up other accounts. */
export async function addWork(
  trx: Transaction<Tables>,
  { jobId, accountId }: { jobId: string; accountId: string },
  work: readonly NewWork[],
): Promise<void> {
  if (work.length === 0) return
  const last = await trx
    .selectFrom('work')
    .select(({ fn }) => fn.max('turn').as('turn'))
    .where('account_id', '=', accountId)
    .where('job_id', 'is not', null)
    .where((row) => row.or([row('kind', '<>', 'whole'), row('job_id', '=', jobId)]))
    .executeTakeFirstOrThrow()
  const rows = work.flatMap(({ kind, seconds: all, after = [] }) =>
    all.map((seconds, position) => ({ kind, position, seconds, after: [...after] })),
  )
  await trx
    .insertInto('work')
    .values(
      rows.map((row, index) => ({
        job_id: jobId,
        account_id: accountId,
        turn: last.turn + 1 + index,
        ...row,
      })),
    )
    .execute()
}

/**
 * Takes all work of a job from its workers. The job's own row stays, and with it the turn that was
 * reached, unless nobody ever claimed it. Objects that workers are writing are due at once.
 */
export async function dropWork(
  trx: Transaction<Tables>,
  jobId: string,
  left: { state: 'done' } | { state: 'waiting'; attempt: 0 },
): Promise<void> {
  const dropped = await trx
    .deleteFrom('work')
    .where('job_id', '=', jobId)
    .where((row) => row.or([row('kind', '<>', 'whole'), row('fence', '=', 0)]))
    .returning(['id', 'fence', 'turn', 'state'])
    .execute()
  const reached = dropped.filter(({ state }) => state !== 'waiting').map(({ turn }) => turn)
  const kept = await trx
    .updateTable('work')
    .set({
      ...left,
      leased_until: null,
      not_before: null,
      fence: sql`fence + 1`,
      turn: sql`greatest(turn, ${Math.max(0, ...reached)}::bigint)`,
    })
    .where('id', '=', jobId)
    .returning(['id', sql<number>`fence - 1`.as('fence')])
    .execute()
  await trx.deleteFrom('work_files').where('work_id', '=', jobId).execute()
  await abandonWrites(trx, [...dropped, ...kept].map(writerOf))
}
