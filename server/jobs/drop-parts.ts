import type { Transaction } from 'kysely'
import type { Tables } from '../ground/generated-tables.ts'
import { abandonWrites } from '../storage/unowned-objects.ts'
import { writerOf } from './writer.ts'

/** The files of parts follow by a trigger; what their workers are writing is due at once. */
export async function dropParts(trx: Transaction<Tables>, jobId: string): Promise<void> {
  const parts = await trx
    .deleteFrom('job_parts')
    .where('job_id', '=', jobId)
    .returning(['id', 'fence'])
    .execute()
  for (const part of parts) await abandonWrites(trx, writerOf(part))
}
