/**
 * Who works on a job.
 *
 * STATES                                          made by
 *   queued     -> processing   a claim            claimNext
 *   processing -> running      content is there   beginRunning (run.ts)
 *   processing, running
 *              -> queued       the worker stops   handBack
 *              -> queued       a fault, again     giveUp
 *              -> failed       third fault        giveUp
 *              -> queued       lease ran out      claimNext
 *              -> failed       tenth death        claimNext
 *   running    -> running      taken apart: stage `parts`, without a lease   placeParts (place-parts.ts)
 *              -> queued       only speech is left: stage `judge`            endPart (claim-part.ts)
 *              -> running      judged: stage `parts` again, without a lease  endJudging (judge.ts)
 *              -> queued       the last part is done: stage `join`           endPart, endJudging
 *              -> queued       another engine: stage `whole` again           restartFilm (begin-again.ts)
 *   any of the above -> completed, failed, canceled   endJob (end.ts)
 *
 * INVARIANTS
 *  1. A job in `processing` or `running` has a lease, or parts that have one (claim-part.ts); its
 *     worker renews it every few seconds. When it runs out (by the database's clock, the only one
 *     that all machines share) the job is anybody's.
 *  2. Each claim, hand-back and ending raises the job's fence. A worker writes only under the fence
 *     of its own claim, in the same transaction: one that was paused and wakes up writes nothing.
 *  3. `attempt` counts claims, less those that a worker handed back or died in: three faults end a
 *     job. `deaths` counts claims whose lease ran out. A machine's death is not the job's fault, but
 *     a job that kills every worker must end too: the pauses grow, and the tenth death is its last.
 *  4. Order: by turn, then by deaths, then by arrival. Turns are given out when a job is placed (create.ts); they
 *     make accounts alternate and keep each account's jobs in order. A job that comes back keeps its
 *     turn; one whose worker died lets those of the next turn go first, so that the deaths of a
 *     machine do not all fall on the job that is first in the queue.
 *  5. An account fetches one address at a time. Its server is a stranger that may take hours, and a
 *     job waits for it in a worker's place: otherwise one account could fill all places with waiting.
 *  6. A film is measured and joined by one version of the engine (begin-again.ts).
 *
 * The job's row is its own place in the queue, so being placed, paid for and queued is one commit.
 */
import { sql } from 'kysely'
import type { Selectable, Transaction } from 'kysely'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { Media } from '../../domain/findings/findings.ts'
import type { SpeechSettings } from '../../domain/languages.ts'
import type { Context } from '../ground/context.ts'
import { notify } from '../db/notify.ts'
import type { Db } from '../ground/database.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { abandonWrites } from '../storage/unowned-objects.ts'
import { isForThisEngine } from '../jobs/restart-film.ts'
import { buryPart, claimPart } from './claim-part.ts'
import type { ClaimedPart } from './claim-part.ts'
import { endJob } from '../jobs/end.ts'
import {
  deadCause,
  delayAfterDeath,
  Fenced,
  leaseEnd,
  limits,
  lostCause,
  requeued,
} from './lease.ts'
import type { Lease, Requeue } from './lease.ts'
import type { Stretch } from '../results/reuse.ts'
import { writerOf } from '../jobs/writer.ts'

export type Claimed = { job: ClaimedJob; part?: undefined } | { part: ClaimedPart }

export interface ClaimedJob {
  id: string
  kind: 'analysis' | 'sync'
  accountId: string
  fence: number
  attempt: number
  /** Workers that died over it before. */
  deaths: number
  contentId: string | null
  contentUrl: string
  sha256: string | null
  media: Media | null
  extractors: ExtractorId[]
  /** Names and terms that the recogniser may expect. */
  vocabulary: string[]
  speech: SpeechSettings
  stretch: Stretch
  /** What is paid for at most, and how much of the media is looked at. */
  quotedSeconds: number
  mediaSeconds: number
  /**
   * `join`: its parts are done and wait to be joined. `judge`: its pictures were looked at, and its
   * speech is still heard.
   */
  stage: 'whole' | 'parts' | 'judge' | 'join'
  /** Taking it apart was tried. */
  isIndivisible: boolean
  /** Of the engine that took it apart. */
  measuresVersion: number
}

