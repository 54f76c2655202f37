/** Streams the findings of many items as one zip with a file for each, made one after the other. */
import { ZipFile } from 'yazl'
import { sql } from 'kysely'
import { ExportOptions } from '../../contract/footage/export-options.ts'
import type { ExportFormat } from '../../domain/export-formats.ts'
import { attachment } from '../content/file-name.ts'
import type { Context } from '../ground/context.ts'
import type { Verb } from '../ground/verb.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import { exportFindingsOf } from './export.ts'

export const exportManyContent: Verb<'exportManyContent'> = async (
  ctx,
  { accountId },
  { body },
  { reply },
) => {
  const items = await findItems(ctx, accountId, body.content_ids)
  if (items.length === 0) throw notFound('The content')
  if (items.every((item) => item.jobId === null)) {
    throw new Refusal('conflict', 'None of these clips has been analysed yet.')
  }
  const zip = new ZipFile()
  void reply
    .header('content-disposition', attachment(`CutIndex ${body.format}.zip`))
    .header('cache-control', 'private, no-store')
    .type('application/zip')
  // Starts to send while files are written, so that memory holds only one file at a time.
  const sent = reply.send(zip.outputStream)
  await fillZip(ctx, zip, { accountId, items, format: body.format })
  await sent
}

interface Item {
  name: string
  jobId: string | null
}

const defaults = ExportOptions.parse({})

async function fillZip(
  ctx: Context,
  zip: ZipFile,
  { accountId, items, format }: { accountId: string; items: Item[]; format: ExportFormat },
): Promise<void> {
  const taken = new Set<string>()
  const missing: string[] = []
  for (const { name, jobId } of items) {
    try {
      if (jobId === null) throw new Refusal('conflict', 'Not analysed yet.')
      const file = await exportFindingsOf(ctx, { id: jobId, accountId }, { format, ...defaults })
      zip.addBuffer(Buffer.from(file.body), distinctName(file.fileName, taken))
    } catch (error) {
      if (!(error instanceof Refusal)) ctx.log.error({ err: error }, 'export failed')
      missing.push(`${name}: ${error instanceof Refusal ? error.message : 'The export failed.'}`)
    }
  }
  if (missing.length > 0) {
    zip.addBuffer(Buffer.from(`${missing.join('\n')}\n`), 'Not exported.txt')
  }
  zip.end()
}

/** Makes a name unique, since clips of different cards may have the same name. */
function distinctName(name: string, taken: Set<string>): string {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let free = name
  for (let number = 2; taken.has(free.toLowerCase()); number++)
    free = `${stem} (${number})${ending}`
  taken.add(free.toLowerCase())
  return free
}

/** Finds the items in the requested order, each with the job that has the most findings. */
async function findItems(ctx: Context, accountId: string, ids: string[]): Promise<Item[]> {
  const { rows } = await sql<Item & { id: string }>`
    select c.id, c.file_name as name, best.id as "jobId"
    from content c
    left join lateral (
      select j.id from jobs j join job_extractors e on e.job_id = j.id
      where j.content_id = c.id and j.status in ('completed', 'canceled')
        and e.status in ('done', 'reused')
      group by j.id, j.seq order by count(*) desc, j.seq desc limit 1
    ) best on true
    where c.account_id = ${accountId} and c.id = any(${ids}::uuid[])`.execute(ctx.db)
  const known = new Map(rows.map((row) => [row.id, row]))
  return [...new Set(ids)].flatMap((id) => known.get(id) ?? [])
}
