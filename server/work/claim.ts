/**
 * Who works on what. A clip or a sync is one row of `work`; a film is a small graph of rows:
 *
 *   whole                    all of a clip or a sync; of a film its preparation
 *   sound, proxy, frames     measure a film; placed when it is prepared
 *   voices, speech           hear it; placed when its sound is there
 *   analyse-frames           runs the detectors that need no words, after sound, proxy and frames
 *   join                     runs the others, ends the job and charges it, after all of them
 *   quick-proxy              makes a copy of a clip that no browser plays; belongs to no job
 *
 * STATES of a row                                               made by
 *   (none)  -> waiting  its job is placed                       placeWork (jobs/work-rows.ts)
 *           -> waiting  somebody wants to see a clip            placeQuickProxyWork
 *           -> waiting  its film is prepared or heard           endWork (end-work.ts)
 *   waiting -> leased   a claim, once all of `after` is done    claimNext
 *   leased  -> waiting  the worker stops, or a fault            handBack, giveUp
 *           -> waiting  its lease ran out                       expireLease
 *           -> done     its files are kept                      endWork
 *   any     -> waiting  the film restarts as a whole            restartFilm (jobs/restart-film.ts)
 *           -> done     the job ends                            endJob (jobs/end.ts)
 *   any     -> (none)   a quick proxy is made, or given up      endQuickProxy
 * `restartFilm` and `endJob` drop all rows but `whole`. A job is `queued` while that waits,
 * `processing` once its content is fetched (beginWork), `running` from then on (runs/run.ts) until
 * endJob.
 *
 * INVARIANTS
 *  1. A leased row is renewed every few seconds. When its lease runs out (by the database's clock,
 *     the only one that all machines share) it is anybody's.
 *  2. Each claim, hand-back and ending raises the row's fence. A worker writes only under the fence
 *     of its own claim, in the same transaction: one that was paused and wakes up writes nothing.
 *  3. `attempt` counts claims, less those that a worker handed back or died in: three faults end
 *     the job. `deaths` counts claims whose lease ran out. A machine's death is not the job's
 *     fault, but a job that kills every worker must end too: the pauses grow, and the tenth death
 *     is its last.
 *  4. Order: by turn, then rows of films that were begun, then by deaths, then by arrival. Turns
 *     make accounts alternate and keep each account's jobs in order; each row of a film has its
 *     own. A row that comes back keeps its turn; one whose worker died lets those of the next turn
 *     go first, so that the deaths of a machine do not all fall on the first row of the queue.
 *     Quick proxies have turns of their own and a place beside those for jobs in each worker, so
 *     that neither waits for the other; they run at a lower priority.
 *  5. An account fetches one address at a time. Its server is a stranger that may take hours, and a
 *     job waits for it in a worker's place: otherwise one account could fill all places with
 *     waiting.
 *  6. A film is measured and joined by one version of the engine (jobs/restart-film.ts).
 *  7. Locks are taken in one order: the job's row or the quick proxy's, then rows of work, then
 *     extractors. A claim
 *     locks its row alone, and progress its row and the extractors.
 *  8. Findings and money are written by `whole`, `analyse-frames` and `join` alone, the end and its
 *     charge in one transaction.
 *
 * A job and its row are placed, paid for and queued in one commit.
 */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { Media } from '../../domain/findings/findings.ts'
import type { PlacedOptions } from '../../domain/job-options.ts'
import type { Context } from '../ground/context.ts'
import { notify } from '../db/notify.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { abandonWrites } from '../storage/unowned-objects.ts'
import type { Cause } from '../jobs/cause.ts'
import { endJob } from '../jobs/end.ts'
import { isForThisEngine } from '../jobs/restart-film.ts'
import type { WorkKind } from '../jobs/work-rows.ts'
import { writerOf } from '../jobs/writer.ts'

export const limits = {
  attempts: 3,
  deaths: 10,
  faultDelaySeconds: 2,
  /** With the lease it stays below the 30 s within which a dead worker's job is taken up again. */
  deathDelaySeconds: 10,
}

