import { X } from 'lucide-react'
import { Link } from 'react-router'
import type { ListedJob } from '../../app/answers.ts'
import { ago } from '../../app/format.ts'
import { IconButton } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { JobActions } from './job-actions.tsx'
import { useJobList } from './job-list.ts'
import { isAtWork, isInProgress, JobStatus } from './job-status.tsx'
import { Content, Cost } from './job-table.tsx'
import { wayOnOf } from './way-on.ts'

const anyJob = { status: '', extractor: '', q: '' } as const
const running = { ...anyJob, status: 'in-progress' }

export function ActivityDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Drawer title="Activity" side="right" open={open} onClose={onClose}>
      <header className="sticky top-0 z-2 flex h-12 shrink-0 items-center gap-3 border-b border-line bg-panel px-4">
        <p aria-hidden className="grow text-base font-semibold">
          Activity
        </p>
        <Link to="/jobs" onClick={onClose} className="text-brand-ink hover:underline">
          All jobs
        </Link>
        <IconButton label="Close" onClick={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      </header>
      <Groups />
    </Drawer>
  )
}

/** The first page of what is in progress, and of all jobs for what has ended. */
function Groups() {
  const lists = [useJobList(running), useJobList(anyJob)]
  const [current, latest] = lists.map(({ jobs }) => jobs)
  const waiting = (current ?? []).filter(({ status }) => status === 'queued')
  const ended = (latest ?? []).filter(({ status }) => !isInProgress(status))
  const failed = ended.filter(({ status }) => status === 'failed')
  const groups = [
    { name: 'Running', jobs: (current ?? []).filter(({ status }) => isAtWork(status)) },
    { name: 'Waiting', jobs: waiting },
    { name: 'Failed', jobs: failed },
    { name: 'Done', jobs: ended.filter((job) => !failed.includes(job)) },
  ].filter(({ jobs }) => jobs.length > 0)
  return (
    <>
      {groups.map(({ name, jobs }) => (
        <section key={name} aria-label={name}>
          <h3 className="px-4 pt-4 pb-1 text-sm font-semibold text-ink-2">
            {name} <span className="figures font-normal text-ink-3">{jobs.length}</span>
          </h3>
          <ul className="divide-y divide-line">
            {jobs.map((job) => (
              <Row key={job.id} job={job} />
            ))}
          </ul>
        </section>
      ))}
      {groups.length === 0 && (
        <div className="p-4">
          {lists.some(({ isError }) => isError) ? (
            <LoadFailure onRetry={() => lists.forEach((list) => void list.refetch())} />
          ) : lists.some(({ isPending }) => isPending) ? (
            <Skeleton className="h-40" />
          ) : (
            <EmptyState title="No jobs yet">
              A job runs the extractors you choose on one piece of footage.
            </EmptyState>
          )}
        </div>
      )}
    </>
  )
}

function Row({ job }: { job: ListedJob }) {
  return (
    <li className="relative px-4 py-2.5 hover:bg-hover">
      <Content job={job} />
      {job.status === 'failed' && <p className="text-xs text-ink-2">{wayOnOf(job)}</p>}
      <p className="figures text-xs text-ink-3">
        {ago(job.created_at)} · <Cost job={job} />
      </p>
      <div className="mt-1.5 flex min-h-7 items-center justify-between gap-3">
        <JobStatus job={job} />
        <JobActions job={job} isBrief />
      </div>
    </li>
  )
}
