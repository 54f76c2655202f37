import { useMemo } from 'react'
import type { Findings } from '../../../../domain/findings/findings.ts'
import type { Review } from '../../../../contract/footage/review.ts'
import type { ShotRange } from '../review/cuts.ts'
import { usePeaks, useSprites } from '../viewer/media-files.ts'
import type { Reel } from '../viewer/reel.ts'
import { drawnFindings } from './timeline-data.ts'
import type { TimelineData } from './timeline-data.ts'

/** Collects the timeline's data. Only the shots change when the threshold moves. */
export function useTimelineData(input: {
  findings: Partial<Findings>
  review: Review
  shots: readonly ShotRange[]
  reel: Reel
  address: (name: string) => string | undefined
}): TimelineData {
  const { findings, shots, reel, address } = input
  const peaks = usePeaks(findings.thumbnail?.waveform, address)
  const sprites = useSprites(findings.thumbnail?.sprite, address)
  const { accepted_cut_frames, rejected_cut_frames, selects } = input.review
  const drawn = useMemo(() => {
    const review = { accepted_cut_frames, rejected_cut_frames, selects }
    return drawnFindings({ findings, review, reel, peaks, sprites })
  }, [findings, accepted_cut_frames, rejected_cut_frames, selects, reel, peaks, sprites])
  return useMemo(() => ({ ...drawn, shots }), [drawn, shots])
}
