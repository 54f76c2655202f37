import { ChevronFirst, ChevronLast, Maximize, Pause, Play, Volume2, VolumeX } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { eventAt } from '../../../../domain/cuts/cut-times.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { canFullScreen } from '../../../dom/full-screen.ts'
import { useCut } from '../cut-context.ts'
import { sourceFrame } from './cut-player.ts'

/** Where the playhead of the cut is, in it and in the source; what is shown plays and stops. */
export function CutTransport({ onFullScreen }: { onFullScreen: () => void }) {
  const { view, deck, actions } = useCut()
  const { player, cut } = deck
  const frame = useSyncExternalStore(cut.subscribe, cut.frame)
  const speed = useSyncExternalStore(player.subscribe, player.speed)
  const isMuted = useSyncExternalStore(player.subscribe, player.isMuted)
  const event = eventAt(view.events, frame)
  return (
    <div className="flex h-11 shrink-0 items-center gap-2 border-y border-line bg-panel px-3 pointer-coarse:h-13">
      <p className="timecode text-lg font-medium" data-position>
        {view.time(frame)}
      </p>
      <p className="timecode text-ink-3 max-sm:hidden">/ {view.length(view.frames)}</p>
      <div className="ml-4 flex items-center gap-1 max-sm:ml-auto">
        <IconButton label="Previous seam (↑)" onClick={() => actions.goToSeam(-1)}>
          <ChevronFirst size={16} aria-hidden />
        </IconButton>
        <Button
          look="primary"
          aria-label={speed === 0 ? 'Play (Space)' : 'Pause (Space)'}
          onClick={player.toggle}
          className="w-9 px-0! pointer-coarse:w-11"
        >
          {speed === 0 ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
        </Button>
        <IconButton label="Next seam (↓)" onClick={() => actions.goToSeam(1)}>
          <ChevronLast size={16} aria-hidden />
        </IconButton>
        <span className="timecode w-8 text-center text-xs text-ink-3">{speed || 1}×</span>
      </div>
      <span className="grow" />
      {event && (
        <p className="timecode text-xs text-ink-3 max-sm:hidden">
          SRC{' '}
          <span className="text-ink-2">
            {view.sourceTime(event.contentId, sourceFrame(event, frame))}
          </span>
        </p>
      )}
      <IconButton label={isMuted ? 'Sound on (M)' : 'Mute (M)'} onClick={player.toggleSound}>
        {isMuted ? <VolumeX size={15} aria-hidden /> : <Volume2 size={15} aria-hidden />}
      </IconButton>
      {canFullScreen() && (
        <IconButton label="Full screen" onClick={onFullScreen} className="max-sm:hidden">
          <Maximize size={14} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}
