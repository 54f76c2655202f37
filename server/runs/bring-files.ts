/** Brings files that rows of a film have handed on into a work folder. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isJoined, pieceName, watchedName } from '../../engine/parts/artifacts.ts'
import type { Context } from '../ground/context.ts'

const filesAtOnce = 8

interface Order {
  jobId: string
  workDir: string
  signal: AbortSignal
}

/** Those that are needed, all of them, and those of the offered that there are. */
export async function bringFiles(
  ctx: Context,
  order: Order & { needed: readonly string[]; offered: readonly string[] },
): Promise<void> {
  const all = await listFiles(ctx, order.jobId)
  const rows = all.filter(({ name }) => order.needed.includes(name))
  if (rows.length < order.needed.length) throw new Error('A file of another part is missing.')
  await bring(ctx, order, [...rows, ...all.filter(({ name }) => order.offered.includes(name))])
}

/** All that is joined; where the frames were analysed, that stands for their measurements. */
export async function bringPieces(ctx: Context, order: Order): Promise<void> {
  const rows = (await listFiles(ctx, order.jobId)).filter(({ name }) => isJoined(name))
  const isAnalysed = rows.some(({ name }) => name === watchedName)
  const left = isAnalysed ? rows.filter(({ kind }) => !['frames', 'proxy'].includes(kind)) : rows
  const named = left.map((row) => ({ ...row, name: pieceName(row.name, row.position) }))
  await bring(ctx, order, named)
}

type PartFile = Awaited<ReturnType<typeof listFiles>>[number]

function listFiles(ctx: Context, jobId: string) {
  return ctx.db
    .selectFrom('work_files as f')
    .innerJoin('work as w', 'w.id', 'f.work_id')
    .select(['f.name', 'f.storage_key', 'w.kind', 'w.position'])
    .where('w.job_id', '=', jobId)
    .orderBy('w.kind')
    .orderBy('w.position')
    .execute()
}

async function bring(
  ctx: Context,
  { workDir, signal }: Order,
  files: readonly PartFile[],
): Promise<void> {
  for (let first = 0; first < files.length; first += filesAtOnce) {
    await Promise.all(
      files.slice(first, first + filesAtOnce).map(async ({ name, storage_key: key }) => {
        const target = createWriteStream(join(workDir, name))
        await pipeline(await ctx.storage.read(key), target, { signal })
      }),
    )
  }
}
