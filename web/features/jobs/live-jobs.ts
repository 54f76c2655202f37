import { useQueryClient } from '@tanstack/react-query'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api as endpoints } from '../../../contract/api.ts'
import type { Job } from '../../../contract/jobs.ts'
import { jobIn, watchEvents } from '../../app/live-events.ts'

interface JobPage {
  jobs: Job[]
  next_cursor: string | null
}

/** Keeps every cached list of jobs, and the balance, as they are on the server. */
export function useLiveJobs(): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      watchEvents(endpoints.watchAccount, {}, (told) => {
        if (told.event === 'balance') {
          void queries.invalidateQueries({ queryKey: ['me'] })
          void queries.invalidateQueries({ queryKey: ['billing-stats'] })
          void queries.invalidateQueries({ queryKey: ['billing-history'] })
        }
        const job = jobIn(told)
        if (job) takeIn(queries, job)
      }),
    [queries],
  )
}

function takeIn(queries: QueryClient, job: Job): void {
  queries.setQueryData(['job', job.id], { job })
  let isInRecent = false
  queries.setQueriesData<JobPage>({ queryKey: ['jobs'] }, (page) => {
    if (!page) return page
    const next = withJob(page, job)
    if (next !== page) isInRecent = true
    return next
  })
  if (!isInRecent) void queries.invalidateQueries({ queryKey: ['jobs'] })
  let hasSameStatus = false
  queries.setQueriesData<InfiniteData<JobPage>>({ queryKey: ['job-list'] }, (list) => {
    if (!list) return list
    const before = list.pages.flatMap((page) => page.jobs).find((item) => item.id === job.id)
    if (before?.status === job.status) hasSameStatus = true
    return { ...list, pages: list.pages.map((page) => withJob(page, job)) }
  })
  // A new job, or one that has just left a filter: which rows belong is the server's knowledge.
  if (!hasSameStatus) void queries.invalidateQueries({ queryKey: ['job-list'] })
}

/** The same page when the job is not on it. */
function withJob(page: JobPage, job: Job): JobPage {
  if (!page.jobs.some((item) => item.id === job.id)) return page
  return { ...page, jobs: page.jobs.map((item) => (item.id === job.id ? job : item)) }
}
