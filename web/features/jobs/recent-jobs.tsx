import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { shownIdLength } from '../../../domain/money/catalogue.ts'
import type { ListedJob } from '../../app/answers.ts'
import { contentName, usd } from '../../app/format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel, PanelAction } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { openActivity } from './activity.tsx'
import { useRecentJobs } from './job-list.ts'
import { isInProgress, JobStatus, workflowText } from './job-status.tsx'

/** The latest five jobs with their live progress. */
export function RecentJobs({ pictureOf }: { pictureOf: (job: ListedJob) => ReactNode }) {
  const { jobs, isPending, isError, retry } = useRecentJobs()
  return (
    <Panel title="Recent Jobs" actions={<PanelAction onClick={openActivity}>Activity</PanelAction>}>
      {isPending ? (
        <Skeleton className="h-24" />
      ) : isError ? (
        <LoadFailure onRetry={retry} />
      ) : jobs.length === 0 ? (
        <EmptyState title="No jobs yet">
          A job runs the extractors you choose on one piece of footage.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} picture={pictureOf(job)} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function JobRow({ job, picture }: { job: ListedJob; picture: ReactNode }) {
  const costUsd = isInProgress(job.status) ? job.held_usd : job.cost_usd
  const facts = [costUsd !== undefined && usd(costUsd), workflowText(job.workflow)]
  return (
    <li className="relative -mx-2 flex items-center gap-3 px-2 py-1.5 first:-mt-1.5 last:-mb-1.5 hover:bg-hover">
      <span className="h-9 w-16 shrink-0 overflow-hidden rounded-sm bg-surround">{picture}</span>
      <div className="min-w-0 grow">
        <p className="truncate font-medium" title={contentName(job)}>
          {contentName(job)}
        </p>
        <p className="truncate text-xs text-ink-2">
          <Link to={`/jobs/${job.id}`} className="row-link timecode">
            {job.id.slice(0, shownIdLength)}
          </Link>{' '}
          · {facts.filter(Boolean).join(' · ')}
        </p>
      </div>
      <div className="shrink-0 text-right">
        <JobStatus job={job} />
      </div>
    </li>
  )
}
