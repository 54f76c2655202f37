import { useMutation } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { Navigate, useNavigate, useParams, useSearchParams } from 'react-router'
import { shownIdLength } from '../../domain/money/catalogue.ts'
import { correctFindings } from '../../domain/findings/correct.ts'
import type { Findings, Media } from '../../domain/findings/findings.ts'
import type { ContentItem } from '../../contract/footage/content.ts'
import type { Job as JobEntity } from '../../contract/footage/jobs.ts'
import type { Comment } from '../../contract/footage/shares.ts'
import { api } from '../app/api.ts'
import { isMissingCall } from '../app/failures.ts'
import { currentApiAddress } from '../app/api-address.ts'
import type { AddedClip } from '../features/cuts/added-clips.tsx'
import { useRecentJobs } from '../features/jobs/job-list.ts'
import { useCorrections } from '../features/results/corrections/save-corrections.ts'
import { ClipHeader } from '../features/results/clip-header.tsx'
import { jobExport } from '../features/results/export-subject.ts'
import { useFinding } from '../features/results/find/use-finding.ts'
import { showWhatToFind, WhatToFind } from '../features/results/find/what-to-find.tsx'
import {
  isEnded,
  useClip,
  useHistory,
  useJob,
  useProjectOf,
  useResults,
} from '../features/results/job-data.ts'
import { Filmstrip, useClipsBeside } from '../features/library/filmstrip.tsx'
import { useReview } from '../features/results/review/review-state.ts'
import type { PageParts, WorkbenchInput } from '../features/results/workbench-context.ts'
import { Workbench } from '../features/results/workbench.tsx'
import { contentName, jobState } from '../app/format.ts'
import { part } from '../app/later.tsx'
import { saveFirst } from '../saved/save-first.ts'
import { ButtonLink } from '../ui/button.tsx'
import { useBuyCredits } from './buy-credits.tsx'
import type { BuyCredits } from './buy-credits.tsx'
import { EndedJob } from './clip/ended-job.tsx'
import { commentListOf, useReviewComments } from './clip/review-comments.tsx'
import { useNewsOfEnd, useStateInTitle } from './clip/state-in-title.ts'
import { WithoutFindings } from './clip/without-findings.tsx'
import { Absent, Loading, MessagePage } from './message-page.tsx'

const AddToCutDialog = part(() => import('../features/cuts/add-to-cut.tsx'), 'AddToCutDialog')
const ApiDialog = part(() => import('../features/results/api-dialog.tsx'), 'ApiDialog')
const ExportDialog = part(() => import('../features/export/export-dialog.tsx'), 'ExportDialog')
const RerunQuestion = part(() => import('../features/jobs/rerun-question.tsx'), 'RerunQuestion')
const ShareDialog = part(() => import('../features/cuts/share/share-dialog.tsx'), 'ShareDialog')

/** /library/:id, where editors live: plays, analyses and reviews one clip. */
export function Clip() {
  const { id = '' } = useParams()
  const [search] = useSearchParams()
  const clip = useClip(id)
  const history = useHistory(id)
  const jobId = search.get('job') ?? history.data?.jobs[0]?.id ?? null
  const job = useJob(jobId)
  const error = clip.error ?? history.error ?? job.error
  const shown = job.data?.job ?? null
  if (!clip.data || !history.data || (jobId !== null && !shown)) {
    const refetch = () => Promise.all([clip, history, job].map((query) => query.refetch()))
    return (
      <Absent noun="clip" error={error} onRetry={refetch}>
        <Missing noun={job.error ? 'job' : 'clip'} />
      </Absent>
    )
  }
  if (shown && shown.content_id !== id) return <Missing noun="job" />
  return <Loaded key={`${id} ${search.get('frame')}`} clip={clip.data.content} job={shown} />
}

