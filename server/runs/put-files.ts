/** Stores files of a work folder, listed as unowned until the caller owns them. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transaction } from 'kysely'
import type { Context } from '../ground/context.ts'
import type { Tables } from '../ground/generated-tables.ts'
import { dropWritten, listObjects } from '../storage/unowned-objects.ts'
import { keysOf } from '../results/store-result.ts'
import type { StoredFile } from '../results/store-result.ts'

const filesAtOnce = 8

export async function putFiles(
  ctx: Context,
  order: {
    names: readonly string[]
    workDir: string
    /** The keys begin with it. */
    folder: string
    writer: string
    underFence: (write: (trx: Transaction<Tables>) => Promise<void>) => Promise<void>
    onListed?: () => Promise<void>
  },
): Promise<StoredFile[]> {
  const files: StoredFile[] = []
  for (const name of order.names) {
    const { size } = await stat(join(order.workDir, name))
    files.push({ name, storage_key: `${order.folder}/${name}`, bytes: size })
  }
  if (files.length === 0) return files
  await order.underFence((trx) =>
    listObjects({ db: trx, now: ctx.now }, keysOf(files), order.writer),
  )
  await order.onListed?.()
  // A film has a still for each shot: one after the other would take minutes on a far store.
  for (let first = 0; first < files.length; first += filesAtOnce) {
    const batch = files.slice(first, first + filesAtOnce)
    // All have ended before an error is thrown: what is let go then is no longer being written.
    const ends = await Promise.allSettled(
      batch.map(({ storage_key, name }) =>
        ctx.storage.putFile(storage_key, join(order.workDir, name)),
      ),
    )
    const failed = ends.find((end) => end.status === 'rejected')
    if (!failed) continue
    await dropWritten(ctx, keysOf(files))
    throw failed.reason
  }
  return files
}
