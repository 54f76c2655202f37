import { Headphones, Pause, Play, SkipBack, SkipForward } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Kbd } from '../../keys/kbd.tsx'
import { clockTimecode, rulerOf } from './sync-clock.ts'
import { useShownSync } from './sync-context.ts'
import { toTimecode } from '../../../domain/time/timecode.ts'

export function SyncTransport() {
  const { placing, group, rate, clock, transport, canListen, ...opened } = useShownSync()
  const { at, isPlaying, isBoth } = transport
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
      <IconButton label="To the start" onClick={() => opened.seek(clock.start)}>
        <SkipBack size={14} aria-hidden />
      </IconButton>
      <Button look="primary" onClick={opened.togglePlaying}>
        {isPlaying ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
        {isPlaying ? 'Pause' : 'Play'}
      </Button>
      <IconButton label="To the end" onClick={() => opened.seek(clock.end)}>
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
        onClick={opened.toggleBoth}
      >
        <Headphones size={14} aria-hidden /> {isListening ? 'Stop listening' : 'Listen to both'}{' '}
        <Kbd>B</Kbd>
      </Button>
    </div>
  )
}
