import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api as endpoints } from '../../../contract/api.ts'
import { Job } from '../../../contract/jobs.ts'
import { watchEvents } from '../../live-events.ts'

interface JobList {
  jobs: Job[]
  next_cursor: string | null
}

/** Keeps every cached list of jobs, and the balance, as they are on the server. */
export function useLiveJobs(): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      watchEvents(endpoints.watchAccount, {}, ({ event, data }) => {
        if (event === 'balance') {
          void queries.invalidateQueries({ queryKey: ['me'] })
          void queries.invalidateQueries({ queryKey: ['billing-stats'] })
          void queries.invalidateQueries({ queryKey: ['billing-history'] })
        }
        if (event !== 'job') return
        const parsed = Job.safeParse((data as { job?: unknown }).job ?? data)
        if (!parsed.success) return
        const job = parsed.data
        queries.setQueryData(['job', job.id], { job })
        let isKnown = false
        queries.setQueriesData<JobList>({ queryKey: ['jobs'] }, (list) => {
          if (!list?.jobs.some((item) => item.id === job.id)) return list
          isKnown = true
          return { ...list, jobs: list.jobs.map((item) => (item.id === job.id ? job : item)) }
        })
        if (!isKnown) void queries.invalidateQueries({ queryKey: ['jobs'] })
      }),
    [queries],
  )
}
