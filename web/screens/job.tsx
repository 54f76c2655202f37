import { useMutation } from '@tanstack/react-query'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { shownIdLength } from '../../domain/money/catalogue.ts'
import { correctFindings } from '../../domain/findings/correct.ts'
import type { Findings, Media } from '../../domain/findings/findings.ts'
import type { Job as JobEntity } from '../../contract/footage/jobs.ts'
import { reviewFrames } from '../../domain/cuts/review-cut.ts'
import type { Comment } from '../../contract/footage/shares.ts'
import { knownFrameTimes } from '../../domain/time/source-times.ts'
import { api } from '../app/api.ts'
import { isMissingCall } from '../app/failures.ts'
import { currentApiAddress } from '../app/api-address.ts'
import type { AddedClip } from '../features/cuts/added-clips.tsx'
import { useCommentsOf } from '../features/cuts/share/comments-of.ts'
import { useRecentJobs } from '../features/jobs/recent-jobs.tsx'
import { jobExport } from '../features/results/export-subject.ts'
import { useCorrections } from '../features/results/corrections/save-corrections.ts'
import { isEnded, useJob, useProjectOf, useResults } from '../features/results/job-data.ts'
import { JobHeader } from '../features/results/job-header.tsx'
import { JobProgress, Shortfalls } from '../features/results/job-progress.tsx'
import { useReview } from '../features/results/review/review-state.ts'
import { showStateInIcon } from '../features/results/state-icon.ts'
import { isHeardInParts, TranscriptSoFar } from '../features/results/tabs/transcript-so-far.tsx'
import { reelOf } from '../features/results/viewer/reel.ts'
import type { WorkbenchInput } from '../features/results/workbench-context.ts'
import { Workbench } from '../features/results/workbench.tsx'
import { contentName, jobState } from '../app/format.ts'
import { part } from '../app/later.tsx'
import { saveFirst } from '../saved/save-first.ts'
import { ButtonLink } from '../ui/button.tsx'
import { focusOn, isNowhere } from '../dom/kept-focus.ts'
import { LoadFailure } from '../ui/load-failure.tsx'
import { EndedJob } from './ended-job.tsx'
import { Absent, Loading, MessagePage } from './message-page.tsx'

const AddToCutDialog = part(() => import('../features/cuts/add-to-cut.tsx'), 'AddToCutDialog')
const ApiDialog = part(() => import('../features/results/api-dialog.tsx'), 'ApiDialog')
const ExportDialog = part(() => import('../features/export/export-dialog.tsx'), 'ExportDialog')
const OwnerComments = part(
  () => import('../features/cuts/share/owner-comments.tsx'),
  'OwnerComments',
)
const RerunQuestion = part(() => import('../features/jobs/rerun-question.tsx'), 'RerunQuestion')
const ShareDialog = part(() => import('../features/cuts/share/share-dialog.tsx'), 'ShareDialog')

/** /jobs/:id, where editors live. */
export function Job() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useJob(id)
  if (data) return <Loaded key={id} job={data.job} />
  return (
    <Absent noun="job" error={error} onRetry={refetch}>
      {isMissingCall(error) ? <Listed id={id} /> : <Missing />}
    </Absent>
  )
}

const nothing: Partial<Findings> = {}

type Open = 'api' | 'export' | 'rerun' | 'share'

function Loaded({ job }: { job: JobEntity }) {
  const [search] = useSearchParams()
  const results = useResults(job.id)
  const [open, setOpen] = useState<Open | null>(null)
  const [added, setAdded] = useState<readonly AddedClip[]>([])
  const state = useReview(job.id)
  const retry = useRetry(job.id)
  useStateInTitle(job)
  const news = useNewsOfEnd(job)
  const detected = results.data?.results ?? nothing
  const media = detected.media ?? job.media
  const hasFindings = Object.keys(detected).some((key) => key !== 'media')
  const corrections = useCorrections(job.id, hasFindings)
  const { findings, unmatched } = useMemo(
    () => correctFindings(detected, corrections.corrections),
    [detected, corrections.corrections],
  )
  const project = useProjectOf(job.content_id)
  const comments = useReviewComments(job.id, findings)
  return (
    <div className="flex min-h-0 grow flex-col min-[900px]:h-[calc(100dvh-49px)] min-[900px]:min-h-160">
      <JobHeader
        job={job}
        detected={detected}
        canExport={hasFindings}
        canShare={job.status === 'completed' && hasFindings && isPlayed(media)}
        onOpen={setOpen}
      />
      <p role="status" className="sr-only">
        {news}
      </p>
      <Course job={job} isAlone={!hasFindings} retry={retry} onRerun={() => setOpen('rerun')} />
      {media && hasFindings ? (
        <Workbench
          job={job}
          media={media}
          detected={detected}
          findings={findings}
          state={state}
          corrections={corrections}
          unmatched={unmatched}
          project={project}
          startAt={Number(search.get('frame') ?? 0) || 0}
          comments={comments.filter((comment) => comment.reply_to === null)}
          commentList={commentListOf(comments)}
          onExport={() => setOpen('export')}
          {...(job.content_id && isEnded(job)
            ? { onAddToCut: (clips) => setAdded(clipsOf(job.content_id ?? '', clips)) }
            : {})}
        />
      ) : (
        <WithoutFindings job={job} results={results} />
      )}
      <Suspense fallback={null}>
        {open && (
          <JobDialog
            job={job}
            open={open}
            retry={retry}
            review={{ state, corrections, findings, comments, project }}
            onClose={() => setOpen(null)}
          />
        )}
        {added.length > 0 && <AddToCutDialog clips={added} onClose={() => setAdded([])} />}
      </Suspense>
    </div>
  )
}

