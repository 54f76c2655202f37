/** Exports are made in a process beside, and an account has a few of them waiting at most. */
import type { FastifyReply } from 'fastify'
import * as z from 'zod'
import type { ExportedFile, ExportOrder } from '../../engine/export.ts'
import { Bytes } from '../../engine/processes/process.ts'
import { keepForContext } from '../ground/context.ts'
import type { Context } from '../ground/context.ts'
import { createProcessPool } from '../ground/process-pool.ts'
import type { ProcessPool } from '../ground/process-pool.ts'
import { Refusal } from '../ground/refusal.ts'
import { attachment } from '../content/file-name.ts'
import { notesHeader } from '../http/notes-header.ts'

const ExportOutcome = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('made'),
    file: z.object({
      ...{ fileName: z.string(), contentType: z.string() },
      ...{ body: z.union([z.string(), Bytes]), notes: z.array(z.string()) },
    }),
  }),
  /** `message`: a sentence for the person. */
  z.object({ status: z.literal('refused'), message: z.string() }),
])
export type ExportOutcome = z.infer<typeof ExportOutcome>

function openExports(): ProcessPool<ExportOrder, ExportOutcome> {
  return createProcessPool({
    entry: new URL('./export-process.ts', import.meta.url),
    outcome: ExportOutcome,
    processes: 1,
    maxMs: 60_000,
    maxHeapMiB: 1024,
    // Enough for every format of a job or a cut at once.
    maxOfAccount: 16,
    maxOrders: 50,
    sentences: {
      account: 'Too many of your exports are being made. Please wait for some of them.',
      all: 'Too many exports at once. Please try again in a minute.',
    },
  })
}

const exportsOf = keepForContext(openExports, (pool) => pool.close())

/** Sends the file as a download that no browser opens, and its notes in a header too. */
export async function sendExport(
  reply: FastifyReply,
  { fileName, contentType, body, notes }: Omit<ExportedFile, 'notes'> & { notes?: string[] },
): Promise<void> {
  reply
    .header('content-disposition', attachment(fileName))
    .header('content-security-policy', 'sandbox')
    .header('cache-control', 'private, no-store')
  if (notes) {
    reply
      .header('x-export-notes', notesHeader(notes))
      .header('access-control-expose-headers', 'X-Export-Notes, Content-Disposition')
  }
  await reply.type(contentType).send(typeof body === 'string' ? body : Buffer.from(body))
}

export async function makeExport(
  ctx: Context,
  accountId: string,
  order: ExportOrder,
): Promise<ExportedFile> {
  const outcome = await exportsOf(ctx).run(accountId, order)
  if (outcome.status === 'refused') throw new Refusal('invalid', outcome.message)
  return outcome.file
}
