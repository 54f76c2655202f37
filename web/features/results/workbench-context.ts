/** The review that every part of the workbench reads, so that none hands it to the next. */
import { createContext, use, useMemo } from 'react'
import type { ReactNode } from 'react'
import type { Unmatched } from '../../../domain/findings/corrections.ts'
import type { Findings, Media } from '../../../domain/findings/findings.ts'
import type { ContentItem } from '../../../contract/footage/content.ts'
import type { Job } from '../../../contract/footage/jobs.ts'
import { useUploadAddress } from '../../playback/upload-address.ts'
import type { UploadAddress } from '../../playback/upload-address.ts'
import type { Shortcut } from '../../keys/shortcuts.tsx'
import type { Correcting, CorrectionState } from './corrections/save-corrections.ts'
import { useFileAddress } from './job-data.ts'
import { cutShots } from './review/cuts.ts'
import type { ShotRange } from './review/cuts.ts'
import type { ReviewState } from './review/review-state.ts'
import type { TimelineData } from './timeline/timeline-data.ts'
import { useTimelineData } from './timeline/use-timeline-data.ts'
import type { Playhead } from './viewer/playhead.ts'
import { reelOf } from './viewer/reel.ts'
import type { Reel } from './viewer/reel.ts'
import { usePlayhead } from './viewer/use-playhead.ts'

/** Frames that go into a cut. */
export interface AddedRange {
  in: number
  out: number
  name?: string
}

/** The parts of the page that stand around the review. */
export interface PageParts {
  /** Lists what can be found in the clip. */
  rail: ReactNode
  keys: readonly Shortcut[]
}

export interface WorkbenchInput {
  /** Null before the first analysis. */
  job: Job | null
  /** Whether the findings of the job are still on their way. */
  isLoading: boolean
  /** Null if the clip itself is gone. */
  clip: ContentItem | null
  page: PageParts
  media: Media
  /** As the machine found it. */
  detected: Partial<Findings>
  /** With the corrections laid over it. */
  findings: Partial<Findings>
  state: ReviewState
  corrections: CorrectionState
  unmatched: readonly Unmatched[]
  /** The project of the clip. */
  project: { id: string; name: string } | null
  /** Where the playhead starts, e.g. at a search hit; for a document, the page number. */
  startAt: number
  /** Threads on shared links, without the answers. */
  comments: readonly { id: string; at: number; name: string; text: string }[]
  commentList: (playhead: Playhead, timecode: (frame: number) => string) => ReactNode
  onExport: () => void
  /** Nothing where the clip itself is gone. */
  onAddToCut?: (
    clips: readonly {
      range: AddedRange
      in: string
      out: string
      length: string
      seconds: number
    }[],
  ) => void
}

export interface Workbench extends Omit<WorkbenchInput, 'onAddToCut'> {
  reel: Reel
  playhead: Playhead
  shots: readonly ShotRange[]
  data: TimelineData
  address: (file: string) => string | undefined
  /** Address of the uploaded file, which plays as long as there is no proxy. */
  upload: UploadAddress
  /** Null if nothing can be corrected. */
  correcting: Correcting | null
  addToCut: ((ranges: readonly AddedRange[]) => void) | undefined
}

export const WorkbenchContext = createContext<Workbench | null>(null)

export function useWorkbench(): Workbench {
  const workbench = use(WorkbenchContext)
  if (!workbench) throw new Error('This part stands outside of a workbench.')
  return workbench
}

export function useOpenWorkbench(
  input: WorkbenchInput,
  askSpeaker: Correcting['askSpeaker'],
): Workbench {
  const { job, clip, media, detected, findings, state, corrections, onAddToCut } = input
  // At a constant rate the reel stays the same, whatever else is found.
  const timed = media.variable_frame_rate ? detected : undefined
  const reel = useMemo(() => reelOf(media, timed), [media, timed])
  const playhead = usePlayhead(reel, input.startAt)
  const address = useFileAddress(job?.id ?? null)
  const isPlayed =
    clip?.content_type === 'upload' && (media.kind === 'video' || media.kind === 'audio')
  const hasProxy = Boolean(findings.thumbnail?.proxy) || input.isLoading
  const upload = useUploadAddress(isPlayed && !hasProxy ? clip.id : null)
  const threshold = state.review.shot_threshold
  const shots = useMemo(
    () => cutShots(findings.shots, media, threshold),
    [findings.shots, media, threshold],
  )
  const data = useTimelineData({ findings, review: state.review, shots, reel, address })
  const correcting = useMemo(
    () => (corrections.isOffered ? { state: corrections, detected, askSpeaker } : null),
    [corrections, detected, askSpeaker],
  )
  const namedRange = (range: AddedRange) => ({
    range,
    in: reel.timecode(range.in),
    out: reel.timecode(range.out),
    length: reel.length([{ start: range.in, end: range.out }]),
    seconds: reel.secondsAt(range.out) - reel.secondsAt(range.in),
  })
  const addToCut =
    onAddToCut &&
    ((ranges: readonly AddedRange[]) => onAddToCut(ranges.map((range) => namedRange(range))))
  return { ...input, reel, playhead, shots, data, address, upload, correcting, addToCut }
}
