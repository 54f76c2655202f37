/** Writes an attempt's progress, at most once in a while and never twice the same. */
import { sql } from 'kysely'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import { notify } from '../db/notify.ts'
import { underFence } from '../work/claim.ts'
import type { Attempt } from '../work/steps.ts'

const everyMs = 500
/** Less than this is not worth a write. */
const minChange = 0.01

export interface Progress {
  report(fractions: Partial<Record<ExtractorId, number>>): void
  /** An extractor that has ended is no longer written about. */
  forget(extractor: ExtractorId): void
  stop(): Promise<void>
}

export function startProgress(attempt: Attempt, onError: (error: unknown) => void): Progress {
  const latest = new Map<ExtractorId, number>()
  const written = new Map<ExtractorId, number>()
  const ended = new Set<ExtractorId>()
  let writing: Promise<void> = Promise.resolve()
  let isWriting = false
  const flush = (): void => {
    const changed = [...latest].filter(
      ([extractor, fraction]) => fraction - (written.get(extractor) ?? -1) >= minChange,
    )
    if (isWriting || changed.length === 0) return
    isWriting = true
    writing = write(attempt, changed)
      .then(() => changed.forEach(([extractor, fraction]) => written.set(extractor, fraction)))
      .catch(onError)
      .finally(() => {
        isWriting = false
      })
  }
  const timer = setInterval(flush, everyMs)
  return {
    report(fractions) {
      for (const [id, fraction] of Object.entries(fractions)) {
        const extractor = id as ExtractorId
        if (!ended.has(extractor)) latest.set(extractor, Math.min(1, Math.max(0, fraction)))
      }
      if (written.size === 0) flush()
    },
    forget(extractor) {
      ended.add(extractor)
      latest.delete(extractor)
    },
    async stop() {
      clearInterval(timer)
      await writing
    },
  }
}

async function write(attempt: Attempt, changed: [ExtractorId, number][]): Promise<void> {
  const { ctx, job } = attempt
  await underFence(ctx, job, async (trx) => {
    for (const [extractor, fraction] of changed) {
      await trx
        .updateTable('job_extractors')
        .set({ status: 'running', progress: sql`greatest(progress, ${fraction}::real)` })
        .where('job_id', '=', job.id)
        .where('extractor', '=', extractor)
        .where('status', 'in', ['waiting', 'running'])
        .execute()
    }
    await notify(trx, 'account_changed', { accountId: job.accountId, jobId: job.id })
  })
  await attempt.step('progress-kept')
}
