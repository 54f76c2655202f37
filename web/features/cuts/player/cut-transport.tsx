import { ChevronFirst, ChevronLast, Maximize } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { eventAt } from '../../../../domain/cuts/cut-times.ts'
import { PlayButton, SoundButton, SpeedText } from '../../../playback/transport-buttons.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { canFullScreen } from '../../../dom/full-screen.ts'
import { useCut } from '../cut-context.ts'
import { sourceFrame } from './cut-player.ts'

/** Where the playhead of the cut is, in it and in the source; what is shown plays and stops. */
export function CutTransport({ onFullScreen }: { onFullScreen: () => void }) {
  const { view, deck, actions } = useCut()
  const { player, cut } = deck
  const frame = useSyncExternalStore(cut.subscribe, cut.frame)
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
        <PlayButton player={player} />
        <IconButton label="Next seam (↓)" onClick={() => actions.goToSeam(1)}>
          <ChevronLast size={16} aria-hidden />
        </IconButton>
        <SpeedText player={player} />
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
      <SoundButton player={player} />
      {canFullScreen() && (
        <IconButton label="Full screen" onClick={onFullScreen} className="max-sm:hidden">
          <Maximize size={14} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}
