import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { shownIdLength } from '../../../domain/money/catalogue.ts'
import type { ListedJob } from '../../app/answers.ts'
import { ago, contentName, dateTime, usd } from '../../app/format.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useNarrow } from '../../dom/narrow.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'
import { JobActions } from './job-actions.tsx'
import { JobFilters, useJobFilter } from './job-filters.tsx'
import { useJobList } from './job-list.ts'
import { isInProgress, JobStatus, workflowText } from './job-status.tsx'

/** Every job of the account, live, with the filter of the address. */
export function JobTable({ emptyAction }: { emptyAction?: ReactNode }) {
  const { filter, isFiltered, clear } = useJobFilter()
  const list = useJobList(filter)
  const isEmpty = list.isSuccess && list.jobs.length === 0
  return (
    <>
      {!(isEmpty && !isFiltered) && <JobFilters />}
      {list.isPending && <Waiting />}
      {list.isError && (
        <EmptyState
          title="Couldn’t load your jobs"
          action={<Button onClick={() => void list.refetch()}>Try again</Button>}
        >
          Check your connection. Nothing was lost.
        </EmptyState>
      )}
      {isEmpty &&
        (isFiltered ? (
          <EmptyState
            title="No jobs match these filters"
            action={<Button onClick={clear}>Clear the filter</Button>}
          />
        ) : (
          <EmptyState title="No jobs yet" action={emptyAction}>
            A job runs the extractors you choose on one piece of footage.
          </EmptyState>
        ))}
      {list.jobs.length > 0 && <Jobs jobs={list.jobs} />}
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

function Jobs({ jobs }: { jobs: readonly ListedJob[] }) {
  if (!useNarrow()) {
    return (
      <Table caption="All jobs" rows={jobs} rowKey={(job) => job.id} columns={columns} isLinked />
    )
  }
  return (
    <ul aria-label="All jobs" className="flex flex-col gap-2">
      {jobs.map((job) => (
        <Card key={job.id} job={job} />
      ))}
    </ul>
  )
}

/** A job where a table would not fit. */
function Card({ job }: { job: ListedJob }) {
  return (
    <li className="relative rounded-lg border border-line bg-raised p-3">
      <Content job={job} />
      <div className="mt-2">
        <JobStatus job={job} />
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-x-3 text-ink-2">
        <span className="timecode">{job.id.slice(0, shownIdLength)}</span>
        <span className="whitespace-nowrap">{ago(job.created_at)}</span>
        <span className="figures grow">
          <Cost job={job} />
        </span>
        <JobActions job={job} />
      </div>
    </li>
  )
}

/** The footage and the extractors of a job, and why it failed. */
export function Content({ job }: { job: ListedJob }) {
  return (
    <>
      <Link
        to={`/jobs/${job.id}`}
        title={contentName(job)}
        className="row-link block truncate font-medium hover:underline"
      >
        {contentName(job)}
      </Link>
      <span className="block truncate text-xs text-ink-3">{workflowText(job.workflow)}</span>
      {job.status === 'failed' && job.error && (
        <span className="block text-xs text-bad">{job.error.message}</span>
      )}
    </>
  )
}

export function Cost({ job }: { job: ListedJob }) {
  if (!isInProgress(job.status)) return job.cost_usd === undefined ? '–' : usd(job.cost_usd)
  if (job.held_usd === undefined) return '–'
  return <span className="text-ink-3">at most {usd(job.held_usd)}</span>
}

const columns: readonly Column<ListedJob>[] = [
  {
    id: 'job',
    label: 'Job',
    cell: (job) => (
      <Link to={`/jobs/${job.id}`} className="timecode relative z-1 text-brand-ink hover:underline">
        {job.id.slice(0, shownIdLength)}
      </Link>
    ),
  },
  {
    id: 'content',
    label: 'Content',
    cell: (job) => (
      <div className="max-w-110 min-w-40">
        <Content job={job} />
      </div>
    ),
  },
  {
    id: 'status',
    label: 'Status',
    cell: (job) => <JobStatus job={job} />,
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
    cell: (job) => <Cost job={job} />,
  },
  { id: 'actions', label: 'Actions', figures: true, cell: (job) => <JobActions job={job} /> },
]

function Waiting() {
  return (
    <div role="status" aria-label="Loading the jobs" className="flex flex-col gap-2">
      <Skeleton className="h-8" />
      <Skeleton className="h-8" />
      <Skeleton className="h-8" />
    </div>
  )
}
