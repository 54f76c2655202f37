import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { listLengths } from '../../../domain/money/catalogue.ts'
import type { ListedJob } from '../../app/answers.ts'
import { api } from '../../app/api.ts'
import { keys } from '../../app/queries.ts'
import { toListQuery } from './job-filters.tsx'
import type { JobFilter } from './job-filters.tsx'
import { isInProgress } from './job-status.tsx'

const pageLength = 25

/** Jobs that pass the filter, newest first, one page after the other. */
export function useJobList(filter: JobFilter) {
  const pages = useInfiniteQuery({
    queryKey: [...keys.jobList, filter],
    queryFn: ({ signal, pageParam }) =>
      api.listJobs(
        {
          query: { limit: pageLength, cursor: pageParam ?? undefined, ...toListQuery(filter) },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
  return { ...pages, jobs: pages.data?.pages.flatMap((page) => page.jobs) ?? [] }
}

/** Empty where it could not be loaded; the dashboard tells of it once. */
export function useRecentJobs(refetchInterval?: number) {
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: [...keys.recentJobs, listLengths.dashboardJobs],
    queryFn: ({ signal }) =>
      api.listJobs({ query: { limit: listLengths.dashboardJobs } }, { signal }),
    refetchInterval: ({ state }) => (inProgressOf(state.data) ? refetchInterval : false),
  })
  return {
    jobs: data?.jobs ?? [],
    inProgress: inProgressOf(data),
    isPending,
    isError: isError && !data,
    retry: () => void refetch(),
  }
}

/** Counts all jobs if the service does, otherwise those that are loaded. */
function inProgressOf(page?: {
  jobs: readonly ListedJob[]
  in_progress?: number
}): number | undefined {
  return page?.in_progress ?? page?.jobs.filter((job) => isInProgress(job.status)).length
}
