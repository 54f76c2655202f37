/**
 * The same bytes, extractor, version and parameters on the same account: the stored result answers,
 * at no cost and at once. A speech model of one's own, the project's vocabulary and the settings of
 * the transcription are part of the version. A result counts once a job has ended with it: one
 * that is still running may fail, and then nobody paid for it.
 */
import { sql } from 'kysely'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { PlacedOptions, Stretch } from '../../domain/job-options.ts'
import { extractorVersion } from '../../engine/extractors/registry.ts'
import type { Context } from '../ground/context.ts'
import type { Db } from '../ground/database.ts'

export async function findReusable(
  db: Db,
  input: {
    accountId: string
    sha256: string | null
    /** The extractors asked for, with what `versionsOf` says. */
    versions: ReadonlyMap<ExtractorId, string>
    options: Stretch
  },
): Promise<Map<ExtractorId, string>> {
  const resultIds = new Map<ExtractorId, string>()
  if (input.sha256 === null || input.versions.size === 0) return resultIds
  const rows = await db
    .selectFrom('job_results')
    .select(['id', 'extractor', 'version'])
    .where('account_id', '=', input.accountId)
    .where('content_sha256', '=', input.sha256)
    .where('extractor', 'in', [...input.versions.keys()])
    .where('params', '=', paramsKey(input.options))
    .where((row) =>
      row.exists(
        row
          .selectFrom('job_extractors as e')
          .innerJoin('jobs as j', 'j.id', 'e.job_id')
          .select('e.job_id')
          .whereRef('e.result_id', '=', 'job_results.id')
          .where('j.status', 'in', ['completed', 'canceled']),
      ),
    )
    // A result that lacks a part is worth another try; only thumbnails can.
    .where(
      sql<boolean>`case extractor when 'thumbnail' then findings->'missing' is null else true end`,
    )
    .orderBy('created_at')
    .execute()
  for (const row of rows) {
    if (row.version === input.versions.get(row.extractor)) resultIds.set(row.extractor, row.id)
  }
  return resultIds
}

/** Not inside a transaction: a model of one's own may have to be read first. */
export async function versionsOf(
  ctx: Pick<Context, 'config'>,
  extractors: readonly ExtractorId[],
  options: PlacedOptions,
): Promise<Map<ExtractorId, string>> {
  const settings = { speechModelDir: ctx.config.speechModelDir, ...options }
  const versions = extractors.map(async (id) => [id, await extractorVersion(id, settings)] as const)
  return new Map(await Promise.all(versions))
}

/** The parameters that findings depend on, in one spelling. */
export function paramsKey({ in: start, out: end }: Stretch): string {
  return JSON.stringify({ in: start || null, out: end ?? null })
}

/**
 * Until the end of this transaction no result of the account is taken into use or removed by
 * another. Taken after the lock of a job's row and before that of a wallet.
 */
export async function lockResults(trx: Db, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`results ${accountId}`}, 0))`.execute(
    trx,
  )
}
