import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { shownIdLength } from '../../../contract/catalogue.ts'
import { formatUsd, fromUsdNumber } from '../../../contract/money.ts'
import { api } from '../../api.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table.tsx'
import { JobStatusBadge } from './job-status.tsx'

const pageSize = 50

/** The latest jobs, newest first. */
export function JobTable() {
  const { data, isPending } = useQuery({
    queryKey: ['jobs', pageSize],
    queryFn: ({ signal }) => api.listJobs({ query: { limit: pageSize } }, { signal }),
  })
  if (isPending) return <Skeleton className="h-32" />
  if (!data?.jobs.length) {
    return <EmptyState title="No jobs yet">Create one from the dashboard.</EmptyState>
  }
  return (
    <Table
      caption="Jobs"
      rows={data.jobs}
      rowKey={(job) => job.id}
      columns={[
        {
          id: 'id',
          label: 'Job',
          cell: (job) => (
            <Link to={`/jobs/${job.id}`} className="timecode text-brand-ink hover:underline">
              {job.id.slice(0, shownIdLength)}
            </Link>
          ),
        },
        { id: 'content', label: 'Content', cell: (job) => job.content_name },
        { id: 'status', label: 'Status', cell: (job) => <JobStatusBadge status={job.status} /> },
        {
          id: 'created',
          label: 'Created',
          cell: (job) => new Date(job.created_at).toLocaleString(),
        },
        {
          id: 'cost',
          label: 'Cost',
          figures: true,
          cell: (job) => formatUsd(fromUsdNumber(job.cost_usd)),
        },
      ]}
    />
  )
}
