import type { Job } from '../../../contract/footage/jobs.ts'
import { shownIdLength } from '../../../domain/money/catalogue.ts'
import { supportAddress } from '../../app/support.ts'
import { wayOnOf } from '../../features/jobs/way-on.ts'
import { Button } from '../../ui/button.tsx'

/** Why it ended before its time, what that costs, and the way on. */
export function EndedJob({
  job,
  retry,
}: {
  job: Job
  retry: { isPending: boolean; mutate: () => void }
}) {
  const isFailed = job.status === 'failed'
  return (
    <section
      aria-label="How it ended"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-panel px-4 py-3"
    >
      <div className="min-w-60 grow basis-0">
        <h2 className="text-md font-semibold">
          {isFailed ? (job.error?.message ?? 'The job failed.') : 'Cancelled.'}
        </h2>
        <p className="text-ink-2">
          {chargeText(job)} {isFailed && wayOnOf(job)}
        </p>
        {isFailed && (
          <p className="text-ink-3">
            If it happens again, write to{' '}
            <a href={`mailto:${supportAddress}`} className="text-brand-ink underline">
              {supportAddress}
            </a>{' '}
            and name job <span className="timecode">{job.id.slice(0, shownIdLength)}</span>.
          </p>
        )}
      </div>
      <Button look="primary" busy={retry.isPending} onClick={() => retry.mutate()}>
        Retry
      </Button>
    </section>
  )
}

function chargeText(job: Job): string {
  if (job.cost_usd === 0) return 'Nothing was charged.'
  const hasShare = job.extractors.some(
    ({ status, cost_usd }) => status === 'skipped' && cost_usd > 0,
  )
  if (!hasShare) return 'Only finished extractors were charged.'
  return 'Finished extractors were charged, and the share of the others that was done.'
}
