/**
 * Removes what dead attempts left: objects that no result owns, and work folders of this machine
 * whose attempt is no longer the job's. Safe to run at any time, by anybody, twice at once.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../process/context.ts'

const atOnce = 500

export async function sweepJobs(ctx: Context): Promise<{ objects: number; folders: number }> {
  return { objects: await sweepObjects(ctx), folders: await sweepFolders(ctx) }
}

async function sweepObjects(ctx: Context): Promise<number> {
  let removed = 0
  for (;;) {
    const loose = await ctx.db
      .selectFrom('job_loose_files as f')
      .leftJoin('jobs as j', (join) =>
        join.onRef('j.id', '=', 'f.job_id').onRef('j.fence', '=', 'f.fence'),
      )
      .select('f.storage_key')
      // An attempt whose fence still stands may be about to commit them.
      .where('j.id', 'is', null)
      .limit(atOnce)
      .execute()
    for (const { storage_key: key } of loose) {
      await ctx.storage.delete(key)
      await ctx.db.deleteFrom('job_loose_files').where('storage_key', '=', key).execute()
      removed += 1
    }
    if (loose.length < atOnce) return removed
  }
}

async function sweepFolders(ctx: Context): Promise<number> {
  const root = join(ctx.config.dataDir, 'attempts')
  const names = await readdir(root).catch(() => [])
  let removed = 0
  for (const name of names) {
    const attempt = /^([0-9a-f-]{36})\.(\d{1,15})$/.exec(name)
    if (!attempt?.[1]) continue
    const own = await ctx.db
      .selectFrom('jobs')
      .select('id')
      .where('id', '=', attempt[1])
      .where('fence', '=', Number(attempt[2]))
      .where('leased_until', 'is not', null)
      .executeTakeFirst()
    if (own) continue
    await rm(join(root, name), { recursive: true, force: true })
    removed += 1
  }
  return removed
}
