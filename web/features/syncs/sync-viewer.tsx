/**
 * Plays one angle at a time on the group's clock: its proxy, or the upload itself where the browser
 * can play that.
 */
import { useEffect, useRef } from 'react'
import { useUploadAddress } from '../../playback/upload-address.ts'
import { playedSpan } from './sync-clock.ts'
import { useShownSync } from './sync-context.ts'
import { Waveform } from './wave-path.tsx'

export function SyncViewer() {
  const { sync, placing, item, offset, transport, goOn, end } = useShownSync()
  const media = useRef<HTMLVideoElement>(null)
  const { at, isPlaying, isBoth } = transport
  const stretch = placing.stretchOf(item)
  const own = offset === null ? -1 : (at - offset) / stretch
  const span = playedSpan(item)
  const isHere = own >= span.start && own <= span.end
  const proxy = item.pictures.proxy?.url ?? null
  const upload = useUploadAddress(proxy === null && !item.offline ? item.content_id : null)
  const url = proxy ?? upload.url
  const isSound = item.media.kind === 'audio'
  useEffect(() => {
    const element = media.current
    if (!element || !isHere) return
    // While it plays its own clock leads; only a jump is followed.
    const tolerance = isPlaying ? 0.3 : 0.001
    const wanted = own - span.start
    if (Math.abs(element.currentTime - wanted) > tolerance) element.currentTime = wanted
    if (isPlaying && element.paused) element.play().catch(() => !isBoth && end())
    if (!isPlaying && !element.paused) element.pause()
  })
  return (
    <div className="relative grid min-h-48 place-items-center overflow-hidden bg-surround">
      {url && isHere ? (
        // The words can be read in the clip's review.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video
          key={item.content_id}
          ref={media}
          src={url}
          preload="auto"
          playsInline
          // Both tracks are heard from elsewhere then, and lead the clock.
          muted={isBoth}
          onTimeUpdate={(event) => {
            const now = span.start + event.currentTarget.currentTime
            if (isPlaying && !isBoth) goOn((offset ?? 0) + now * stretch)
          }}
          onEnded={isBoth ? undefined : end}
          onError={upload.onFault}
          className={isSound ? 'hidden' : 'size-full object-contain'}
        />
      ) : (
        <p role="status" className="p-8 text-center text-ink-2">
          {!url
            ? 'This browser cannot play the clip. Run Thumbnails on it to see and hear it here.'
            : offset === null
              ? 'Not in sync. Place it to see it here.'
              : own >= 0 && own <= item.media.duration
                ? 'Only a part of this clip was analysed. This moment is not in it.'
                : 'This clip does not run at this moment.'}
        </p>
      )}
      {url && isHere && isSound && <Waveform item={item} className="p-8" />}
      <p className="timecode absolute bottom-3 left-3 rounded-sm bg-panel/80 px-2 py-0.5 text-xs">
        ANGLE {sync.items.indexOf(item) + 1} · {item.name}
      </p>
    </div>
  )
}
