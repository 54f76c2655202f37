import { Check, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { CutPoint, FindingsOf, Word } from '../../../../domain/findings/findings.ts'
import type { Review } from '../../../../contract/footage/review.ts'
import { IconButton } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Select } from '../../../ui/field.tsx'
import type { Playhead } from '../viewer/playhead.ts'
import { framesOf } from '../viewer/reel.ts'
import type { Reel } from '../viewer/reel.ts'
import { orderPoints } from './cut-point-order.ts'
import { LongList } from './long-list.tsx'
import { RemovalsList } from './removals-list.tsx'
import { TightenedCut } from './tightened-cut.tsx'
import type { Tighten } from './tightened-parts.ts'

const rowHeight = 49

/** Ranked frames where a cut works, each with its reasons, to accept or to reject; and what could go. */
export function CutpointsTab({
  found: { points, removals },
  words,
  review,
  reel,
  playhead,
  onDecide,
  onTighten,
}: {
  found: FindingsOf<'cutpoints'>
  words: readonly Word[] | undefined
  review: Review
  reel: Reel
  playhead: Playhead
  onDecide: (frame: number, verdict: 'accepted' | 'rejected' | null) => void
  onTighten: (tighten: Tighten) => void
}) {
  const [shown, setShown] = useState<Shown>('score')
  const order = shown === 'removals' ? 'score' : shown
  const rows = useMemo(() => orderPoints(points, order), [points, order])
  const accepted = useMemo(() => new Set(review.accepted_cut_frames), [review])
  const rejected = useMemo(() => new Set(review.rejected_cut_frames), [review])
  if (points.length === 0 && removals.length === 0) {
    return (
      <EmptyState title="No cut points">No frame of this footage stands out for a cut.</EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end gap-3">
        <p className="grow pb-1.5 text-xs text-ink-3">
          {shown === 'removals' ? (
            <>
              <span className="timecode">{reel.length(removals.map(framesOf))}</span> could go
            </>
          ) : (
            `${accepted.size} accepted · ${rejected.size} rejected`
          )}
        </p>
        <Select
          label="Show"
          value={shown}
          onChange={(event) => setShown(event.target.value as Shown)}
          options={[
            { value: 'score', label: 'Best first' },
            { value: 'time', label: 'By time' },
            ...(removals.length > 0
              ? [{ value: 'removals', label: `Silences and fillers (${removals.length})` }]
              : []),
          ]}
        />
      </div>
      {shown === 'removals' ? (
        <>
          <TightenedCut
            removals={removals}
            words={words}
            tighten={review.tighten}
            reel={reel}
            playhead={playhead}
            onTighten={onTighten}
          />
          <RemovalsList removals={removals} reel={reel} playhead={playhead} />
        </>
      ) : (
        <LongList
          key={order}
          count={rows.length}
          rowHeight={rowHeight}
          row={(index) => {
            const point = rows[index]
            return (
              point && (
                <Row
                  key={point.frame}
                  point={point}
                  timecode={reel.timecode(point.frame)}
                  verdict={verdictOf(point.frame, accepted, rejected)}
                  onSeek={() => playhead.seek(point.frame)}
                  onDecide={(verdict) => onDecide(point.frame, verdict)}
                />
              )
            )
          }}
        />
      )}
    </div>
  )
}

type Shown = 'score' | 'time' | 'removals'
type Verdict = 'accepted' | 'rejected' | null

function verdictOf(
  frame: number,
  accepted: ReadonlySet<number>,
  rejected: ReadonlySet<number>,
): Verdict {
  if (accepted.has(frame)) return 'accepted'
  return rejected.has(frame) ? 'rejected' : null
}

function Row({
  point,
  timecode,
  verdict,
  onSeek,
  onDecide,
}: {
  point: CutPoint
  timecode: string
  verdict: Verdict
  onSeek: () => void
  onDecide: (verdict: Verdict) => void
}) {
  const isAccepted = verdict === 'accepted'
  const isRejected = verdict === 'rejected'
  return (
    <li
      className={classes(
        'flex items-center gap-2 border-l-2 py-1.5 pr-3 pl-2.5',
        isAccepted ? 'border-l-good bg-good-wash' : 'border-l-transparent',
      )}
    >
      <button type="button" onClick={onSeek} className="min-w-0 grow rounded-sm text-left">
        <span className="flex items-center gap-2">
          <span
            className={classes(
              'timecode',
              isRejected ? 'text-ink-3 line-through' : 'text-brand-ink',
            )}
          >
            {timecode}
          </span>
          <Score value={Math.round(point.score * 100)} />
          {verdict && (
            <span className={classes('text-xs', isAccepted ? 'text-good' : 'text-bad')}>
              {isAccepted ? 'Accepted' : 'Rejected'}
            </span>
          )}
        </span>
        <span className={classes('block text-xs', isRejected ? 'text-ink-3' : 'text-ink-2')}>
          {point.reasons.join(' · ')}
        </span>
      </button>
      <IconButton
        label={`Accept ${timecode}`}
        look="secondary"
        aria-pressed={isAccepted}
        onClick={() => onDecide(isAccepted ? null : 'accepted')}
        className={isAccepted ? 'border-good! bg-good-wash! text-good!' : ''}
      >
        <Check size={16} aria-hidden />
      </IconButton>
      <IconButton
        label={`Reject ${timecode}`}
        look="secondary"
        aria-pressed={isRejected}
        onClick={() => onDecide(isRejected ? null : 'rejected')}
        className={isRejected ? 'border-bad! bg-bad-wash! text-bad!' : ''}
      >
        <X size={16} aria-hidden />
      </IconButton>
    </li>
  )
}

function Score({ value }: { value: number }) {
  return (
    <span className="flex items-center gap-1.5 text-xs text-ink-3" title={`${value} of 100`}>
      <span aria-hidden className="h-1 w-12 rounded-full bg-line">
        <span className="block h-1 rounded-full bg-lane-cut" style={{ width: `${value}%` }} />
      </span>
      <span className="figures">
        {value}
        <span className="sr-only"> of 100</span>
      </span>
    </span>
  )
}