const deadCause: Cause = {
  code: 'internal',
  message:
    'The machines that analysed this stopped ten times. Nothing was charged. ' +
    'If it happens again with this file, please tell us.',
}

const lostCause: Cause = {
  code: 'internal',
  message:
    'The analysis failed three times. Nothing was charged. ' +
    'If this file fails again, please contact support.',
}

/** Thrown where a worker would write to what is no longer its own. */
export class Fenced extends Error {}

interface Lease {
  leaseMs: number
}

/** The places of a worker: claims of one kind never take those of the other. */
export type Lane = 'jobs' | 'quick-proxies'

export interface Claim {
  /** Id of the row; for `whole`, the job's id. */
  id: string
  /** Id of the job; for a quick proxy, which has none, its clip's id. */
  jobId: string
  accountId: string
  kind: WorkKind
  position: number
  /** Seconds of media. */
  seconds: number
  fence: number
  attempt: number
  /** Number of workers that died running this row. */
  deaths: number
}

const claimColumns = sql.raw(
  'id, coalesce(job_id, content_id) as "jobId", account_id as "accountId", kind, position, seconds, fence, attempt, deaths',
)
const isOver = sql<boolean>`leased_until < clock_timestamp()`
const leaseEnd = ({ leaseMs }: Lease) =>
  sql<Date>`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`

/** The next row in turn, or null when none waits. */
export async function claimNext(
  ctx: Context,
  lease: Lease,
  lane: Lane = 'jobs',
): Promise<Claim | null> {
  const claimWaiting = lane === 'jobs' ? claimJob : claimQuickProxy
  for (;;) {
    const claim = await ctx.db
      .transaction()
      .execute(async (trx) =>
        (await expireLease(ctx, trx, lane)) ? 'expired' : await claimWaiting(ctx, trx, lease),
      )
    if (claim !== 'expired') return claim
  }
}

async function claimJob(
  ctx: Context,
  trx: Transaction<Tables>,
  lease: Lease,
): Promise<Claim | null> {
  const isUpload = (url: string) =>
    sql`starts_with(${sql.ref(url)}, ${`${ctx.config.publicUrl}/v1/content/`})`
  const { rows } = await sql<Claim>`
    update work set ${taken(lease)} where id = (
      select w.id from work w join jobs on jobs.id = w.job_id
      where w.state = 'waiting' and ${isForThisEngine}
        and (w.not_before is null or w.not_before <= clock_timestamp())
        and not exists (select from work before where before.job_id = w.job_id
          and before.kind = any(w.after) and before.state <> 'done')
        and (w.kind <> 'whole' or ${isUpload('jobs.content_url')} or not exists (
          select from work other join jobs fetched on fetched.id = other.job_id
          where other.account_id = w.account_id and other.kind = 'whole'
            and other.leased_until is not null and fetched.status <> 'running'
            and not ${isUpload('fetched.content_url')}))
      order by w.turn, (w.kind = 'whole'), w.deaths, w.seq
      limit 1 for update of w skip locked)
    returning ${claimColumns}`.execute(trx)
  return rows[0] ?? null
}

async function claimQuickProxy(
  _ctx: Context,
  trx: Transaction<Tables>,
  lease: Lease,
): Promise<Claim | null> {
  const { rows } = await sql<Claim>`
    update work set ${taken(lease)} where id = (
      select id from work
      where kind = 'quick-proxy' and state = 'waiting'
        and (not_before is null or not_before <= clock_timestamp())
      order by turn, deaths, seq
      limit 1 for update skip locked)
    returning ${claimColumns}`.execute(trx)
  return rows[0] ?? null
}

const taken = (lease: Lease) => sql`
  state = 'leased', fence = fence + 1, attempt = attempt + 1, progress = 0,
  leased_until = ${leaseEnd(lease)}, not_before = null`

