/** Stores the files that a row of a film hands on, and ends the row. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transaction } from 'kysely'
import type { Tables } from '../ground/generated-tables.ts'
import type { NewWork } from '../jobs/work-rows.ts'
import { writerOf } from '../jobs/writer.ts'
import { keysOf } from '../results/store-result.ts'
import { dropWritten } from '../storage/unowned-objects.ts'
import { underFence } from '../work/claim.ts'
import { endWork } from '../work/end-work.ts'
import type { Attempt, Step } from '../work/steps.ts'
import { putFiles } from './put-files.ts'

export async function handOn(
  { ctx, claim, workDir, step }: Attempt,
  work: {
    names?: readonly string[]
    /** Those of these that are there. */
    optional?: readonly string[]
    next?: readonly NewWork[]
    write?: (trx: Transaction<Tables>) => Promise<unknown>
    steps: { stored?: Step; written: Step; ended: Step }
  },
): Promise<void> {
  const { optional = [], next = [], steps } = work
  const names = [...(work.names ?? [])]
  for (const name of optional) {
    await access(join(workDir, name)).then(
      () => names.push(name),
      () => undefined,
    )
  }
  const writer = writerOf(claim)
  const files = await putFiles(ctx, {
    names,
    workDir,
    folder: `parts/${writer}`,
    writer,
    underFence: (write) => underFence(ctx, claim, write),
  })
  if (steps.stored) await step(steps.stored)
  try {
    await endWork(ctx, claim, {
      files,
      next,
      async onWritten(trx) {
        await work.write?.(trx)
        await step(steps.written)
      },
    })
  } catch (error) {
    await dropWritten(ctx, keysOf(files))
    throw error
  }
  await step(steps.ended)
}
