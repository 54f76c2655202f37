/**
 * Who works on a part of a film's job.
 *
 * STATES                                        made by
 *   (none)  -> waiting      the job is taken apart    placeParts (place-parts.ts)
 *   waiting -> leased       a claim                   claimPart
 *   leased  -> waiting      the worker stops          handBackPart
 *           -> waiting      a fault, again            giveUpPart
 *           -> waiting      lease ran out             buryPart
 *           -> done         its files are kept        endPart
 *   any     -> (none)       the job ends (endJob), cannot be taken apart (runUnsplit), or was taken apart
 *                           by another engine (restartFilm)
 *
 * INVARIANTS
 *  1. A job in stage `parts` has no lease of its own; `left_parts` counts those of its parts that are
 *     not done. The end of the last one puts the job back into the queue in stage `join`, in the same
 *     transaction. Where only speech and voices are left, the job goes into the queue in stage `judge` before:
 *     one worker runs the detectors that wait for no words while others hear the rest. The last
 *     of them to end, a part or the judging, places the join.
 *  2. A part has a fence as a job has one (claim.ts): a worker that lost the part writes nothing.
 *  3. Nothing is charged and no finding is written here. That is the join's, under the job's fence.
 *  4. A part has tries and deaths of its own. Its third fault or tenth death ends the job as failed.
 *  5. Locks are taken in one order: the job's row, then parts, then extractors. A claim locks the part
 *     alone, and progress (part-progress.ts) its part and the extractors.
 */
import { sql } from 'kysely'
import type { Selectable, Transaction } from 'kysely'
import { needsNoWords } from '../../engine/extractors/registry.ts'
import type { Context } from '../ground/context.ts'
import { notify } from '../db/notify.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { abandonWrites, ownObjects } from '../storage/unowned-objects.ts'
import { addUpProgress } from './add-up-progress.ts'
import { restartFilm, isForThisEngine } from '../jobs/restart-film.ts'
import type { Cause } from '../jobs/cause.ts'
import { dropParts } from '../jobs/drop-parts.ts'
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
import { keysOf } from '../results/store-result.ts'
import type { StoredFile } from '../results/store-result.ts'
import { writerOf } from '../jobs/writer.ts'

export interface ClaimedPart {
  id: string
  jobId: string
  accountId: string
  kind: 'sound' | 'proxy' | 'voices' | 'pictures' | 'speech'
  position: number
  seconds: number
  fence: number
  attempt: number
  deaths: number
}

/** Parts that wait for the sound, and for which no judging waits. */
const afterSound: ClaimedPart['kind'][] = ['voices', 'speech']
/** To tell voices apart takes a tenth of the time that the words take. */
const voicesShare = 0.1

type Part = Pick<ClaimedPart, 'id' | 'jobId' | 'accountId' | 'fence'>

/** The next part in turn that comes no later than `beforeTurn`, or null when none waits. */
export async function claimPart(
  trx: Transaction<Tables>,
  lease: Lease,
  beforeTurn: number | null,
): Promise<ClaimedPart | null> {
  const waiting = await trx
    .selectFrom('job_parts')
    .select('id')
    .where('status', '=', 'waiting')
    .where((row) =>
      row.or([
        row('not_before', 'is', null),
        row('not_before', '<=', sql<Date>`clock_timestamp()`),
      ]),
    )
    .where((row) =>
      row.exists(
        row
          .selectFrom('jobs')
          .select('jobs.id')
          .whereRef('jobs.id', '=', 'job_parts.job_id')
          .where(isForThisEngine),
      ),
    )
    .$if(beforeTurn !== null, (query) => query.where('turn', '<=', beforeTurn ?? 0))
    .orderBy('turn')
    .orderBy('deaths')
    .orderBy('seq')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!waiting) return null
  const row = await trx
    .updateTable('job_parts')
    .set({
      status: 'leased',
      fence: sql`fence + 1`,
      attempt: sql`attempt + 1`,
      progress: 0,
      leased_until: leaseEnd(lease),
      not_before: null,
    })
    .where('id', '=', waiting.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await reachTurn(trx, row.job_id, row.turn)
  const { id, job_id: jobId, account_id: accountId, kind, ...rest } = row
  if (kind === 'prepare') throw new Error('A film is prepared before it is taken apart.')
  const { position, seconds, fence, attempt, deaths } = rest
  return { id, jobId, accountId, kind, position, seconds, fence, attempt, deaths }
}

/**
 * The job's turn says how far the workers are. It does not wait for the row: its
 * holder may wait for this part.
 */
async function reachTurn(trx: Transaction<Tables>, jobId: string, turn: number): Promise<void> {
  await sql`update jobs set turn = greatest(turn, ${turn})
    where id = (select id from jobs where id = ${jobId} for update skip locked)`.execute(trx)
}

