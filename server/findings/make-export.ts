/** Exports are made in a process beside, and an account has a few of them waiting at most. */
import * as z from 'zod'
import type { CutExportInput, ExportedCut } from '../../engine/export-cut.ts'
import type { SyncExportInput } from '../../engine/export-sync.ts'
import type { ExportedFile, ExportInput } from '../../engine/export.ts'
import { Bytes } from '../../engine/processes/process.ts'
import { keepForContext } from '../ground/context.ts'
import type { Context } from '../ground/context.ts'
import { createProcessPool } from '../ground/process-pool.ts'
import type { ProcessPool } from '../ground/process-pool.ts'
import { Refusal } from '../ground/refusal.ts'

export type ExportOrder = ExportInput | CutExportInput | SyncExportInput

const file = { fileName: z.string(), contentType: z.string() }
const ExportOutcome = z.discriminatedUnion('status', [
  z.object({ status: z.literal('made'), file: z.object({ ...file, body: z.string() }) }),
  z.object({
    status: z.literal('made-cut'),
    file: z.object({ ...file, body: z.union([z.string(), Bytes]), notes: z.array(z.string()) }),
  }),
  /** A sentence for the person. */
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
    // Every format of a job or a cut at once.
    maxOfAccount: 16,
    maxOrders: 50,
    sentences: {
      account: 'Too many of your exports are being made. Please wait for some of them.',
      all: 'Too many exports at once. Please try again in a minute.',
    },
  })
}

const exportsOf = keepForContext(openExports, (pool) => pool.close())

export async function makeExport(
  ctx: Context,
  accountId: string,
  input: ExportInput,
): Promise<ExportedFile> {
  const outcome = await exportsOf(ctx).run(accountId, input)
  if (outcome.status === 'made') return outcome.file
  throw refusalOf(outcome)
}

export async function makeCutExport(
  ctx: Context,
  accountId: string,
  input: CutExportInput,
): Promise<ExportedCut> {
  const outcome = await exportsOf(ctx).run(accountId, input)
  if (outcome.status === 'made-cut') return outcome.file
  throw refusalOf(outcome)
}

export async function makeSyncExport(
  ctx: Context,
  accountId: string,
  input: SyncExportInput,
): Promise<ExportedCut> {
  const outcome = await exportsOf(ctx).run(accountId, input)
  if (outcome.status === 'made-cut') return outcome.file
  throw refusalOf(outcome)
}

function refusalOf(outcome: ExportOutcome): Error {
  return outcome.status === 'refused'
    ? new Refusal('invalid', outcome.message)
    : new Error('Another file was made than the one asked for.')
}
