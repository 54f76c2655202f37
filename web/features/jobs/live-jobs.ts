import { useQueryClient } from '@tanstack/react-query'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api as endpoints } from '../../../contract/api.ts'
import type { ListedJob, User } from '../../app/answers.ts'
import { jobIn, watchEvents } from '../../app/live-events.ts'
import { keys, refreshJobs, refreshMoney } from '../../app/queries.ts'
import { isInProgress } from './job-status.tsx'

interface JobPage {
  jobs: ListedJob[]
  next_cursor?: string | null
  in_progress?: number
}

/** How often a service without events is asked while a job is under way. */
export const pollMs = 5000

/** Keeps every cached list of jobs, and the balance, as they are on the server. */
export function useLiveJobs(isOn: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!isOn) return undefined
    let timer: ReturnType<typeof setInterval> | undefined
    let isFirst = true
    const stopWatching = watchEvents(
      endpoints.watchAccount,
      {},
      {
        onEvent: (live) => {
          if (live.event === 'balance') {
            // The first event repeats the balance that the page has usually just loaded.
            if (!isFirst || !isShown(queries, live.data)) refreshMoney(queries)
            isFirst = false
          }
          const job = jobIn(live)
          if (job) takeIn(queries, job)
        },
        onRefused: () => {
          timer = setInterval(() => askAgain(queries), pollMs)
        },
      },
    )
    return () => {
      stopWatching()
      clearInterval(timer)
    }
  }, [queries, isOn])
}

/** Whether the page has this balance already. */
function isShown(queries: QueryClient, data: unknown): boolean {
  const me = queries.getQueryData<User>(keys.me)
  const now = data as { account_balance_usd?: number; held_usd?: number } | null
  return (
    me?.account_balance_usd === now?.account_balance_usd && me?.balance?.held_usd === now?.held_usd
  )
}

function askAgain(queries: QueryClient): void {
  const recent = queries.getQueriesData<JobPage>({ queryKey: keys.recentJobs })
  const lists = queries.getQueriesData<InfiniteData<JobPage>>({ queryKey: keys.jobList })
  const pages = [...recent.map(([, page]) => page), ...lists.flatMap(([, list]) => list?.pages)]
  const isUnderWay = pages.some((page) => page?.jobs.some((job) => isInProgress(job.status)))
  if (!isUnderWay) return
  void refreshJobs(queries)
  refreshMoney(queries)
}

function takeIn(queries: QueryClient, job: ListedJob): void {
  queries.setQueryData([...keys.job, job.id], { job })
  let isInRecent = false
  queries.setQueriesData<JobPage>({ queryKey: keys.recentJobs }, (page) => {
    if (!page) return page
    const next = withJob(page, job)
    if (next !== page) isInRecent = true
    return next
  })
  if (!isInRecent) void queries.invalidateQueries({ queryKey: keys.recentJobs })
  let hasSameStatus = false
  queries.setQueriesData<InfiniteData<JobPage>>({ queryKey: keys.jobList }, (list) => {
    if (!list) return list
    const before = list.pages.flatMap((page) => page.jobs).find((item) => item.id === job.id)
    if (before?.status === job.status) hasSameStatus = true
    return { ...list, pages: list.pages.map((page) => withJob(page, job)) }
  })
  // A new job, or one that has just left a filter: which rows belong is the server's knowledge.
  if (!hasSameStatus) void queries.invalidateQueries({ queryKey: keys.jobList })
}

/** The same page when the job is not on it. */
function withJob(page: JobPage, job: ListedJob): JobPage {
  const before = page.jobs.find((item) => item.id === job.id)
  if (!before) return page
  const jobs = page.jobs.map((item) => (item.id === job.id ? job : item))
  const ended = Number(isInProgress(before.status)) - Number(isInProgress(job.status))
  return { ...page, jobs, in_progress: page.in_progress && page.in_progress - ended }
}
