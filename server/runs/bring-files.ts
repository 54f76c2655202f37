/** Brings files that parts of a job have kept into a work folder. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isJoined, pieceName, watchedName } from '../../engine/parts/hand-over.ts'
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

/** All that is joined; where the pictures were judged, that stands for what was seen of them. */
export async function bringPieces(ctx: Context, order: Order): Promise<void> {
  const rows = (await listFiles(ctx, order.jobId)).filter(({ name }) => isJoined(name))
  const isJudged = rows.some(({ name }) => name === watchedName)
  const left = isJudged ? rows.filter(({ kind }) => !['pictures', 'proxy'].includes(kind)) : rows
  const named = left.map((row) => ({ ...row, name: pieceName(row.name, row.position) }))
  await bring(ctx, order, named)
}

type PartFile = Awaited<ReturnType<typeof listFiles>>[number]

function listFiles(ctx: Context, jobId: string) {
  return ctx.db
    .selectFrom('job_part_files as f')
    .innerJoin('job_parts as p', 'p.id', 'f.part_id')
    .select(['f.name', 'f.storage_key', 'p.kind', 'p.position'])
    .where('p.job_id', '=', jobId)
    .orderBy('p.kind')
    .orderBy('p.position')
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
