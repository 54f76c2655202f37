/** The clips that match, page by page, and the calls that change them. */
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { InfiniteData } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { api as endpoints } from '../../../contract/api.ts'
import type { ContentFilter, ContentItem } from '../../../contract/content.ts'
import type { Job } from '../../../contract/jobs.ts'
import { api } from '../../app/api.ts'
import { jobIn, watchEvents } from '../../app/live-events.ts'

const pageSize = 200

interface Page {
  content: ContentItem[]
  next_cursor: string | null
  total: number
}

export function useClips(filter: ContentFilter) {
  const pages = useInfiniteQuery({
    queryKey: ['content', 'clips', filter],
    // This screen needs more than the specification's fields, and only our own server offers it.
    queryFn: async ({ signal, pageParam }) =>
      (await api.listContent(
        { query: { ...filter, limit: pageSize, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      )) as Page,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  })
  const clips = useMemo(() => pages.data?.pages.flatMap((page) => page.content) ?? [], [pages.data])
  return { ...pages, clips, total: pages.data?.pages[0]?.total ?? 0 }
}

/** Jobs report as they go: the marks of their clips follow without another request. */
export function useLiveClips(onBatch: (id: string) => void): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      watchEvents(
        endpoints.watchAccount,
        {},
        {
          onEvent: (live) => {
            const job = jobIn(live)
            if (job?.content_id) {
              queries.setQueriesData<InfiniteData<Page>>(
                { queryKey: ['content', 'clips'] },
                (data) =>
                  data ? { ...data, pages: data.pages.map((page) => withJob(page, job)) } : data,
              )
            }
            if (live.event === 'batch') onBatch((live.data as { id: string }).id)
          },
        },
      ),
    [queries, onBatch],
  )
}

function withJob(page: Page, job: Job): Page {
  if (!page.content.some((item) => item.id === job.content_id)) return page
  return {
    ...page,
    content: page.content.map((item) =>
      item.id === job.content_id ? { ...item, analysis: withStates(item.analysis, job) } : item,
    ),
  }
}

type Analysis = ContentItem['analysis']

/** A running extractor shows as running; a finished one replaces what was known of it. */
function withStates(before: Analysis, job: Job): Analysis {
  const states = new Map(before.map((state) => [state.extractor, state]))
  for (const extractor of job.extractors) {
    const known = states.get(extractor.id)
    const state = stateOf(extractor.status, job)
    if (!state || (known?.state === 'done' && state !== 'done')) continue
    states.set(extractor.id, {
      extractor: extractor.id,
      state,
      progress: extractor.progress,
      job_id: job.id,
      message: extractor.error?.message ?? null,
    })
  }
  return [...states.values()]
}

function stateOf(
  status: Job['extractors'][number]['status'],
  job: Job,
): Analysis[number]['state'] | null {
  if (job.finished_at === null && (status === 'waiting' || status === 'running')) return 'running'
  if (status === 'done' || status === 'reused') return job.status === 'failed' ? 'failed' : 'done'
  if (status === 'skipped') return job.status === 'canceled' ? null : 'skipped'
  return status === 'failed' ? 'failed' : null
}
