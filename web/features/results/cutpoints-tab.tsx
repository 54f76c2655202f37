import { Check, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { CutPoint } from '../../../contract/findings.ts'
import type { Review } from '../../../contract/jobs.ts'
import { IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Select } from '../../ui/field.tsx'
import type { Playhead } from './playhead.ts'
import type { Reel } from './reel.ts'

const mostShown = 500

/** Ranked frames where a cut works, each with its reasons, to accept or to reject. */
export function CutpointsTab({
  points,
  review,
  reel,
  playhead,
  onDecide,
}: {
  points: readonly CutPoint[]
  review: Review
  reel: Reel
  playhead: Playhead
  onDecide: (frame: number, verdict: 'accepted' | 'rejected' | null) => void
}) {
  const [order, setOrder] = useState<'score' | 'time'>('score')
  const rows = useMemo(
    () =>
      [...points]
        .sort((a, b) => (order === 'score' ? b.score - a.score : a.frame - b.frame))
        .slice(0, mostShown),
    [points, order],
  )
  const accepted = useMemo(() => new Set(review.accepted_cut_frames), [review])
  const rejected = useMemo(() => new Set(review.rejected_cut_frames), [review])
  if (points.length === 0) {
    return (
      <EmptyState title="No cut points">No frame of this footage stands out for a cut.</EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-3">
      <Select
        label="Order"
        value={order}
        onChange={(event) => setOrder(event.target.value as 'score' | 'time')}
        options={[
          { value: 'score', label: 'Best first' },
          { value: 'time', label: 'By time' },
        ]}
      />
      <ul className="divide-y divide-line">
        {rows.map((point) => {
          const isAccepted = accepted.has(point.frame)
          const isRejected = rejected.has(point.frame)
          return (
            <li
              key={point.frame}
              className={classes('flex items-center gap-2 py-1.5', isRejected && 'opacity-50')}
            >
              <button
                type="button"
                onClick={() => playhead.seek(point.frame)}
                className="min-w-0 grow rounded-sm text-left"
              >
                <span className="flex items-baseline gap-2">
                  <span className="timecode text-brand-ink">{reel.timecode(point.frame)}</span>
                  <span className="timecode text-xs text-ink-3">
                    {Math.round(point.score * 100)}
                  </span>
                </span>
                <span className="block truncate text-xs text-ink-2">
                  {point.reasons.join(' · ')}
                </span>
              </button>
              <IconButton
                label={`Accept ${reel.timecode(point.frame)}`}
                aria-pressed={isAccepted}
                onClick={() => onDecide(point.frame, isAccepted ? null : 'accepted')}
                className={isAccepted ? 'bg-good-wash text-good!' : ''}
              >
                <Check size={14} aria-hidden />
              </IconButton>
              <IconButton
                label={`Reject ${reel.timecode(point.frame)}`}
                aria-pressed={isRejected}
                onClick={() => onDecide(point.frame, isRejected ? null : 'rejected')}
                className={isRejected ? 'bg-bad-wash text-bad!' : ''}
              >
                <X size={14} aria-hidden />
              </IconButton>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
