import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { listLengths, shownIdLength } from '../../../domain/money/catalogue.ts'
import { api } from '../../app/api.ts'
import type { ListedJob } from '../../app/answers.ts'
import { ago, contentName, usd } from '../../app/format.ts'
import { keys } from '../../app/queries.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel, PanelLink } from '../../ui/panel.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { isAtWork, isInProgress, JobStatusBadge } from './job-status.tsx'
import { useLiveJobs } from './live-jobs.ts'

/** The latest five jobs with their live progress. */
export function RecentJobs({ emptyAction }: { emptyAction?: ReactNode }) {
  useLiveJobs()
  const { jobs, isPending, isError, retry } = useRecentJobs()
  return (
    <Panel title="Recent Jobs" actions={<PanelLink to="/jobs">All jobs</PanelLink>}>
      {isPending ? (
        <Skeleton className="h-24" />
      ) : isError ? (
        <LoadFailure onRetry={retry} />
      ) : jobs.length === 0 ? (
        <EmptyState title="No jobs yet" action={emptyAction}>
          A job runs the extractors you choose on one piece of footage.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** Empty where it could not be loaded; the dashboard tells of it once. */
export function useRecentJobs() {
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: [...keys.recentJobs, listLengths.dashboardJobs],
    queryFn: ({ signal }) =>
      api.listJobs({ query: { limit: listLengths.dashboardJobs } }, { signal }),
  })
  return {
    jobs: data?.jobs ?? [],
    /** Of all jobs, where the service counts them. */
    inProgress: data?.in_progress ?? data?.jobs.filter((job) => isInProgress(job.status)).length,
    isPending,
    isError: isError && !data,
    retry: () => void refetch(),
  }
}

function JobRow({ job }: { job: ListedJob }) {
  const costUsd = isInProgress(job.status) ? job.held_usd : job.cost_usd
  return (
    <li className="relative -mx-2 px-2 py-2 hover:bg-hover">
      <div className="flex items-center gap-3">
        <Link to={`/jobs/${job.id}`} className="row-link timecode text-brand-ink hover:underline">
          {job.id.slice(0, shownIdLength)}
        </Link>
        <span className="min-w-0 grow truncate" title={contentName(job)}>
          {contentName(job)}
        </span>
        <span className="hidden text-xs text-ink-3 sm:inline">{ago(job.created_at)}</span>
        {costUsd !== undefined && <span className="timecode text-ink-2">{usd(costUsd)}</span>}
        <JobStatusBadge status={job.status} />
      </div>
      {isAtWork(job.status) && job.progress !== undefined && (
        <div className="mt-1.5">
          <Progress label={`Progress of ${contentName(job)}`} value={job.progress} />
        </div>
      )}
    </li>
  )
}
