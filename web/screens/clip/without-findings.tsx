import type { ReactNode } from 'react'
import type { ContentItem } from '../../../contract/footage/content.ts'
import type { Job } from '../../../contract/footage/jobs.ts'
import { isEnded } from '../../features/results/job-data.ts'
import type { useResults } from '../../features/results/job-data.ts'
import { isHeardInParts, TranscriptSoFar } from '../../features/results/tabs/transcript-so-far.tsx'
import { reelOf } from '../../features/results/viewer/reel.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'

/** Where there is nothing to show: it is still to come, on its way, out of reach or unreadable. */
export function WithoutFindings({
  clip,
  job,
  results,
  rail,
}: {
  clip: ContentItem | null
  job: Job | null
  results: ReturnType<typeof useResults>
  rail: ReactNode
}) {
  const isWaiting = job !== null && (results.isPending || results.isFetching)
  const text =
    job && !isEnded(job)
      ? 'Findings appear here as each extractor finishes.'
      : isWaiting
        ? 'Loading findings…'
        : (clip?.check.message ??
          (clip?.check.state === 'checking' ? 'Reading the file…' : 'There is nothing to play.'))
  return (
    <div className="flex min-h-0 grow flex-col min-[1100px]:grid min-[1100px]:grid-cols-[13.5rem_minmax(0,1fr)]">
      {rail}
      {results.isError ? (
        <div className="m-auto">
          <LoadFailure onRetry={() => void results.refetch()} />
        </div>
      ) : job?.media && isHeardInParts(job) ? (
        <section aria-label="Transcript" className="mx-auto w-full max-w-200 overflow-y-auto p-4">
          <TranscriptSoFar job={job} reel={reelOf(job.media)} />
        </section>
      ) : (
        <p role="status" className="m-auto p-8 text-ink-3">
          {text}
        </p>
      )}
    </div>
  )
}
