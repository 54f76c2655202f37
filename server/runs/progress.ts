/** Writes progress: one write at a time, at most once in a while and never twice the same. */
import { sql } from 'kysely'
import { notify } from '../db/notify.ts'
import { underFence } from '../work/claim.ts'
import type { Attempt } from '../work/steps.ts'

const standardEveryMs = 500
/** Less than this is not worth a write. */
const minChange = 0.01

export interface Progress<Name extends string> {
  report(fractions: Partial<Record<Name, number>>): void
  /** An extractor that has ended is no longer written about. */
  forget(name: Name): void
  stop(): Promise<void>
}

export function startProgress<Name extends string>(
  write: (changed: [[Name, number], ...[Name, number][]]) => Promise<void>,
  onError: (error: unknown) => void,
  everyMs = standardEveryMs,
): Progress<Name> {
  const latest = new Map<Name, number>()
  const written = new Map<Name, number>()
  const ended = new Set<Name>()
  let writing: Promise<void> = Promise.resolve()
  let isWriting = false
  const flush = (): void => {
    const [first, ...others] = [...latest].filter(
      ([name, fraction]) => fraction - (written.get(name) ?? -1) >= minChange,
    )
    if (isWriting || !first) return
    isWriting = true
    writing = write([first, ...others])
      .then(() => [first, ...others].forEach(([name, fraction]) => written.set(name, fraction)))
      .catch(onError)
      .finally(() => {
        isWriting = false
      })
  }
  const timer = setInterval(flush, everyMs)
  return {
    report(fractions) {
      for (const [key, fraction] of Object.entries<number | undefined>(fractions)) {
        const name = key as Name
        if (!ended.has(name)) latest.set(name, Math.min(1, Math.max(0, fraction ?? 0)))
      }
      if (written.size === 0) flush()
    },
    forget(name) {
      ended.add(name)
      latest.delete(name)
    },
    async stop() {
      clearInterval(timer)
      await writing
    },
  }
}

/** Writes the progress of extractors under the claim's fence. */
export function writeExtractors({ ctx, claim, step }: Attempt) {
  const { jobId, accountId } = claim
  return async (changed: readonly [string, number][]): Promise<void> => {
    await underFence(ctx, claim, async (trx) => {
      for (const [extractor, fraction] of changed) {
        await trx
          .updateTable('job_extractors')
          .set({ status: 'running', progress: sql`greatest(progress, ${fraction}::real)` })
          .where('job_id', '=', jobId)
          .where(sql<boolean>`extractor = ${extractor}`)
          .where('status', 'in', ['waiting', 'running'])
          .execute()
      }
      await notify(trx, 'account_changed', { accountId, jobId })
    })
    await step('progress-kept')
  }
}
