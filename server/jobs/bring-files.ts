/** Brings files that parts of a job have kept into a work folder. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../process/context.ts'

const filesAtOnce = 8

export interface BroughtFile {
  name: string
  kind: 'prepare' | 'sound' | 'pictures' | 'speech'
  position: number
}

/** Those that are named or wanted; `nameOf` says how each is called in the folder. */
export async function bringFiles(
  ctx: Context,
  order: {
    jobId: string
    names?: readonly string[]
    isWanted?: (name: string) => boolean
    nameOf?: (file: BroughtFile) => string
    workDir: string
    signal: AbortSignal
  },
): Promise<BroughtFile[]> {
  const { names, isWanted = () => true, nameOf = (file) => file.name } = order
  const kept = await ctx.db
    .selectFrom('job_part_files as f')
    .innerJoin('job_parts as p', 'p.id', 'f.part_id')
    .select(['f.name', 'f.storage_key', 'p.kind', 'p.position'])
    .where('p.job_id', '=', order.jobId)
    .$if(names !== undefined, (query) => query.where('f.name', 'in', [...(names ?? [])]))
    .orderBy('p.kind')
    .orderBy('p.position')
    .execute()
  const rows = kept.filter(({ name }) => isWanted(name))
  if (names && rows.length < names.length) throw new Error('A file of another part is missing.')
  for (let first = 0; first < rows.length; first += filesAtOnce) {
    await Promise.all(
      rows.slice(first, first + filesAtOnce).map(async (row) => {
        const target = createWriteStream(join(order.workDir, nameOf(row)))
        const { signal } = order
        await pipeline(await ctx.storage.read(row.storage_key), target, { signal })
      }),
    )
  }
  return rows.map(({ name, kind, position }) => ({ name, kind, position }))
}