/** The worker of a row died: another takes it up, at once at first and then after pauses. */
async function expireLease(ctx: Context, trx: Transaction<Tables>, lane: Lane): Promise<boolean> {
  const over = trx
    .selectFrom('work')
    .select(['work.id', 'work.fence'])
    .where(isOver)
    .orderBy('leased_until')
    .limit(1)
  const [ofJobs, ofClips] = [
    over.innerJoin('jobs', 'jobs.id', 'work.job_id').forUpdate('jobs'),
    over.innerJoin('quick_proxies as q', 'q.content_id', 'work.content_id').forUpdate('q'),
  ]
  const dead = await (lane === 'jobs' ? ofJobs : ofClips).skipLocked().executeTakeFirst()
  if (!dead) return false
  const { rows } = await sql<Claim>`
    update work set deaths = deaths + 1,
      turn = greatest(turn, (select max(turn) from work
        where state <> 'waiting' and (job_id is null) = ${lane !== 'jobs'})) + 1
    where id = ${dead.id} and fence = ${dead.fence} and ${isOver}
    returning ${claimColumns}`.execute(trx)
  const claim = rows[0]
  if (!claim) return true
  const { id, jobId, kind, deaths } = claim
  ctx.log.warn({ jobId, workId: id, kind, deaths }, 'the worker of a job died')
  if (deaths >= limits.deaths) await fail(ctx, trx, claim, deadCause)
  else {
    const delaySeconds = deaths === 1 ? 0 : Math.min(limits.deathDelaySeconds, 2 ** (deaths - 2))
    await requeue(trx, claim, { attemptsBack: 1, delaySeconds, fault: 'The worker died.' })
  }
  return true
}

/** False: the row is no longer this worker's. */
export async function renewLease(ctx: Context, claim: Claim, lease: Lease): Promise<boolean> {
  const renewed = await ctx.db
    .updateTable('work')
    .set({ leased_until: leaseEnd(lease) })
    .where('id', '=', claim.id)
    .where('fence', '=', claim.fence)
    .where('leased_until', 'is not', null)
    .executeTakeFirst()
  return renewed.numUpdatedRows === 1n
}

/** Runs writes of a worker; none of them happens unless the row is still its own at the commit. */
export async function underFence<T>(
  ctx: Context,
  claim: Claim,
  write: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction().execute(async (trx) => {
    const own =
      (await lockOwner(trx, claim)) &&
      (await trx
        .selectFrom('work')
        .select('id')
        .where('id', '=', claim.id)
        .where('fence', '=', claim.fence)
        .where('leased_until', 'is not', null)
        .forUpdate()
        .executeTakeFirst())
    if (!own) throw new Fenced(`The ${claim.kind} of job ${claim.jobId} is no longer ours.`)
    return write(trx)
  })
}

async function lockOwner(trx: Transaction<Tables>, { kind, jobId }: Claim): Promise<unknown> {
  if (kind === 'quick-proxy') {
    const clips = trx.selectFrom('quick_proxies').select('content_id')
    return clips.where('content_id', '=', jobId).forUpdate().executeTakeFirst()
  }
  const jobs = trx.selectFrom('jobs').select('id').where('id', '=', jobId)
  return jobs.where('finished_at', 'is', null).forUpdate().executeTakeFirst()
}

export interface ClaimedJob {
  id: string
  kind: 'analysis' | 'sync'
  accountId: string
  contentId: string | null
  contentUrl: string
  sha256: string | null
  media: Media | null
  extractors: ExtractorId[]
  options: PlacedOptions
  /** The ceiling of what is paid for, and how much of the media is looked at. */
  quotedSeconds: number
  mediaSeconds: number
  /** It was tried as a film, and is none. */
  isIndivisible: boolean
  /** Version of the engine that prepared the job as a film. */
  measuresVersion: number
}

