/** The clips that match, page by page, and the calls that change them. */
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { api as endpoints } from '../../../contract/api.ts'
import type { ContentFilter, ContentItem } from '../../../contract/footage/content.ts'
import type { Job } from '../../../contract/footage/jobs.ts'
import { api } from '../../app/api.ts'
import { jobIn, watchEvents } from '../../app/live-events.ts'
import { keys } from '../../app/queries.ts'

const pageSize = 100
const clipsKey = [...keys.content, 'clips']

interface Page {
  content: ContentItem[]
  next_cursor: string | null
  total: number
}

export function useClips(filter: ContentFilter) {
  const pages = useInfiniteQuery({
    queryKey: [...clipsKey, filter],
    queryFn: async ({ signal, pageParam }) =>
      pageOf(
        await api.listContent(
          { query: { ...filter, limit: pageSize, ...(pageParam ? { cursor: pageParam } : {}) } },
          { signal },
        ),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    // Comparing ten thousand items field by field takes longer than drawing those in view.
    structuralSharing: false,
  })
  const clips = useMemo(() => pages.data?.pages.flatMap((page) => page.content) ?? [], [pages.data])
  return { ...pages, clips, total: pages.data?.pages[0]?.total ?? 0 }
}

/** A server that knows the specification's fields only has nothing to say about the others. */
function pageOf(answer: Awaited<ReturnType<typeof api.listContent>>): Page {
  const { content, next_cursor: cursor, total } = answer as Partial<Page>
  return {
    content: (content ?? []).map((item) => ({ ...unknown, ...item })),
    next_cursor: cursor ?? null,
    total: total ?? content?.length ?? 0,
  }
}

const unknown = {
  media: null,
  mime_type: null,
  check: { state: 'ready', message: null },
  project_id: null,
  bin_id: null,
  rating: 0,
  keywords: [],
  analysis: [],
  thumbnail_url: null,
} as const

/** Shows a change of one clip at once, in every list that has it. */
export function patchClip(queries: QueryClient, id: string, part: Partial<ContentItem>): void {
  changeClips(queries, new Set([id]), (clip) => ({ ...clip, ...part }))
}

/**
 * Changes these clips in every list, or takes them out of one where `change` returns null. With ten
 * thousand clips loaded, asking again would be fifty requests.
 */
export function changeClips(
  queries: QueryClient,
  ids: ReadonlySet<string>,
  change: (clip: ContentItem, filter: ContentFilter) => ContentItem | null,
): void {
  for (const [key] of queries.getQueriesData<InfiniteData<Page>>({ queryKey: clipsKey })) {
    const filter = key[2] as ContentFilter
    queries.setQueryData<InfiniteData<Page>>(key, (data) => data && withChanges(data, filter))
  }

  function withChanges(data: InfiniteData<Page>, filter: ContentFilter): InfiniteData<Page> {
    let removed = 0
    const pages = data.pages.map((page) => {
      if (!page.content.some((clip) => ids.has(clip.id))) return page
      const content = page.content.flatMap((clip) =>
        ids.has(clip.id) ? (change(clip, filter) ?? []) : [clip],
      )
      removed += page.content.length - content.length
      return { ...page, content }
    })
    return {
      ...data,
      pages: pages.map((page) => ({ ...page, total: Math.max(0, page.total - removed) })),
    }
  }
}

/**
 * Puts a clip that has just arrived at the head of the lists that begin with the newest; the others
 * load again. With ten thousand clips, fifty pages need not be asked for again for each file.
 */
export function addClip(queries: QueryClient, clip: ContentItem): void {
  for (const [key] of queries.getQueriesData<InfiniteData<Page>>({ queryKey: clipsKey })) {
    const { project_id: projectId, bin_id: binId, ...rest } = key[2] as ContentFilter
    // Whether a bin is below the one that is shown, the list knows.
    const isPlain = Object.keys(rest).length === 0 && (!binId || binId === clip.bin_id)
    const isHere = !projectId || projectId === (clip.project_id ?? 'none')
    if (!isPlain) void queries.invalidateQueries({ queryKey: key, exact: true })
    else if (isHere) {
      queries.setQueryData<InfiniteData<Page>>(key, (data) => data && withFirst(data, clip))
    }
  }
}

function withFirst(data: InfiniteData<Page>, clip: ContentItem): InfiniteData<Page> {
  const [first, ...rest] = data.pages
  const isKnown = data.pages.some((page) => page.content.some((item) => item.id === clip.id))
  if (!first || isKnown) return data
  const grown = { ...first, content: [clip, ...first.content], total: first.total + 1 }
  return { ...data, pages: [grown, ...rest] }
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
              queries.setQueriesData<InfiniteData<Page>>({ queryKey: clipsKey }, (data) =>
                data ? { ...data, pages: data.pages.map((page) => withJob(page, job)) } : data,
              )
              if (job.finished_at !== null) void recount(queries, job.content_id)
            }
            if (live.event === 'batch') onBatch((live.data as { id: string }).id)
          },
        },
      ),
    [queries, onBatch],
  )
}

/** Reads how much an ended job has found. */
async function recount(queries: QueryClient, id: string): Promise<void> {
  const answer = await api.getContent({ params: { id } }).catch(() => null)
  if (answer) patchClip(queries, id, { analysis: answer.content.analysis })
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
      count: known?.count ?? null,
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
