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
  let last = ''
  for (;;) {
    const loose = await ctx.db
      .selectFrom('job_loose_files as f')
      .leftJoin('jobs as j', (join) =>
        join.onRef('j.id', '=', 'f.job_id').onRef('j.fence', '=', 'f.fence'),
      )
      .select('f.storage_key')
      // An attempt whose fence still stands may be about to commit them.
      .where('j.id', 'is', null)
      // One that cannot be deleted stays listed for the next sweep and must not be met again here.
      .where('f.storage_key', '>', last)
      .orderBy('f.storage_key')
      .limit(atOnce)
      .execute()
    for (const { storage_key: key } of loose) {
      const isRemoved = await goOn(ctx, { storageKey: key }, async () => {
        await ctx.storage.delete(key)
        await ctx.db.deleteFrom('job_loose_files').where('storage_key', '=', key).execute()
      })
      if (isRemoved) removed += 1
      last = key
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
    const isRemoved = await goOn(ctx, { folder: name }, () =>
      rm(join(root, name), { recursive: true, force: true }),
    )
    if (isRemoved) removed += 1
  }
  return removed
}

/** One failure does not stop the sweep: it is logged, and the next sweep tries again. */
async function goOn(ctx: Context, item: object, remove: () => Promise<void>): Promise<boolean> {
  try {
    await remove()
    return true
  } catch (error) {
    ctx.log.warn({ err: error, ...item }, 'left for the next sweep')
    return false
  }
}