/** Reads the job of a claim. Its first and its last row note in it that they have begun. */
export async function beginWork(ctx: Context, claim: Claim): Promise<ClaimedJob> {
  const { jobId, accountId, kind } = claim
  return underFence(ctx, claim, async (trx) => {
    const now = ctx.now()
    const job = trx.updateTable('jobs').where('id', '=', jobId)
    if (kind === 'whole') {
      await job
        .set({ status: 'processing', started_at: sql`coalesce(started_at, ${now})` })
        .execute()
      await trx
        .updateTable('job_extractors')
        .set({ status: 'waiting', progress: 0 })
        .where('job_id', '=', jobId)
        .where('status', '=', 'running')
        .execute()
      await notify(trx, 'account_changed', { accountId, jobId })
    }
    if (kind === 'whole' || kind === 'join') await job.set({ claimed_at: now }).execute()
    const row = await trx
      .selectFrom('jobs')
      .selectAll()
      .where('id', '=', jobId)
      .executeTakeFirstOrThrow()
    return {
      id: jobId,
      kind: row.kind,
      accountId,
      contentId: row.content_id,
      contentUrl: row.content_url,
      sha256: row.content_sha256,
      media: row.media,
      extractors: row.workflow.split(',') as ExtractorId[],
      options: row.options,
      quotedSeconds: row.quoted_seconds,
      mediaSeconds: row.media_seconds,
      isIndivisible: row.is_indivisible,
      measuresVersion: row.measures_version,
    }
  })
}

/** A worker that stops returns its row at once, without holding the attempt against it. */
export async function handBack(ctx: Context, claim: Claim): Promise<void> {
  await underFence(ctx, claim, (trx) =>
    requeue(trx, claim, { attemptsBack: 1, delaySeconds: 0, fault: null }),
  )
}

/** The service failed, not the file: tries again, or ends the job after the third fault. */
export async function giveUp(ctx: Context, claim: Claim, fault: string): Promise<void> {
  const { attempt } = claim
  await underFence(ctx, claim, async (trx) => {
    if (attempt >= limits.attempts) await fail(ctx, trx, claim, lostCause)
    else {
      const delaySeconds = limits.faultDelaySeconds * attempt
      await requeue(trx, claim, { attemptsBack: 0, delaySeconds, fault })
    }
  })
}

async function fail(
  ctx: Context,
  trx: Transaction<Tables>,
  claim: Claim,
  cause: Cause,
): Promise<void> {
  if (claim.kind === 'quick-proxy') await endQuickProxy(trx, claim)
  else await endJob(ctx, trx, { jobId: claim.jobId, reason: 'failed', cause })
}

/** Made or not: the clip's row says. */
export async function endQuickProxy(trx: Transaction<Tables>, claim: Claim): Promise<void> {
  await trx.deleteFrom('work').where('id', '=', claim.id).execute()
  await abandonWrites(trx, [writerOf(claim)])
}

async function requeue(
  trx: Transaction<Tables>,
  claim: Claim,
  {
    attemptsBack,
    delaySeconds,
    fault,
  }: {
    /** How many attempts not to count. */
    attemptsBack: number
    delaySeconds: number
    fault: string | null
  },
): Promise<void> {
  const { id, jobId, accountId } = claim
  await trx
    .updateTable('work')
    .set({
      state: 'waiting',
      progress: 0,
      leased_until: null,
      fence: sql`fence + 1`,
      attempt: sql`attempt - ${attemptsBack}`,
      not_before: sql<Date>`clock_timestamp() + ${delaySeconds} * interval '1 second'`,
      ...(fault === null ? {} : { last_fault: fault.slice(0, 2000) }),
    })
    .where('id', '=', id)
    .execute()
  if (claim.kind === 'whole') {
    await trx.updateTable('jobs').set({ status: 'queued' }).where('id', '=', jobId).execute()
  }
  await abandonWrites(trx, [writerOf(claim)])
  await notify(trx, 'job_waiting', {})
  if (claim.kind !== 'quick-proxy') await notify(trx, 'account_changed', { accountId, jobId })
}
