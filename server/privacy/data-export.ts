/**
 * "Download my data". A request writes a row and enqueues its task in one transaction; the task
 * writes the archive, then marks the row and queues the e-mail in one transaction. A task that dies
 * is run again and writes another file; one that failed at every try can be asked for again. The
 * link is signed and lives as long as the file: a day.
 */
import { randomUUID, timingSafeEqual } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { toUsdText } from '../../domain/money/money.ts'
import { sendObject } from '../content/send-object.ts'
import { dropObjects, listObjects } from '../storage/unowned-objects.ts'
import { dataExportMail } from '../mail/messages.ts'
import { queueMail } from '../mail/queue.ts'
import type { Context } from '../ground/context.ts'
import { readFindings } from '../findings/results.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import { signArchive } from '../mail/signed-archive.ts'
import type { Verb } from '../ground/verb.ts'
import { partsOfAccount, writePart } from './account-data.ts'
import type { AccountParts } from './account-data.ts'
import { spreadsheetLine } from '../../domain/spreadsheet-text.ts'

export const dataExportQueue = 'data-export'

const hourMs = 3_600_000
/** Shorter than an unowned object waits for the sweep. */
const lifeMs = 23 * hourMs
/** Longer than all tries of the task take. */
const givenUpMs = 4 * hourMs

export const requestDataExport: Verb<'requestDataExport'> = async (ctx, { accountId }) => {
  const last = await findLast(ctx, accountId)
  const now = ctx.now()
  const isRecent = last && now.getTime() - last.created_at.getTime() < hourMs
  if (last && (isRecent || (last.status === 'queued' && !isGivenUp(ctx, last)))) {
    return { data_export: await present(ctx, last) }
  }
  const requested = await ctx.db.transaction().execute(async (trx) => {
    const row = await trx
      .insertInto('data_exports')
      .values({ account_id: accountId, status: 'queued', created_at: now })
      .onConflict((conflict) =>
        conflict
          .column('account_id')
          .where('status', '=', 'queued')
          .doUpdateSet({ created_at: now })
          .where('data_exports.created_at', '<', new Date(now.getTime() - givenUpMs)),
      )
      .returningAll()
      .executeTakeFirst()
    if (row) await ctx.queue.send(dataExportQueue, { exportId: row.id }, { trx })
    return row
  })
  // Another request was faster.
  const row = requested ?? (await findLast(ctx, accountId))
  if (!row) throw new Error('A data export was not kept.')
  return { data_export: await present(ctx, row) }
}

export const getDataExport: Verb<'getDataExport'> = async (ctx, { accountId }) => {
  const last = await findLast(ctx, accountId)
  return { data_export: last ? await present(ctx, last) : null }
}

export const downloadDataExport: Verb<'downloadDataExport'> = async (
  ctx,
  _actor,
  { params, query },
  exchange,
) => {
  const expected = Buffer.from(await signArchive(ctx, params.id))
  const presented = Buffer.from(query.token)
  const isOurs = expected.length === presented.length && timingSafeEqual(expected, presented)
  const row = await ctx.db
    .selectFrom('data_exports')
    .select(['id', 'storage_key', 'size_bytes', 'expires_at'])
    .where('id', '=', params.id)
    .executeTakeFirst()
  const isAlive = row?.expires_at && row.expires_at > ctx.now()
  if (!isOurs || !isAlive || !row.storage_key || row.size_bytes === null)
    throw notFound('This archive')
  await sendObject(ctx, exchange, {
    key: row.storage_key,
    sizeBytes: row.size_bytes,
    etag: row.id,
    headers: {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="cutindex-data.zip"',
      'cache-control': 'private, no-store',
    },
  })
}

/** Runs as a task of the queue. */
export async function makeDataExport(ctx: Context, exportId: string): Promise<string> {
  const row = await ctx.db
    .selectFrom('data_exports')
    .select(['id', 'account_id'])
    .where('id', '=', exportId)
    .where('status', '=', 'queued')
    .executeTakeFirst()
  if (!row) return 'done already'
  const key = `exports/${randomUUID()}`
  await listObjects(ctx, [key])
  const stage = await ctx.storage.stage(key)
  let sizeBytes: number
  try {
    await writeArchive(ctx, row.account_id, stage.path)
    sizeBytes = (await stat(stage.path)).size
    await stage.commit()
  } catch (error) {
    await stage.discard()
    throw error
  }
  const expiresAt = new Date(ctx.now().getTime() + lifeMs)
  const isKept = await ctx.db.transaction().execute(async (trx) => {
    const kept = await trx
      .updateTable('data_exports')
      .set({ status: 'ready', storage_key: key, size_bytes: sizeBytes, expires_at: expiresAt })
      .where('id', '=', row.id)
      .where('status', '=', 'queued')
      .returning('id')
      .executeTakeFirst()
    // The account was erased meanwhile, or another worker was faster.
    if (!kept) return false
    await queueMail(ctx, trx, {
      accountId: row.account_id,
      kind: 'requested',
      cause: `data-export:${row.id}`,
      content: dataExportMail({ archiveId: row.id, path: pathOf(row.id), expiresAt }),
    })
    return true
  })
  if (isKept) return 'made'
  await dropObjects(ctx, [key])
  return 'done already'
}

