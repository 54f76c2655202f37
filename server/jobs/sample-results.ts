/**
 * Findings of the sample clip, prepared ahead: a job on it is answered at once by the
 * results that its own analysis would give. Only results of the extractors' present versions are
 * used; for the others the job runs as any other does.
 */
import { randomUUID } from 'node:crypto'
import { copyFile, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Transaction } from 'kysely'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import type { Findings, Media } from '../../domain/findings/findings.ts'
import { listObjects, ownObjects } from '../storage/unowned-objects.ts'
import type { Tables } from '../ground/generated-tables.ts'
import type { Context } from '../ground/context.ts'
import type { JobPlan } from './quote.ts'
import { findReusable, paramsKey } from '../results/reuse.ts'
import { insertResult, keysOf, resultFiles } from '../results/store-result.ts'

export interface Prepared {
  versions: Record<ExtractorId, string>
  media: Media
  findings: Findings
  seconds: number
}

export const preparedFolder = resolve(import.meta.dirname, '../../assets/sample-findings')

let reading: Promise<Prepared> | undefined

export function readPrepared(): Promise<Prepared> {
  reading ??= readFile(join(preparedFolder, 'findings.json'), 'utf8').then(
    (text) => JSON.parse(text) as Prepared,
  )
  return reading
}

/**
 * Gives the account the results that a job on the sample lacks, for the job that this transaction
 * places. Call it under `lockResults`.
 */
export async function addPrepared(
  ctx: Context,
  trx: Transaction<Tables>,
  plan: JobPlan,
): Promise<Map<ExtractorId, string>> {
  const added = new Map<ExtractorId, string>()
  const { accountId, source, options, versions } = plan
  const isWhole = options.in === undefined && options.out === undefined
  if (!plan.isSample || !isWhole || source.sha256 === null) return added
  const prepared = await readPrepared()
  const known = await findReusable(trx, { accountId, sha256: source.sha256, versions, options })
  for (const extractor of plan.extractors) {
    if (known.has(extractor) || versions.get(extractor) !== prepared.versions[extractor]) continue
    const result = {
      ...{ extractor, sha256: source.sha256, media: prepared.media },
      ...{ version: prepared.versions[extractor], findings: prepared.findings[extractor] },
    }
    added.set(extractor, await addResult(ctx, trx, plan, result))
  }
  return added
}

/** Keeps one result for the job of a plan, with the files of the sample; returns its id. */
export async function addResult(
  ctx: Context,
  trx: Transaction<Tables>,
  plan: JobPlan,
  result: {
    extractor: ExtractorId
    sha256: string
    version: string
    findings: unknown
    media: Media
  },
): Promise<string> {
  const id = randomUUID()
  const files = await storePrepared(ctx, id, resultFiles(result.extractor, result.findings))
  await insertResult(trx, {
    ...result,
    id,
    accountId: plan.accountId,
    params: paramsKey(plan.options),
    seconds: plan.seconds,
    files,
    now: ctx.now(),
  })
  await ownObjects(trx, keysOf(files))
  return id
}

/** Copies files of the sample's findings into the store, unowned until their result is there. */
async function storePrepared(ctx: Context, resultId: string, names: readonly string[]) {
  const files = await Promise.all(
    names.map(async (name) => ({
      name,
      storage_key: `results/${resultId}/${name}`,
      bytes: (await stat(join(preparedFolder, name))).size,
    })),
  )
  await listObjects(ctx, keysOf(files))
  // At once: a transaction waits for it, and the database ends one that is idle for ten seconds.
  await Promise.all(
    files.map(async (file) => {
      const stage = await ctx.storage.stage(file.storage_key)
      await copyFile(join(preparedFolder, file.name), stage.path)
      await stage.commit()
    }),
  )
  return files
}
