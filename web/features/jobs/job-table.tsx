import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { extractors, shownIdLength } from '../../../contract/catalogue.ts'
import type { Job } from '../../../contract/jobs.ts'
import { ago, dateTime, usd } from '../../figures.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'
import { JobActions } from './job-actions.tsx'
import { JobFilters, useJobFilter } from './job-filters.tsx'
import { useJobList } from './job-list.ts'
import { isInProgress, JobStatusBadge } from './job-status.tsx'
import { useLiveJobs } from './live-jobs.ts'

/** Every job of the account, live, with the filter of the address. */
export function JobTable({ emptyAction }: { emptyAction?: ReactNode }) {
  useLiveJobs()
  const { filter, isFiltered, clear } = useJobFilter()
  const list = useJobList(filter)
  const isEmpty = list.isSuccess && list.jobs.length === 0
  return (
    <>
      {!(isEmpty && !isFiltered) && <JobFilters />}
      {list.isPending && <Waiting />}
      {list.isError && (
        <EmptyState
          title="The jobs could not be loaded"
          action={<Button onClick={() => void list.refetch()}>Try again</Button>}
        >
          Check your connection. Nothing was lost.
        </EmptyState>
      )}
      {isEmpty &&
        (isFiltered ? (
          <EmptyState
            title="No job passes this filter"
            action={<Button onClick={clear}>Clear the filter</Button>}
          />
        ) : (
          <EmptyState title="No jobs yet" action={emptyAction}>
            A job runs the extractors you choose on one piece of footage.
          </EmptyState>
        ))}
      {list.jobs.length > 0 && (
        <Table caption="All jobs" rows={list.jobs} rowKey={(job) => job.id} columns={columns} />
      )}
      {list.hasNextPage && (
        <Button
          look="quiet"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
          className="mt-3 w-full"
        >
          Load more
        </Button>
      )}
    </>
  )
}

const columns: readonly Column<Job>[] = [
  {
    id: 'job',
    label: 'Job',
    cell: (job) => (
      <Link to={`/jobs/${job.id}`} className="timecode text-brand-ink hover:underline">
        {job.id.slice(0, shownIdLength)}
      </Link>
    ),
  },
  {
    id: 'content',
    label: 'Content',
    cell: (job) => (
      <div className="max-w-110 min-w-40">
        <Link
          to={`/jobs/${job.id}`}
          title={job.content_name}
          className="block truncate font-medium hover:underline"
        >
          {job.content_name}
        </Link>
        <span className="block truncate text-xs text-ink-3">{namesOf(job.workflow)}</span>
        {job.status === 'failed' && job.error && (
          <span className="block text-xs text-bad">{job.error.message}</span>
        )}
      </div>
    ),
  },
  {
    id: 'status',
    label: 'Status',
    cell: (job) => (
      <div className="min-w-28">
        <JobStatusBadge status={job.status} isPartial={job.partial} />
        {isInProgress(job.status) && (
          <div className="mt-1.5 flex items-center gap-2">
            <Progress label={`Progress of ${job.content_name}`} value={job.progress} />
            <span className="figures text-xs text-ink-3">{Math.round(job.progress * 100)}%</span>
          </div>
        )}
      </div>
    ),
  },
  {
    id: 'created',
    label: 'Created',
    cell: (job) => (
      <time
        dateTime={job.created_at}
        title={dateTime(job.created_at)}
        className="whitespace-nowrap text-ink-2"
      >
        {ago(job.created_at)}
      </time>
    ),
  },
  {
    id: 'cost',
    label: 'Cost',
    figures: true,
    cell: (job) =>
      isInProgress(job.status) ? (
        <span className="text-ink-3">at most {usd(job.held_usd)}</span>
      ) : (
        usd(job.cost_usd)
      ),
  },
  { id: 'actions', label: 'Actions', figures: true, cell: (job) => <JobActions job={job} /> },
]

function namesOf(workflow: string): string {
  return workflow
    .split(',')
    .map((id) => extractors.find((item) => item.id === id)?.name ?? id)
    .join(', ')
}

function Waiting() {
  return (
    <div role="status" aria-label="Loading the jobs" className="flex flex-col gap-2">
      <Skeleton className="h-8" />
      <Skeleton className="h-8" />
      <Skeleton className="h-8" />
    </div>
  )
}