/** The next job or part of one in turn, or null when none waits. */
export async function claimNext(ctx: Context, lease: Lease): Promise<Claimed | null> {
  for (;;) {
    const claimed = await ctx.db.transaction().execute(async (trx) => {
      const abandoned = await findAbandoned(trx)
      if (abandoned) {
        await bury(ctx, trx, abandoned)
        return 'buried' as const
      }
      if (await buryPart(ctx, trx)) return 'buried' as const
      const waiting = await findWaiting(ctx, trx)
      // Of equal turns the part goes first: its film was begun.
      const part = await claimPart(trx, lease, waiting?.turn ?? null)
      if (part) return { part }
      return waiting ? { job: await take(ctx, trx, waiting.id, lease) } : null
    })
    if (claimed !== 'buried') return claimed
  }
}

/** The worker of this job died. Another takes it up, at once at first and then after pauses. */
async function bury(ctx: Context, trx: Transaction<Tables>, job: Abandoned): Promise<void> {
  const deaths = job.deaths + 1
  const reached = sql`(select max(turn) from jobs where started_at is not null)`
  await trx
    .updateTable('jobs')
    // It counts as not started: the turn that the workers have reached is where the others are.
    .set({ deaths, turn: sql`greatest(turn, ${reached}) + 1`, started_at: null })
    .where('id', '=', job.id)
    .execute()
  ctx.log.warn({ jobId: job.id, deaths }, 'the worker of a job died')
  if (deaths >= limits.deaths) {
    await endJob(ctx, trx, { jobId: job.id, reason: 'failed', cause: deadCause })
    return
  }
  const delaySeconds = delayAfterDeath(deaths)
  const claim = { id: job.id, fence: job.fence, accountId: job.account_id }
  await requeue(trx, claim, { attemptsBack: 1, delaySeconds, fault: 'The worker died.' })
}

interface Abandoned {
  id: string
  account_id: string
  fence: number
  deaths: number
}

