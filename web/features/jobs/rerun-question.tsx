import { useQuery } from '@tanstack/react-query'
import { optionsOf } from '../../../domain/job-options.ts'
import { api } from '../../app/api.ts'
import type { ListedJob } from '../../app/answers.ts'
import { contentName, usd } from '../../app/format.ts'
import { keys } from '../../app/queries.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'

/** Asks before a job runs once more, with what that would cost now. */
export function RerunQuestion({
  job,
  isBusy,
  onRun,
  onClose,
}: {
  job: ListedJob
  isBusy: boolean
  onRun: () => void
  onClose: () => void
}) {
  const request = {
    content_url: job.content_url,
    workflow: job.workflow,
    ...optionsOf(job),
  }
  const { data, isPending } = useQuery({
    queryKey: [...keys.quote, job.content_url, JSON.stringify(request)],
    queryFn: ({ signal }) => api.quoteJob({ body: request }, { signal }),
    // This job's own end changed the price of the next: an old answer is not shown.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const price = data
    ? `It costs at most ${usd(data.quote.total_usd)}.`
    : isPending
      ? 'Getting the price…'
      : 'It never costs more than its quote.'
  return (
    <AlertDialog
      onClose={onClose}
      title="Run this job again?"
      question={`${contentName(job)} runs as a new job. ${price}`}
      note="You won’t be charged again for results you already have."
      confirmLabel="Run Again"
      isDestructive={false}
      busy={isBusy}
      onConfirm={onRun}
    />
  )
}
