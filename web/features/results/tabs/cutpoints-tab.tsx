import { Check, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { CutPoint, FindingsOf } from '../../../../domain/findings/findings.ts'
import { IconButton } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Select } from '../../../ui/field.tsx'
import { FoundRange, FoundRanges } from '../review/found-range.tsx'
import { framesOf } from '../viewer/reel.ts'
import { useWorkbench } from '../workbench-context.ts'
import { orderPoints } from './cut-point-order.ts'
import { LongList } from './long-list.tsx'
import { TightenedCut } from './tightened-cut.tsx'

const rowHeight = 49

/** Ranked frames where a cut works, to accept or to reject, and what could be taken out. */
export function CutpointsTab({ cutpoints }: { cutpoints: FindingsOf<'cutpoints'> }) {
  const { points, removals } = cutpoints
  const { state, reel } = useWorkbench()
  const { review } = state
  const [shown, setShown] = useState<Shown>('score')
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
            `${review.accepted_cut_frames.length} accepted · ${review.rejected_cut_frames.length} rejected`
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
          <TightenedCut removals={removals} />
          <Removals removals={removals} />
        </>
      ) : (
        <Points key={shown} points={points} order={shown} />
      )}
    </div>
  )
}

function Removals({ removals }: Pick<FindingsOf<'cutpoints'>, 'removals'>) {
  return (
    <FoundRanges
      rows={removals.map(({ kind, text, start_frame, end_frame }) => (
        <FoundRange
          key={`${kind} ${start_frame}`}
          range={{ startFrame: start_frame, endFrame: end_frame }}
          label={kind === 'silence' ? 'Silence' : `Filler “${text ?? ''}”`}
        />
      ))}
    />
  )
}

function Points({ points, order }: { points: readonly CutPoint[]; order: 'score' | 'time' }) {
  const { state, reel, playhead } = useWorkbench()
  const { accepted_cut_frames: accepted, rejected_cut_frames: rejected } = state.review
  const rows = useMemo(() => orderPoints(points, order), [points, order])
  const verdicts = useMemo(
    () =>
      new Map<number, Verdict>([
        ...rejected.map((frame) => [frame, 'rejected'] as const),
        ...accepted.map((frame) => [frame, 'accepted'] as const),
      ]),
    [accepted, rejected],
  )
  return (
    <LongList
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
              verdict={verdicts.get(point.frame) ?? null}
              onSeek={() => playhead.seek(point.frame)}
              onDecide={(verdict) => state.decide(point.frame, verdict)}
            />
          )
        )
      }}
    />
  )
}

type Shown = 'score' | 'time' | 'removals'
type Verdict = 'accepted' | 'rejected' | null

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
