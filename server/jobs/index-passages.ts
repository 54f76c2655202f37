/** Writes what search finds: the passages of a result, as a person's corrections have them. */
import type { Transaction } from 'kysely'
import type { ExtractorId } from '../../contract/catalogue.ts'
import { correctFindings } from '../../contract/correct.ts'
import type { Corrections } from '../../contract/corrections.ts'
import type { Findings, Media } from '../../contract/findings.ts'
import type { Tables } from '../db/tables.ts'
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
  const found: Partial<Findings> = { ...(media ? { media } : {}), [extractor]: result.findings }
  const { findings } = correctFindings(found, corrections)
  const passages = passagesOf(extractor, findings[extractor])
  for (let first = 0; first < passages.length; first += passagesAtOnce) {
    await trx
      .insertInto('job_passages')
      .values(
        passages.slice(first, first + passagesAtOnce).map(({ words, ...passage }) => ({
          ...passage,
          words: words ? JSON.stringify(words) : null,
          result_id: result.id,
          account_id: result.accountId,
        })),
      )
      .execute()
  }
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
