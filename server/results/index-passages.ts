/** Writes what search finds: the passages of a result, as a person's corrections have them. */
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import { correctFindings } from '../../domain/findings/correct.ts'
import type { Corrections } from '../../domain/findings/corrections.ts'
import type { Findings, Media } from '../../domain/findings/findings.ts'
import type { Db } from '../ground/database.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { passagesOf } from './passages.ts'

const passagesAtOnce = 1000

export interface IndexedResult {
  id: string
  accountId: string
  extractor: ExtractorId
  findings: unknown
  media: Media | null
}

export async function indexResult(
  trx: Transaction<Tables>,
  result: IndexedResult,
  corrections: Corrections,
): Promise<void> {
  const { extractor, media } = result
  const own: Partial<Findings> = { ...(media ? { media } : {}), [extractor]: result.findings }
  const { findings } = correctFindings(own, corrections)
  const passages = passagesOf(extractor, findings[extractor])
  if (passages.length === 0) return
  const shelf = await openShelf(trx, result.accountId)
  for (let first = 0; first < passages.length; first += passagesAtOnce) {
    await trx
      .insertInto('job_passages')
      .values(
        passages.slice(first, first + passagesAtOnce).map(({ words, ...passage }) => ({
          ...passage,
          words: words ? JSON.stringify(words) : null,
          result_id: result.id,
          account_id: result.accountId,
          shelf,
        })),
      )
      .execute()
  }
}

/** One look-up of a common word reads a whole shelf; one of a rare word goes to every shelf. */
export const passagesOfShelf = 32_768

/**
 * The shelf that takes an account's next passages: its newest, until that is full. Two transactions
 * may each put a result onto the last place, or open a shelf; both are found.
 */
export async function openShelf(
  db: Db,
  accountId: string,
  maxPassages = passagesOfShelf,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select newest.id from (
      select id from job_shelves where account_id = ${accountId} order by id desc limit 1
    ) newest
    where not exists (
      select from job_passages p where p.shelf = newest.id offset ${maxPassages - 1}
    )`.execute(db)
  if (rows[0]) return rows[0].id
  const opened = await db
    .insertInto('job_shelves')
    .values({ account_id: accountId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return opened.id
}

/** A rare word is searched for on them too. Only an account's newest shelf is written to. */
export async function dropEmptyShelves(db: Db): Promise<void> {
  await sql`
    delete from job_shelves s
    where not exists (select from job_passages p where p.shelf = s.id)
      and exists (
        select from job_shelves newer where newer.account_id = s.account_id and newer.id > s.id
      )`.execute(db)
}

/** Indexes again what corrections can change. */
export async function indexCorrected(
  trx: Transaction<Tables>,
  media: { accountId: string; sha256: string; params: string },
  corrections: Corrections,
): Promise<void> {
  const results = await trx
    .selectFrom('job_results')
    .select(['id', 'extractor', 'findings', 'media'])
    .where('account_id', '=', media.accountId)
    .where('content_sha256', '=', media.sha256)
    .where('params', '=', media.params)
    .where('extractor', 'in', ['transcription', 'shots'])
    .execute()
  for (const result of results) {
    await trx.deleteFrom('job_passages').where('result_id', '=', result.id).execute()
    await indexResult(trx, { ...result, accountId: media.accountId }, corrections)
  }
}
