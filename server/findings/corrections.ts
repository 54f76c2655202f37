/**
 * Corrections of findings. A save names the version that it was made from; a save from an older one
 * is refused together with what is saved, so nobody's work is overwritten unseen.
 */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { Api } from '../../contract/api.ts'
import { correctFindings } from '../../domain/findings/correct.ts'
import type { Corrections } from '../../domain/findings/corrections.ts'
import type { Reply } from '../../contract/endpoint.ts'
import type { Tables } from '../ground/generated-tables.ts'
import type { Verb } from '../ground/verb.ts'
import type { Context } from '../ground/context.ts'
import { notFound, Refusal, savedMeanwhile } from '../ground/refusal.ts'
import { indexCorrected } from '../results/index-passages.ts'
import { readSaved } from '../results/saved-corrections.ts'
import type { MediaKey, Saved } from '../results/saved-corrections.ts'
import { readFindings } from './results.ts'
import { paramsKey } from '../results/reuse.ts'

/** How many versions are kept for one medium. */
const maxVersions = 50
const maxBytes = 900_000

export const getCorrections: Verb<'getCorrections'> = async (ctx, { accountId }, input) => {
  const key = { id: input.params.id, accountId }
  const media = await readMediaKey(ctx, key)
  return answer(ctx, key, await readSaved(ctx.db, media))
}

export const saveCorrections: Verb<'saveCorrections'> = async (ctx, actor, input) => {
  const { version, ...corrections } = input.body
  const key = { id: input.params.id, accountId: actor.accountId }
  const media = await readMediaKey(ctx, key)
  if (media.sha256 === '') {
    throw new Refusal('invalid', 'The media of this job has not been read yet.')
  }
  if (JSON.stringify(corrections).length > maxBytes) {
    throw new Refusal('invalid', `Too many corrections (limit ${maxBytes / 1000} kB).`)
  }
  refuseBackwards(corrections)
  const saved = await ctx.db.transaction().execute(async (trx) => {
    const before = await lockSaved(trx, media)
    if (before.version !== version) {
      throw savedMeanwhile('other corrections', presented(before))
    }
    return saveVersion(trx, media, { corrections, version: version + 1, savedAt: ctx.now() })
  })
  return answer(ctx, key, saved)
}

/** Reads what is saved and locks it until the transaction ends. */
export async function lockSaved(trx: Transaction<Tables>, media: MediaKey): Promise<Saved> {
  await sql`select pg_advisory_xact_lock(
    hashtextextended(${`corrections ${media.accountId} ${media.sha256}`}, 0))`.execute(trx)
  return readSaved(trx, media)
}

export async function saveVersion(
  trx: Transaction<Tables>,
  media: MediaKey,
  next: Saved & { savedAt: Date },
): Promise<Saved> {
  await trx
    .insertInto('job_corrections')
    .values({
      account_id: media.accountId,
      content_sha256: media.sha256,
      params: media.params,
      version: next.version,
      corrections: JSON.stringify(next.corrections),
      saved_at: next.savedAt,
    })
    .execute()
  await trx
    .deleteFrom('job_corrections')
    .where('account_id', '=', media.accountId)
    .where('content_sha256', '=', media.sha256)
    .where('params', '=', media.params)
    .where('version', '<=', next.version - maxVersions)
    .execute()
  await indexCorrected(trx, media, next.corrections)
  return next
}

/** Refuses a job that is not the account's. One that has not read its media has no hash yet. */
async function readMediaKey(
  ctx: Context,
  key: { id: string; accountId: string },
): Promise<MediaKey> {
  const job = await ctx.db
    .selectFrom('jobs')
    .select(['content_sha256', 'options'])
    .where('id', '=', key.id)
    .where('account_id', '=', key.accountId)
    .where('kind', '=', 'analysis')
    .executeTakeFirst()
  if (!job) throw notFound('The job')
  return {
    accountId: key.accountId,
    sha256: job.content_sha256 ?? '',
    params: paramsKey(job.options),
  }
}

async function answer(
  ctx: Context,
  key: { id: string; accountId: string },
  saved: Saved,
): Promise<Reply<Api['getCorrections']>> {
  const findings = await readFindings(ctx, key, undefined, null)
  const { unmatched } = correctFindings(findings, saved.corrections)
  return { ...presented(saved), unmatched }
}

function presented({ corrections, version, savedAt }: Saved) {
  return { corrections, version, updated_at: savedAt?.toISOString() ?? null }
}

function refuseBackwards({ words, speakers, shots }: Corrections): void {
  const ranges = [...words, ...speakers.passages]
  const isBackwards =
    ranges.some(({ start, end }) => end <= start) ||
    shots.added.some(({ start_frame: start, end_frame: end }) => end < start)
  if (isBackwards) throw new Refusal('invalid', 'A correction must end after it starts.')
}