/** The files go at once, not at the end of their day. */
export async function eraseDataExports(ctx: Context, accountId: string): Promise<void> {
  const rows = await ctx.db
    .deleteFrom('data_exports')
    .where('account_id', '=', accountId)
    .returning('storage_key')
    .execute()
  await dropObjects(
    ctx,
    rows.flatMap((row) => row.storage_key ?? []),
  )
}

async function writeArchive(ctx: Context, accountId: string, path: string): Promise<void> {
  const parts = partsOfAccount(ctx, accountId)
  const zip = new ZipFile()
  const add = (name: string, text: () => AsyncIterable<string>): void =>
    zip.addReadStreamLazy(name, (take) => {
      const bytes = Readable.from(bytesOf(text()))
      // A list that cannot be read ends the archive.
      bytes.on('error', (error) => zip.outputStream.emit('error', error))
      take(null, bytes)
    })
  for (const [name, read] of Object.entries(parts)) {
    add(`${name}.json`, async function* () {
      yield* writePart(read())
      yield '\n'
    })
  }
  add('transactions.csv', () => transactionsCsv(parts))
  add('originals.csv', () => originalsCsv(parts))
  for (const id of await jobIds(ctx, accountId)) addFindings(ctx, zip, { id, accountId })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
}

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text)
}

async function jobIds(ctx: Context, accountId: string): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('jobs')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('seq', 'desc')
    .execute()
  return rows.map((row) => row.id)
}

/** One job's after the other, since those of a film are large. */
function addFindings(ctx: Context, zip: ZipFile, job: { id: string; accountId: string }): void {
  zip.addReadStreamLazy(`findings/${job.id}.json`, (take) => {
    readFindings(ctx, job).then(
      (findings) => take(null, Readable.from([Buffer.from(`${JSON.stringify(findings)}\n`)])),
      (error: unknown) => {
        // A job that was deleted meanwhile has none; anything else ends the archive.
        if (error instanceof Refusal) take(null, Readable.from([Buffer.from('{}\n')]))
        else zip.outputStream.emit('error', error)
      },
    )
  })
}

async function* transactionsCsv({ transactions }: AccountParts): AsyncGenerator<string> {
  yield spreadsheetLine(['id', 'created_at', 'kind', 'description', 'amount_usd', 'job_id'])
  for await (const item of transactions()) {
    yield spreadsheetLine([
      item.id,
      item.created_at,
      item.kind,
      item.description,
      toUsdText(Math.round(item.amount_usd * 1_000_000)),
      item.job_id ?? '',
    ])
  }
}

/** The files themselves are in the library; this says which, and where they came from. */
async function* originalsCsv({ content }: AccountParts): AsyncGenerator<string> {
  yield spreadsheetLine(['id', 'file_name', 'type', 'bytes', 'address', 'created_at'])
  for await (const item of content()) {
    yield spreadsheetLine([
      item.id,
      item.file_name,
      item.content_type,
      String(item.file_size ?? ''),
      item.canonical_url,
      item.created_at,
    ])
  }
}

function findLast(ctx: Context, accountId: string) {
  return ctx.db
    .selectFrom('data_exports')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
}

async function present(ctx: Context, row: NonNullable<Awaited<ReturnType<typeof findLast>>>) {
  const isOver = row.expires_at !== null && row.expires_at <= ctx.now()
  return {
    id: row.id,
    status: isOver ? ('expired' as const) : isGivenUp(ctx, row) ? ('failed' as const) : row.status,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    url:
      row.status === 'ready' && !isOver
        ? `${ctx.config.publicUrl}${pathOf(row.id)}?token=${await signArchive(ctx, row.id)}`
        : null,
  }
}

function isGivenUp(ctx: Context, row: { status: string; created_at: Date }): boolean {
  return row.status === 'queued' && ctx.now().getTime() - row.created_at.getTime() > givenUpMs
}

function pathOf(id: string): string {
  return `/v1/user/data-exports/${id}/file`
}
