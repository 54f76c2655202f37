/**
 * The words of a film that is still being analysed, part by part. They are to be read and nothing
 * else: corrections, marks and exports start from the findings, which take their place at the end.
 */
import { useMemo } from 'react'
import type { HeardPart, Job } from '../../../../contract/footage/jobs.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { useTranscriptSoFar } from '../job-data.ts'
import type { Reel } from '../viewer/reel.ts'

export function isHeardInParts(job: Job | null): job is Job {
  const run = job?.extractors.find(({ id }) => id === 'transcription')
  const isUnderWay = run?.status === 'running' || run?.status === 'waiting'
  return isUnderWay && typeof job?.parts_left === 'number'
}

export function TranscriptSoFar({ job, reel }: { job: Job; reel: Reel }) {
  const { data, isError, refetch } = useTranscriptSoFar(job.id)
  const heard = data?.heard
  const from = job.in ?? 0
  const rows = useMemo(() => heard && rowsOf(heard, from), [heard, from])
  if (!data || !rows) {
    if (isError) return <LoadFailure onRetry={() => void refetch()} />
    return (
      <p role="status" className="p-8 text-center text-ink-3">
        Loading…
      </p>
    )
  }
  if (data.heard.length === 0) {
    return (
      <EmptyState title="Not finished yet">
        The first words appear here when the first minutes were heard.
      </EmptyState>
    )
  }
  const timecode = (seconds: number) => reel.timecode(reel.frameAtSecond(seconds))
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="rounded-md border border-line bg-raised px-3 py-2 text-ink-2">
        {reachOf(data, timecode)} Speakers and final times come at the end. What you read here is
        charged also if you cancel the job.
      </p>
      <div className="flex flex-col gap-1">
        {rows.map((row) =>
          row.text === null ? (
            <p key={row.start} className="border-y border-dashed border-line py-2 text-ink-3">
              Still being heard: <span className="timecode">{timecode(row.start)}</span> to{' '}
              <span className="timecode">{timecode(row.end)}</span>
            </p>
          ) : (
            <div
              key={row.start}
              className="grid [contain-intrinsic-size:auto_5rem] grid-cols-[5.5rem_minmax(0,1fr)] gap-3 py-1 [content-visibility:auto] max-sm:grid-cols-1 max-sm:gap-0.5"
            >
              <span className="timecode pt-0.5 text-xs text-ink-3">{timecode(row.start)}</span>
              <p className="text-[15px]/[26px]">{row.text}</p>
            </div>
          ),
        )}
      </div>
    </div>
  )
}

interface Row {
  start: number
  end: number
  /** Null for a stretch that others are still at. */
  text: string | null
}

function rowsOf(heard: readonly HeardPart[], from: number): Row[] {
  return heard.flatMap(({ part, start, paragraphs }, at) => {
    const before = heard[at - 1]
    const isBehindGap = part > (before ? before.part + 1 : 0)
    const gap = isBehindGap ? [{ start: before?.end ?? from, end: start, text: null }] : []
    return [...gap, ...paragraphs]
  })
}

function reachOf(
  { parts, heard }: { parts: number; heard: readonly HeardPart[] },
  timecode: (seconds: number) => string,
): string {
  if (heard.length === parts) return 'So far: all of it.'
  const last = heard.findLast(({ part }, at) => part === at)
  return last ? `So far: up to ${timecode(last.end)}.` : 'So far: not from the start.'
}