/** /jobs/:id opens its clip at that job; where the clip is gone, the job alone. */
export function Job() {
  const { id = '' } = useParams()
  const [search] = useSearchParams()
  const { data, error, refetch } = useJob(id)
  if (data?.job.content_id) {
    return <Navigate replace to={clipPath(data.job.content_id, id, search.get('frame'))} />
  }
  if (data) return <Loaded key={id} clip={null} job={data.job} />
  return (
    <Absent noun="job" error={error} onRetry={refetch}>
      {isMissingCall(error) ? <Listed id={id} /> : <Missing noun="job" />}
    </Absent>
  )
}

function clipPath(contentId: string, jobId: string, frame: string | null): string {
  return `/library/${contentId}?job=${jobId}${frame === null ? '' : `&frame=${frame}`}`
}

const nothing: Partial<Findings> = {}

type Open = 'api' | 'export' | 'rerun' | 'share'

function Loaded({ clip, job }: { clip: ContentItem | null; job: JobEntity | null }) {
  const [search] = useSearchParams()
  const [startAt] = useState(() => Number(search.get('frame') ?? 0) || 0)
  const [open, setOpen] = useState<Open | null>(null)
  const [added, setAdded] = useState<readonly AddedClip[]>([])
  const retry = useRetry(job)
  const buyCredits = useBuyCredits()
  const name = job?.content_name ?? clip?.file_name ?? ''
  useStateInTitle(job, name)
  const news = useNewsOfEnd(job)
  const { results, hasFindings, comments, ...review } = useReviewedClip(clip, job)
  const { detected, media } = review
  const onRetry = () => setOpen('rerun')
  const page = usePageParts({ ...review, clip, job, buyCredits, onRetry })
  return (
    <div className="flex min-h-0 grow flex-col min-[900px]:h-[calc(100dvh-49px)] min-[900px]:min-h-160">
      <ClipHeader
        name={name}
        job={job}
        project={review.project}
        media={media}
        detected={detected}
        canExport={hasFindings}
        canShare={job?.status === 'completed' && hasFindings && isPlayed(media)}
        onOpen={setOpen}
      />
      <p role="status" className="sr-only">
        {news}
      </p>
      {job && isEnded(job) && job.status !== 'completed' && <EndedJob job={job} retry={retry} />}
      {media && (hasFindings || clip) && !results.isError ? (
        <Workbench
          {...review}
          job={job}
          isLoading={job !== null && !results.isSuccess}
          clip={clip}
          page={page}
          media={media}
          startAt={startAt}
          comments={comments.filter((comment) => comment.reply_to === null)}
          commentList={commentListOf(comments)}
          onExport={() => hasFindings && setOpen('export')}
          {...(clip ? { onAddToCut: (clips) => setAdded(clipsOf(clip.id, clips)) } : {})}
        />
      ) : (
        <WithoutFindings clip={clip} job={job} results={results} rail={page.rail} />
      )}
      {page.strip}
      <Suspense fallback={null}>
        {open && job && (
          <JobDialog
            job={job}
            open={open}
            retry={retry}
            review={{ ...review, comments }}
            onClose={() => setOpen(null)}
          />
        )}
        {added.length > 0 && <AddToCutDialog clips={added} onClose={() => setAdded([])} />}
      </Suspense>
      {buyCredits.dialogs}
    </div>
  )
}

/** Loads the findings of a job of the clip, or of none, and what a person made of them. */
function useReviewedClip(clip: ContentItem | null, job: JobEntity | null) {
  const results = useResults(job?.id ?? null)
  const state = useReview(job?.id ?? null, clip?.id ?? '')
  const detected = results.data?.results ?? nothing
  const hasFindings = Object.keys(detected).some((key) => key !== 'media')
  const corrections = useCorrections(job?.id ?? '', hasFindings)
  const { findings, unmatched } = useMemo(
    () => correctFindings(detected, corrections.corrections),
    [detected, corrections.corrections],
  )
  const media = detected.media ?? job?.media ?? clip?.media ?? null
  const project = useProjectOf(clip)
  const comments = useReviewComments(job?.id ?? null, findings)
  return {
    results,
    hasFindings,
    media,
    detected,
    findings,
    unmatched,
    state,
    corrections,
    project,
    comments,
  }
}

