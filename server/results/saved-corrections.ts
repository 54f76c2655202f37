import { noCorrections } from '../../domain/findings/no-corrections.ts'
import type { Corrections } from '../../domain/findings/corrections.ts'
import type { Db } from '../ground/database.ts'

/** The bytes that corrections belong to, and the stretch of them that was analysed. */
export interface MediaKey {
  accountId: string
  sha256: string
  params: string
}

export interface Saved {
  corrections: Corrections
  version: number
  savedAt: Date | null
}

export async function readSaved(db: Db, media: MediaKey): Promise<Saved> {
  const row = await db
    .selectFrom('job_corrections')
    .select(['corrections', 'version', 'saved_at'])
    .where('account_id', '=', media.accountId)
    .where('content_sha256', '=', media.sha256)
    .where('params', '=', media.params)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return { corrections: noCorrections, version: 0, savedAt: null }
  return { corrections: row.corrections, version: row.version, savedAt: row.saved_at }
}