/** False: the part is no longer this worker's. */
export async function renewPart(ctx: Context, part: Part, lease: Lease): Promise<boolean> {
  const renewed = await ctx.db
    .updateTable('job_parts')
    .set({ leased_until: leaseEnd(lease) })
    .where('id', '=', part.id)
    .where('fence', '=', part.fence)
    .where('leased_until', 'is not', null)
    .executeTakeFirst()
  return renewed.numUpdatedRows === 1n
}

/** Runs writes of a worker; none of them happens unless the part is still its own at the commit. */
export async function underPartFence<T>(
  ctx: Context,
  part: Part,
  write: (trx: Transaction<Tables>, job: LockedJob) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, part.jobId)
    const own = await trx
      .selectFrom('job_parts')
      .select('id')
      .where('id', '=', part.id)
      .where('fence', '=', part.fence)
      .where('leased_until', 'is not', null)
      .forUpdate()
      .executeTakeFirst()
    if (!job || !own) throw new Fenced(`Part ${part.id} is no longer ours.`)
    return write(trx, job)
  })
}

type LockedJob = Pick<Selectable<Tables['jobs']>, 'left_parts' | 'stage' | 'status'>

function lockJob(trx: Transaction<Tables>, jobId: string): Promise<LockedJob | undefined> {
  return trx
    .selectFrom('jobs')
    .select(['left_parts', 'stage', 'status'])
    .where('id', '=', jobId)
    .where('stage', 'in', ['parts', 'judge'])
    .where('finished_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export interface PartResult {
  files: readonly StoredFile[]
  /** Seconds of each group of windows that is to be heard after this. */
  speech: readonly { seconds: number }[]
}

/** Keeps what a part came to. The last one puts the job back into the queue, to be joined. */
export async function endPart(
  ctx: Context,
  part: ClaimedPart,
  result: PartResult,
  onWritten: () => Promise<void>,
): Promise<void> {
  await underPartFence(ctx, part, async (trx, job) => {
    const files = result.files.map((file) => ({ part_id: part.id, ...file }))
    if (files.length > 0) await trx.insertInto('job_part_files').values(files).execute()
    await ownObjects(trx, keysOf(result.files))
    await trx
      .updateTable('job_parts')
      .set({ status: 'done', progress: 1, leased_until: null, fence: sql`fence + 1` })
      .where('id', '=', part.id)
      .execute()
    const speech = result.speech.map(({ seconds }) => seconds)
    const voices = speech.length > 0 ? [voicesShare * speech.reduce((sum, one) => sum + one)] : []
    await addParts(trx, part, { kind: 'voices', seconds: voices })
    await addParts(trx, part, { kind: 'speech', seconds: speech })
    if (speech.length > 0) await prioritiseFirstSpeech(trx, part.jobId)
    await addUpProgress(trx, part.jobId)
    const left = job.left_parts - 1 + voices.length + speech.length
    const stage = await stageAfter(trx, part, { ...job, left_parts: left })
    await trx
      .updateTable('jobs')
      .set({ left_parts: left, ...(stage ? { stage, status: 'queued' } : {}) })
      .where('id', '=', part.jobId)
      .execute()
    if (stage || result.speech.length > 0) await notify(trx, 'job_waiting', {})
    await notify(trx, 'account_changed', { accountId: part.accountId, jobId: part.jobId })
    await onWritten()
  })
}

/** The stage in which the job goes back into the queue; null where it does not. */
async function stageAfter(
  trx: Transaction<Tables>,
  { jobId, kind }: ClaimedPart,
  { left_parts: left, stage, status }: LockedJob,
): Promise<'judge' | 'join' | null> {
  // A worker that judges places the join itself (endJudging).
  if (left === 0) return stage === 'parts' || status === 'queued' ? 'join' : null
  if (afterSound.includes(kind)) return null
  const unseen = await trx
    .selectFrom('job_parts')
    .select('id')
    .where('job_id', '=', jobId)
    .where('kind', 'not in', afterSound)
    .where('status', '<>', 'done')
    .limit(1)
    .executeTakeFirst()
  if (unseen) return null
  const extractors = await trx
    .selectFrom('job_extractors')
    .select('extractor')
    .where('job_id', '=', jobId)
    .where('status', 'in', ['waiting', 'running'])
    .execute()
  return extractors.some(({ extractor }) => needsNoWords(extractor)) ? 'judge' : null
}

/** Each part has a turn of its own, so that a long film does not hold up others. */
export async function addParts(
  trx: Transaction<Tables>,
  job: { jobId: string; accountId: string },
  parts: { kind: ClaimedPart['kind']; seconds: readonly number[] },
): Promise<void> {
  if (parts.seconds.length === 0) return
  const last = await trx
    .selectFrom('jobs')
    .select((row) => [
      'turn',
      row
        .selectFrom('job_parts')
        .select(({ fn }) => fn.max('turn').as('turn'))
        .where('account_id', '=', job.accountId)
        .as('last_part'),
    ])
    .where('id', '=', job.jobId)
    .executeTakeFirstOrThrow()
  const before = Math.max(last.turn ?? 0, last.last_part ?? 0)
  await trx
    .insertInto('job_parts')
    .values(
      parts.seconds.map((seconds, position) => ({
        job_id: job.jobId,
        account_id: job.accountId,
        kind: parts.kind,
        position,
        status: 'waiting' as const,
        seconds,
        turn: before + 1 + position,
      })),
    )
    .execute()
}

/**
 * The first words go before the frames, so that they are there early, and so do the voices, which are
 * one long part; the rest of the speech comes after the frames, so that they can be judged meanwhile. The job keeps the turns that it has: other
 * accounts lose nothing.
 */
async function prioritiseFirstSpeech(trx: Transaction<Tables>, jobId: string): Promise<void> {
  await sql`
    with waiting as (
      select id, turn, position, kind, kind = 'speech' as is_speech from job_parts
      where job_id = ${jobId} and status = 'waiting' for update
    ),
    places as (
      select id, row_number() over (order by is_speech and position > 0, not is_speech,
        kind <> 'voices', position)
        as place
      from waiting
    ),
    turns as (select turn, row_number() over (order by turn) as place from waiting)
    update job_parts p set turn = turns.turn
    from places join turns using (place) where p.id = places.id`.execute(trx)
}

/** A worker that stops returns its part at once, without holding the attempt against it. */
export async function handBackPart(ctx: Context, part: Part): Promise<void> {
  await underPartFence(ctx, part, (trx) =>
    requeuePart(trx, part, { attemptsBack: 1, delaySeconds: 0, fault: null }),
  )
}

/** The service failed, not the file: tries again, or ends the job after the third fault. */
export async function giveUpPart(ctx: Context, part: ClaimedPart, fault: string): Promise<void> {
  await underPartFence(ctx, part, async (trx) => {
    if (part.attempt >= limits.attempts) return await failJob(ctx, trx, part, lostCause)
    const delaySeconds = limits.faultDelaySeconds * part.attempt
    await requeuePart(trx, part, { attemptsBack: 0, delaySeconds, fault })
  })
}

/** The source cannot be read any more: the job ends with what was found before. */
export async function refusePart(ctx: Context, part: ClaimedPart, cause: Cause): Promise<void> {
  await underPartFence(ctx, part, async (trx) => {
    // Before the extractors: the writer of progress locks a part first, then the extractors.
    await dropParts(trx, part.jobId)
    await trx
      .updateTable('job_extractors')
      .set({ status: 'failed', error_code: cause.code, error_message: cause.message })
      .where('job_id', '=', part.jobId)
      .where('status', 'in', ['waiting', 'running'])
      .execute()
    await endJob(ctx, trx, { jobId: part.jobId, reason: 'finished' })
  })
}

/**
 * The film cannot be taken apart: one worker does all of it. The others notice when they renew their
 * lease; a signal might reach the one that has the whole job by then.
 */
export async function runUnsplit(ctx: Context, part: ClaimedPart): Promise<void> {
  await underPartFence(ctx, part, (trx) => restartFilm(trx, part.jobId, { is_indivisible: true }))
}

/** Takes a part whose worker died back into the queue; false where there is none. */
export async function buryPart(ctx: Context, trx: Transaction<Tables>): Promise<boolean> {
  const dead = await trx
    .selectFrom('job_parts')
    .select(['id', 'job_id', 'account_id', 'fence', 'deaths'])
    .where('leased_until', '<', sql<Date>`clock_timestamp()`)
    .orderBy('leased_until')
    .limit(1)
    .executeTakeFirst()
  if (!dead) return false
  const job = await lockJob(trx, dead.job_id)
  const deaths = dead.deaths + 1
  const counted = await trx
    .updateTable('job_parts')
    .set({ deaths })
    .where('id', '=', dead.id)
    .where('fence', '=', dead.fence)
    .where('leased_until', '<', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  if (!job) return false
  // Another was faster.
  if (counted.numUpdatedRows === 0n) return true
  const part = { id: dead.id, jobId: dead.job_id, accountId: dead.account_id, fence: dead.fence }
  ctx.log.warn({ jobId: part.jobId, partId: part.id, deaths }, 'the worker of a part died')
  if (deaths >= limits.deaths) await failJob(ctx, trx, part, deadCause)
  else {
    const delaySeconds = delayAfterDeath(deaths)
    await requeuePart(trx, part, { attemptsBack: 1, delaySeconds, fault: 'The worker died.' })
  }
  return true
}

async function failJob(
  ctx: Context,
  trx: Transaction<Tables>,
  part: Part,
  cause: Cause,
): Promise<void> {
  await endJob(ctx, trx, { jobId: part.jobId, reason: 'failed', cause })
}

async function requeuePart(trx: Transaction<Tables>, part: Part, how: Requeue): Promise<void> {
  await trx
    .updateTable('job_parts')
    .set({ status: 'waiting', progress: 0, ...requeued(how) })
    .where('id', '=', part.id)
    .execute()
  await abandonWrites(trx, writerOf(part))
  await notify(trx, 'job_waiting', {})
}
