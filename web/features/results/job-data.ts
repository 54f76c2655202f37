/** A job for its screen: live state, findings as they land, addresses of files. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api as endpoints } from '../../../contract/api.ts'
import { addressOf } from '../../../contract/endpoint.ts'
import type { ContentItem } from '../../../contract/footage/content.ts'
import type { HeardPart, Job } from '../../../contract/footage/jobs.ts'
import type { Project } from '../../../contract/footage/projects.ts'
import { api } from '../../app/api.ts'
import { currentApiAddress } from '../../app/api-address.ts'
import { jobIn, watchEvents } from '../../app/live-events.ts'
import type { LiveEvent } from '../../app/live-events.ts'
import { keys } from '../../app/queries.ts'

const ticketRefreshMs = 50 * 60_000
const checkMs = 2000

export function useJob(id: string | null) {
  const queries = useQueryClient()
  const job = useQuery({
    queryKey: [...keys.job, id],
    queryFn: ({ signal }) => api.getJob({ params: { id: id ?? '' } }, { signal }),
    enabled: id !== null,
  })
  const ended = job.data && isEnded(job.data.job)
  useEffect(() => {
    if (ended !== false || id === null) return undefined
    const onEvent = (live: LiveEvent) => {
      const next = jobIn(live)
      if (!next) return
      const before = queries.getQueryData<{ job: Job }>([...keys.job, id])?.job
      queries.setQueryData([...keys.job, id], { job: next })
      if (finished(before) !== finished(next)) {
        void queries.invalidateQueries({ queryKey: ['results', id] })
      }
      if (before?.parts_left !== next.parts_left) {
        void queries.invalidateQueries({ queryKey: ['transcript-so-far', id] })
      }
      if (!isEnded(next)) return
      for (const queryKey of [keys.me, keys.quote]) void queries.invalidateQueries({ queryKey })
    }
    return watchEvents(endpoints.watchJob, { params: { id } }, { onEvent })
  }, [ended, id, queries])
  return job
}

export function isEnded(job: Job): boolean {
  return job.status === 'completed' || job.status === 'failed' || job.status === 'canceled'
}

/** Which extractors have something to show, as a text that changes when they do. */
function finished(job: Job | undefined): string {
  const done = (job?.extractors ?? []).filter(
    ({ status }) => status === 'done' || status === 'reused',
  )
  return `${job?.status} ${done.map(({ id }) => id).join()}`
}

export function useResults(id: string | null) {
  return useQuery({
    queryKey: ['results', id],
    queryFn: ({ signal }) => api.getJobResults({ params: { id: id ?? '' }, query: {} }, { signal }),
    enabled: id !== null,
    staleTime: Infinity,
  })
}

/** Asks only for parts that are not here yet; each part is heard once and stays as it is. */
export function useTranscriptSoFar(id: string) {
  const queries = useQueryClient()
  const queryKey = ['transcript-so-far', id]
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<TranscriptSoFar> => {
      const known = queries.getQueryData<TranscriptSoFar>(queryKey)?.heard ?? []
      const gap = known.findIndex(({ part }, at) => part !== at)
      const from = gap < 0 ? known.length : gap
      const query = { from_part: from }
      const { parts, heard } = await api.getTranscriptSoFar({ params: { id }, query }, { signal })
      return { parts, heard: [...known.slice(0, from), ...heard] }
    },
    staleTime: Infinity,
  })
}

export interface TranscriptSoFar {
  parts: number
  heard: HeardPart[]
}

/** A clip, asked for again until its file or address was read. */
export function useClip(id: string) {
  return useQuery({
    queryKey: [...keys.content, 'clip', id],
    queryFn: ({ signal }) => api.getContent({ params: { id } }, { signal }),
    refetchInterval: ({ state }) => state.data?.content.check.state === 'checking' && checkMs,
    retry: false,
  })
}

/** The analyses of a clip, newest first. */
export function useHistory(contentId: string) {
  return useQuery({
    queryKey: [...keys.recentJobs, 'of', contentId],
    queryFn: ({ signal }) =>
      api.listJobs({ query: { content_id: contentId, limit: 20 } }, { signal }),
    retry: false,
  })
}

/** The project that the clip is in; null where it is in none, or the service has no projects. */
export function useProjectOf(clip: ContentItem | null): Project | null {
  const id = clip?.project_id ?? null
  const { data } = useQuery({
    queryKey: [...keys.projectOf, id],
    queryFn: ({ signal }) => api.getProject({ params: { id: id ?? '' } }, { signal }),
    enabled: id !== null,
    retry: false,
  })
  return data?.project ?? null
}

/** Makes addresses for this job's files that a picture, a video or a download can open. */
export function useFileAddress(id: string | null): (name: string) => string | undefined {
  const { data } = useQuery({
    queryKey: ['file-ticket', id],
    queryFn: () => api.createFileTicket({ params: { id: id ?? '' } }),
    enabled: id !== null,
    staleTime: ticketRefreshMs,
    refetchInterval: ticketRefreshMs,
  })
  return (name) =>
    data &&
    addressOf(currentApiAddress(), endpoints.getJobFile, {
      params: { id: id ?? '', name },
      query: { ticket: data.ticket },
    })
}