function commentListOf(comments: readonly Comment[]): WorkbenchInput['commentList'] {
  return (playhead, timecode) => (
    <Suspense fallback={null}>
      <OwnerComments comments={comments} player={playhead} time={timecode} />
    </Suspense>
  )
}

/** How the job goes on, or ended. */
function Course({
  job,
  isAlone,
  retry,
  onRerun,
}: {
  job: JobEntity
  isAlone: boolean
  retry: ReturnType<typeof useRetry>
  onRerun: () => void
}) {
  if (!isEnded(job)) return <JobProgress job={job} />
  if (job.status === 'completed') return <Shortfalls job={job} onRetry={onRerun} />
  return <EndedJob job={job} isAlone={isAlone} retry={retry} />
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

/** Comments on shared links of the review, on the clip's own frames. */
function useReviewComments(jobId: string, findings: Partial<Findings>): readonly Comment[] {
  const [shared] = useState({ job_id: jobId })
  const comments = useCommentsOf(shared)
  const { media } = findings
  return useMemo(() => {
    if (!media || comments.length === 0) return comments
    const frameOf = reviewFrames({
      content_id: jobId,
      media,
      frame_times: knownFrameTimes({ ...findings, media }),
    })
    return comments.map((comment) => ({
      ...comment,
      at: frameOf(comment.at) ?? comment.at,
      out: comment.out === null ? null : (frameOf(comment.out - 1) ?? comment.out - 1) + 1,
    }))
  }, [comments, jobId, findings, media])
}

function isPlayed(media: Media | null | undefined): boolean {
  return media?.kind === 'video' || media?.kind === 'audio'
}

/** Before there is anything to show: whether it is still to come, on its way, or out of reach. */
function WithoutFindings({
  job,
  results,
}: {
  job: JobEntity
  results: Pick<ReturnType<typeof useResults>, 'isPending' | 'isError' | 'isFetching' | 'refetch'>
}) {
  if (results.isError) {
    return (
      <div className="m-auto">
        <LoadFailure onRetry={() => void results.refetch()} />
      </div>
    )
  }
  const isWaiting = results.isPending || results.isFetching
  if (isEnded(job) && !isWaiting) return null
  if (job.media && isHeardInParts(job)) {
    return (
      <section aria-label="Transcript" className="mx-auto w-full max-w-200 overflow-y-auto p-4">
        <TranscriptSoFar job={job} reel={reelOf(job.media)} />
      </section>
    )
  }
  return (
    <p role="status" className="m-auto p-8 text-ink-3">
      {isEnded(job) ? 'Loading findings…' : 'Findings appear here as each extractor finishes.'}
    </p>
  )
}

function useRetry(id: string) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => api.retryJob({ params: { id } }),
    onSuccess: ({ job }) => navigate(`/jobs/${job.id}`),
    meta: { failure: { fallback: 'Failed to create job' } },
  })
}

/** Shows the progress in the title and the icon, for a tab in the background. */
function useStateInTitle(job: JobEntity): void {
  useEffect(() => {
    const state = isEnded(job)
      ? job.status === 'completed'
        ? '✓'
        : '✕'
      : job.status === 'queued'
        ? 'Queued ·'
        : `${Math.floor(job.progress * 100)}%`
    document.title = `${state} ${job.content_name} · CutIndex`
    return showStateInIcon(job.status, job.status === 'queued' ? 0 : job.progress)
  }, [job])
}

/** Announces the end of a job; the focus may have gone with its progress. */
function useNewsOfEnd(job: JobEntity): string {
  const [wasRunning] = useState(!isEnded(job))
  const hasEnded = wasRunning && isEnded(job)
  useEffect(() => {
    const heading = document.querySelector('h1')
    if (hasEnded && heading && isNowhere()) focusOn(heading)
  }, [hasEnded])
  if (!hasEnded) return ''
  if (job.status === 'completed') return 'The analysis is done.'
  return job.status === 'failed' ? (job.error?.message ?? 'The job failed.') : 'Cancelled.'
}

/** A service without our call for one job still lists it: shows what the list says. */
function Listed({ id }: { id: string }) {
  const { jobs, isPending } = useRecentJobs()
  const job = jobs.find((item) => item.id === id)
  if (isPending) return <Loading noun="job" />
  if (!job) return <Missing />
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

function Missing() {
  return (
    <MessagePage
      label="Job"
      title="This job was not found"
      actions={<ButtonLink to="/jobs">All jobs</ButtonLink>}
    >
      <p>It was deleted, or it belongs to another account.</p>
    </MessagePage>
  )
}
