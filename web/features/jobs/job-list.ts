import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { keys } from '../../app/queries.ts'
import { toListQuery } from './job-filters.tsx'
import type { JobFilter } from './job-filters.tsx'

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
