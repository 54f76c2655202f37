import { Headphones, Pause, Play, SkipBack, SkipForward } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Kbd } from '../../keys/kbd.tsx'
import { clockOf, clockTimecode, rulerOf } from './sync-clock.ts'
import type { Placing } from './sync-data.ts'
import { toTimecode } from '../../../domain/time/timecode.ts'
import type { Transport } from './use-listening.ts'

export function SyncTransport({
  placing,
  group,
  rate,
  transport: { at, isPlaying, isBoth },
  canListen,
  onSeek,
  onPlay,
  onListen,
}: {
  placing: Placing
  group: number
  rate: number
  transport: Transport
  canListen: boolean
  onSeek: (second: number) => void
  onPlay: () => void
  onListen: () => void
}) {
  const clock = clockOf(placing, group)
  const { format } = rulerOf(placing, group, rate)
  const isListening = isPlaying && isBoth
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line bg-panel px-3 py-1">
      <p className="timecode whitespace-nowrap">
        <output aria-label="Playhead" className="text-lg">
          {clockTimecode(placing, group, rate, at)}
        </output>
        <span className="text-ink-3 max-sm:hidden">
          {' / '}
          {toTimecode(Math.round((clock.end - clock.start) * rate), format)}
        </span>
      </p>
      <IconButton label="To the start" onClick={() => onSeek(clock.start)}>
        <SkipBack size={14} aria-hidden />
      </IconButton>
      <Button look="primary" onClick={onPlay}>
        {isPlaying ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
        {isPlaying ? 'Pause' : 'Play'}
      </Button>
      <IconButton label="To the end" onClick={() => onSeek(clock.end)}>
        <SkipForward size={14} aria-hidden />
      </IconButton>
      <span className="grow" />
      <Button
        aria-pressed={isListening}
        disabled={!canListen}
        title={
          canListen
            ? 'This track on the left, the reference on the right'
            : 'Choose a track in sync that is not the reference'
        }
        onClick={onListen}
      >
        <Headphones size={14} aria-hidden /> {isListening ? 'Stop listening' : 'Listen to both'}{' '}
        <Kbd>B</Kbd>
      </Button>
    </div>
  )
}