async function findAbandoned(trx: Transaction<Tables>): Promise<Abandoned | undefined> {
  return trx
    .selectFrom('jobs')
    .select(['id', 'account_id', 'fence', 'deaths'])
    .where('leased_until', '<', sql<Date>`clock_timestamp()`)
    .orderBy('leased_until')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

async function findWaiting(
  ctx: Context,
  trx: Transaction<Tables>,
): Promise<{ id: string; turn: number | null } | undefined> {
  const isUpload = (table: string) =>
    sql<boolean>`starts_with(${sql.ref(`${table}.content_url`)}, ${`${ctx.config.publicUrl}/v1/content/`})`
  return trx
    .selectFrom('jobs')
    .select(['id', 'turn'])
    .where('status', '=', 'queued')
    .where(isForThisEngine)
    .where((row) =>
      row.or([
        row('not_before', 'is', null),
        row('not_before', '<=', sql<Date>`clock_timestamp()`),
      ]),
    )
    .where((row) =>
      row.or([
        isUpload('jobs'),
        // The later stages of a film fetch nothing.
        row('stage', '<>', 'whole'),
        row.not(
          row.exists(
            row
              .selectFrom('jobs as other')
              .select('other.id')
              .whereRef('other.account_id', '=', 'jobs.account_id')
              .where('other.status', '=', 'processing')
              // What is over has no lease; this one has an index.
              .where('other.leased_until', 'is not', null)
              .where(row.not(isUpload('other'))),
          ),
        ),
      ]),
    )
    .orderBy('turn')
    .orderBy('deaths')
    .orderBy('seq')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

async function take(
  ctx: Context,
  trx: Transaction<Tables>,
  id: string,
  lease: Lease,
): Promise<ClaimedJob> {
  const row = await trx
    .updateTable('jobs')
    .set({
      status: 'processing',
      fence: sql`fence + 1`,
      attempt: sql`attempt + 1`,
      leased_until: leaseEnd(lease),
      not_before: null,
      // Others have been at work on its parts since.
      claimed_at: sql`case when stage = 'judge' then claimed_at else ${ctx.now()} end`,
      started_at: sql`coalesce(started_at, ${ctx.now()})`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  // What parts of a film have done stays done, and others may be at work on them.
  if (row.stage === 'whole') {
    await trx
      .updateTable('job_extractors')
      .set({ status: 'waiting', progress: 0 })
      .where('job_id', '=', id)
      .where('status', '=', 'running')
      .execute()
  }
  await notify(trx, 'account_changed', { accountId: row.account_id, jobId: id })
  return claimedJob(row)
}

/** The job of a part, as it was claimed last. */
export async function readClaimed(db: Db, jobId: string): Promise<ClaimedJob> {
  const row = await db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirst()
  if (!row) throw new Fenced(`Job ${jobId} is gone.`)
  return claimedJob(row)
}

function claimedJob(row: Selectable<Tables['jobs']>): ClaimedJob {
  return {
    id: row.id,
    kind: row.kind,
    accountId: row.account_id,
    fence: row.fence,
    attempt: row.attempt,
    deaths: row.deaths,
    contentId: row.content_id,
    contentUrl: row.content_url,
    sha256: row.content_sha256,
    media: row.media,
    extractors: row.workflow.split(',') as ExtractorId[],
    vocabulary: row.vocabulary,
    speech: {
      speakers: row.speakers ?? undefined,
      language: row.language ?? undefined,
      translate: row.translate || undefined,
    },
    stretch: { inSeconds: row.in_seconds, outSeconds: row.out_seconds },
    quotedSeconds: row.quoted_seconds,
    mediaSeconds: row.media_seconds,
    stage: row.stage,
    isIndivisible: row.is_indivisible,
    measuresVersion: row.measures_version,
  }
}

type Claim = Pick<ClaimedJob, 'id' | 'fence' | 'accountId'>

/** False: the job is no longer this worker's. */
export async function renewLease(ctx: Context, claim: Claim, lease: Lease): Promise<boolean> {
  const renewed = await ctx.db
    .updateTable('jobs')
    .set({ leased_until: leaseEnd(lease) })
    .where('id', '=', claim.id)
    .where('fence', '=', claim.fence)
    .where('leased_until', 'is not', null)
    .executeTakeFirst()
  return renewed.numUpdatedRows === 1n
}

/** Runs writes of a worker; none of them happens unless the job is still its own at the commit. */
export async function underFence<T>(
  ctx: Context,
  claim: Claim,
  write: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction().execute(async (trx) => {
    const own = await trx
      .selectFrom('jobs')
      .select('id')
      .where('id', '=', claim.id)
      .where('fence', '=', claim.fence)
      .where('leased_until', 'is not', null)
      .forUpdate()
      .executeTakeFirst()
    if (!own) throw new Fenced(`Job ${claim.id} is no longer ours.`)
    return write(trx)
  })
}

/** A worker that stops returns its job at once, without holding the attempt against it. */
export async function handBack(ctx: Context, claim: Claim): Promise<void> {
  await underFence(ctx, claim, async (trx) => {
    await requeue(trx, claim, { attemptsBack: 1, delaySeconds: 0, fault: null })
  })
}

/** The service failed, not the file: tries again, or ends the job after the third fault. */
export async function giveUp(
  ctx: Context,
  claim: Claim & { attempt: number },
  fault: string,
): Promise<void> {
  await underFence(ctx, claim, async (trx) => {
    if (claim.attempt >= limits.attempts) {
      const { id: jobId, fence } = claim
      await endJob(ctx, trx, { jobId, fence, reason: 'failed', cause: lostCause })
      return
    }
    const delaySeconds = limits.faultDelaySeconds * claim.attempt
    await requeue(trx, claim, { attemptsBack: 0, delaySeconds, fault })
  })
}

async function requeue(trx: Transaction<Tables>, claim: Claim, how: Requeue): Promise<void> {
  await trx
    .updateTable('jobs')
    .set({ status: 'queued', ...requeued(how) })
    .where('id', '=', claim.id)
    .execute()
  await abandonWrites(trx, writerOf(claim))
  await notify(trx, 'job_waiting', {})
  await notify(trx, 'account_changed', { accountId: claim.accountId, jobId: claim.id })
}