/** The rail of the clip, and the keys that work it. */
function usePageParts({
  clip,
  job,
  findings,
  state,
  buyCredits,
  onRetry,
}: {
  clip: ContentItem | null
  job: JobEntity | null
  findings: Partial<Findings>
  state: WorkbenchInput['state']
  buyCredits: BuyCredits
  onRetry: () => void
}): PageParts & { strip: ReactNode } {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const finding = useFinding({
    clip,
    job,
    findings,
    beforePlaced: () => saveFirst('Not analysed', state),
    onPlaced: (id) =>
      void navigate(clipPath(clip?.id ?? '', id, search.get('frame')), { replace: true }),
  })
  const beside = useClipsBeside(clip)
  return {
    strip: <Filmstrip {...beside} />,
    rail: <WhatToFind finding={finding} onRetry={onRetry} onBuyCredits={buyCredits.viewAll} />,
    keys: [
      { keys: ['w'], label: 'What to find', run: showWhatToFind },
      { keys: ['Ctrl+Enter'], label: 'Analyse', run: finding.analyse },
      ...beside.shortcuts,
    ],
  }
}

type AddedToCut = Parameters<NonNullable<WorkbenchInput['onAddToCut']>>[0]

function clipsOf(content_id: string, clips: AddedToCut): AddedClip[] {
  return clips.map(({ range, ...named }) => ({ range: { ...range, content_id }, ...named }))
}

function JobDialog({
  job,
  open,
  retry,
  review,
  onClose,
}: {
  job: JobEntity
  open: Open
  retry: ReturnType<typeof useRetry>
  review: Pick<WorkbenchInput, 'state' | 'corrections' | 'findings'> & {
    comments: readonly Comment[]
    project: ReturnType<typeof useProjectOf>
  }
  onClose: () => void
}) {
  const { state, corrections } = review
  switch (open) {
    case 'api':
      return (
        <ApiDialog jobId={job.id} base={currentApiAddress() || location.origin} onClose={onClose} />
      )
    case 'rerun':
      return (
        <RerunQuestion
          job={job}
          isBusy={retry.isPending}
          onRun={() => retry.mutate()}
          onClose={onClose}
        />
      )
    case 'export':
      return <ExportDialog subject={jobExport({ job, ...review })} onClose={onClose} />
    case 'share':
      return (
        <ShareDialog
          thing={{ job_id: job.id }}
          name={job.content_name}
          beforeShare={() => saveFirst('No link made', state, corrections)}
          onClose={onClose}
        />
      )
  }
}

function isPlayed(media: Media | null | undefined): boolean {
  return media?.kind === 'video' || media?.kind === 'audio'
}

function useRetry(job: JobEntity | null) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => api.retryJob({ params: { id: job?.id ?? '' } }),
    onSuccess: ({ job: { id, content_id } }) =>
      navigate(content_id ? clipPath(content_id, id, null) : `/jobs/${id}`),
    meta: { failure: { fallback: 'Failed to create job' } },
  })
}

/** A service without our call for one job still lists it: shows what the list says. */
function Listed({ id }: { id: string }) {
  const { jobs, isPending } = useRecentJobs()
  const job = jobs.find((item) => item.id === id)
  if (isPending) return <Loading noun="job" />
  if (!job) return <Missing noun="job" />
  return (
    <MessagePage
      label="Job"
      title={contentName(job)}
      actions={<ButtonLink to="/jobs">All jobs</ButtonLink>}
    >
      <p>
        Job <span className="timecode">{job.id.slice(0, shownIdLength)}</span>:{' '}
        {jobState(job.status)}. This server does not show findings.
      </p>
    </MessagePage>
  )
}

function Missing({ noun }: { noun: 'clip' | 'job' }) {
  return (
    <MessagePage
      label={noun === 'job' ? 'Job' : 'Clip'}
      title={`This ${noun} was not found`}
      actions={
        <ButtonLink to={noun === 'job' ? '/jobs' : '/library'}>
          {noun === 'job' ? 'All jobs' : 'Library'}
        </ButtonLink>
      }
    >
      <p>It was deleted, or it belongs to another account.</p>
    </MessagePage>
  )
}
