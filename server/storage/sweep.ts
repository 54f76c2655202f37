import type { Context } from '../ground/context.ts'
import { sweepObjects } from './unowned-objects.ts'
import { removeDeadWorkFiles } from './scratch.ts'

/** Removes what no row owns: objects of the store, and work files of processes that died here. */
export async function sweepStore(ctx: Context): Promise<{ objects: number; folders: number }> {
  return { objects: await sweepObjects(ctx), folders: await removeDeadWorkFiles(ctx.config) }
}
