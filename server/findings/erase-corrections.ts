/** Corrections outlive the jobs that they were made in, so they are removed on their own. */
import { sql } from 'kysely'
import type { Context } from '../ground/context.ts'

export async function eraseCorrections(ctx: Context, accountId: string): Promise<void> {
  await ctx.db.deleteFrom('job_corrections').where('account_id', '=', accountId).execute()
}

/** Deletes corrections whose media belongs to no job and no item of the library any more. */
export async function expireCorrections(ctx: Context, savedBefore: Date): Promise<number> {
  const gone = await ctx.db
    .deleteFrom('job_corrections')
    .where('saved_at', '<', savedBefore)
    .where(
      sql<boolean>`not exists (select from jobs j
        where j.account_id = job_corrections.account_id
          and j.content_sha256 = job_corrections.content_sha256)`,
    )
    .where(
      sql<boolean>`not exists (select from content c
        where c.account_id = job_corrections.account_id
          and c.sha256 = decode(job_corrections.content_sha256, 'hex'))`,
    )
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}
