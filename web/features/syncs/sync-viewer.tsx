/** Plays one angle at a time on the group's clock, from the clips' proxies. */
import { useEffect, useRef } from 'react'
import type { SyncItem } from '../../../contract/syncs.ts'

export interface Clock {
  /** Second of the group's clock. */
  at: number
  isPlaying: boolean
}

export function SyncViewer({
  item,
  offset,
  clock,
  label,
  onTime,
  onEnd,
}: {
  item: SyncItem
  offset: number | null
  clock: Clock
  label: string
  onTime: (second: number) => void
  onEnd: () => void
}) {
  const media = useRef<HTMLVideoElement>(null)
  const stretch = 1 + (item.drift_ppm ?? 0) / 1e6
  const own = offset === null ? -1 : (clock.at - offset) / stretch
  const isHere = own >= 0 && own <= item.media.duration
  const url = item.pictures.proxy?.url ?? null
  useEffect(() => {
    const element = media.current
    if (!element || !isHere) return
    // While it plays its own clock leads; only a jump is followed.
    const tolerance = clock.isPlaying ? 0.3 : 0.001
    if (Math.abs(element.currentTime - own) > tolerance) element.currentTime = own
    if (clock.isPlaying && element.paused) element.play().catch(() => onEnd())
    if (!clock.isPlaying && !element.paused) element.pause()
  })
  return (
    <div className="relative grid min-h-48 place-items-center overflow-hidden bg-surround">
      {url && isHere ? (
        // What is said can be read in the clip's review.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video
          key={url}
          ref={media}
          src={url}
          preload="auto"
          playsInline
          onTimeUpdate={(event) => {
            if (clock.isPlaying) onTime((offset ?? 0) + event.currentTarget.currentTime * stretch)
          }}
          onEnded={onEnd}
          className="max-h-full max-w-full"
        />
      ) : (
        <p role="status" className="p-8 text-center text-ink-2">
          {!url
            ? 'Run Thumbnails on this clip to see and hear it here.'
            : 'This clip does not run at this moment.'}
        </p>
      )}
      <p className="timecode absolute bottom-3 left-3 rounded-sm bg-panel/80 px-2 py-0.5 text-xs">
        {label}
      </p>
    </div>
  )
}
