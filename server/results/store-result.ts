/** Writes what an extractor found: the result, its files and its search index. */
import type { Transaction } from 'kysely'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import { ThumbnailFindings } from '../../domain/findings/findings.ts'
import type { Media } from '../../domain/findings/findings.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { indexResult } from './index-passages.ts'
import { readSaved } from './saved-corrections.ts'

export interface StoredFile {
  name: string
  storage_key: string
  bytes: number
}

export interface NewResult {
  id: string
  accountId: string
  sha256: string
  extractor: ExtractorId
  version: string
  params: string
  findings: unknown
  media: Media | null
  seconds: number
  files: readonly StoredFile[]
  now: Date
}

export async function insertResult(trx: Transaction<Tables>, result: NewResult): Promise<void> {
  await trx
    .insertInto('job_results')
    .values({
      id: result.id,
      account_id: result.accountId,
      content_sha256: result.sha256,
      extractor: result.extractor,
      version: result.version,
      params: result.params,
      findings: JSON.stringify(result.findings),
      media: JSON.stringify(result.media),
      seconds: result.seconds,
      created_at: result.now,
    })
    .execute()
  if (result.files.length > 0) {
    const files = result.files.map((file) => ({ result_id: result.id, ...file }))
    await trx.insertInto('job_result_files').values(files).execute()
  }
  const { accountId, sha256, params, extractor, findings, media } = result
  const { corrections } = await readSaved(trx, { accountId, sha256, params })
  await indexResult(trx, { id: result.id, accountId, extractor, findings, media }, corrections)
}

export function keysOf(files: readonly StoredFile[]): string[] {
  return files.map((file) => file.storage_key)
}

/** The files that findings name: only pictures and sound made for the screen are files. */
export function resultFiles(extractor: ExtractorId, findings: unknown): string[] {
  if (extractor !== 'thumbnail') return []
  const { poster, stills, sprite, proxy, waveform } = ThumbnailFindings.parse(findings)
  const names = [
    poster,
    ...stills.map((still) => still.file),
    ...(sprite ? [...sprite.file, sprite.vtt] : []),
    proxy?.file,
    waveform?.file,
  ]
  return [...new Set(names.filter((name) => typeof name === 'string'))]
}
