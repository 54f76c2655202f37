import { Magnet, Minus, MoveHorizontal, Plus } from 'lucide-react'
import type { Findings } from '../../../../domain/findings/findings.ts'
import { soundDelayText } from '../../../../domain/findings/lip-sync.ts'
import { counted } from '../../../app/format.ts'
import { Kbd } from '../../../keys/kbd.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { duration } from '../job-progress.tsx'
import { useWorkbench } from '../workbench-context.ts'

export function TimelineHeader({
  isSnapping,
  isFit,
  onSnap,
  onHelp,
  onFit,
  onZoom,
}: {
  isSnapping: boolean
  isFit: boolean
  onSnap: () => void
  onHelp: () => void
  onFit: () => void
  onZoom: (direction: 1 | -1) => void
}) {
  const { findings, shots } = useWorkbench()
  return (
    <header className="flex h-9 items-center gap-2 border-b border-line px-3 pointer-coarse:h-12">
      <h2 className="font-semibold">Timeline</h2>
      <p className="min-w-0 grow truncate text-ink-3">{summaryOf(findings, shots.length)}</p>
      <Button
        look="quiet"
        aria-pressed={isSnapping}
        onClick={onSnap}
        className={isSnapping ? 'bg-hover! text-ink!' : ''}
      >
        <Magnet size={14} aria-hidden /> Snap <Kbd>S</Kbd>
      </Button>
      <Button look="quiet" onClick={onHelp} className="max-md:hidden">
        All shortcuts <Kbd>?</Kbd>
      </Button>
      <IconButton label="Fit the timeline (\\)" onClick={onFit} aria-disabled={isFit}>
        <MoveHorizontal size={14} aria-hidden />
      </IconButton>
      <IconButton label="Zoom out (-)" onClick={() => onZoom(-1)}>
        <Minus size={14} aria-hidden />
      </IconButton>
      <IconButton label="Zoom in (+)" onClick={() => onZoom(1)}>
        <Plus size={14} aria-hidden />
      </IconButton>
    </header>
  )
}

function summaryOf(findings: Partial<Findings>, shots: number): string {
  const parts: string[] = []
  if (findings.shots) parts.push(counted(shots, 'shot'))
  if (findings.cutpoints) parts.push(counted(findings.cutpoints.points.length, 'cut point'))
  if (findings.talking) {
    const seconds = findings.talking.speech.reduce((sum, span) => sum + span.end - span.start, 0)
    parts.push(seconds > 0 ? `${duration(Math.round(seconds))} speech` : 'no speech')
    const delay = findings.talking.sound_delay_seconds
    if (typeof delay === 'number') parts.push(soundDelayText(delay))
  }
  return parts.join(' · ')
}
