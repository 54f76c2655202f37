import { Suspense, useMemo } from 'react'
import type { Comment } from '../../../contract/footage/shares.ts'
import { reviewFrames } from '../../../domain/cuts/review-cut.ts'
import type { Findings } from '../../../domain/findings/findings.ts'
import { knownFrameTimes } from '../../../domain/time/source-times.ts'
import { part } from '../../app/later.tsx'
import { useCommentsOf } from '../../features/cuts/share/comments-of.ts'
import type { WorkbenchInput } from '../../features/results/workbench-context.ts'

const OwnerComments = part(
  () => import('../../features/cuts/share/owner-comments.tsx'),
  'OwnerComments',
)

export function commentListOf(comments: readonly Comment[]): WorkbenchInput['commentList'] {
  return (playhead, timecode) => (
    <Suspense fallback={null}>
      <OwnerComments comments={comments} player={playhead} time={timecode} />
    </Suspense>
  )
}

/** Comments on shared links of the review, on the clip's own frames. */
export function useReviewComments(
  jobId: string | null,
  findings: Partial<Findings>,
): readonly Comment[] {
  const comments = useCommentsOf(jobId === null ? null : { job_id: jobId })
  const { media } = findings
  return useMemo(() => {
    if (!media || jobId === null || comments.length === 0) return comments
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
