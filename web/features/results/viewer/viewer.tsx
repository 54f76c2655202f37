import { Maximize, Volume2, VolumeX } from 'lucide-react'
import { useCallback, useSyncExternalStore } from 'react'
import type { CSSProperties, ReactNode, RefObject } from 'react'
import type { TextLine } from '../../../../domain/findings/findings.ts'
import type { FrameClock } from '../../../playback/frame-clock.ts'
import type { ShotRange } from '../review/cuts.ts'
import type { Playhead } from './playhead.ts'
import type { Reel } from './reel.ts'
import { TextBoxes } from './text-boxes.tsx'
import { canFullScreen, toggleFullScreen } from '../../../dom/full-screen.ts'

/** The picture on its neutral surround. */
export function Viewer({
  reel,
  playhead,
  video,
  proxy,
  ratio,
  poster,
  shots,
  lines,
  voiceAt,
  sound,
  hasSound,
  withoutPicture,
  frame,
}: {
  reel: Reel
  playhead: Playhead
  video: string | undefined
  proxy: FrameClock | undefined
  /** Width to height of the picture. */
  ratio: number
  poster: string | undefined
  shots: readonly ShotRange[]
  /** Lines of text to draw boxes around. */
  lines: readonly TextLine[]
  voiceAt: (frame: number) => string | null
  /** What stands there where there is only sound to play. */
  sound: ReactNode
  hasSound: boolean
  /** What stands where a picture would. */
  withoutPicture: string
  /** What fills the screen in full screen. */
  frame: RefObject<HTMLDivElement | null>
}) {
  const attach = useCallback(
    (element: HTMLVideoElement | null) => playhead.attach(element, proxy),
    [playhead, proxy],
  )
  return (
    <div className="min-h-0 grow bg-surround p-2 min-[900px]:p-3">
      <div className="grid size-full place-items-center min-[900px]:[container-type:size]">
        <div
          ref={frame}
          style={{ '--ratio': ratio } as CSSProperties}
          className={
            sound
              ? 'relative size-full'
              : video || poster
                ? 'relative aspect-(--ratio) w-[min(100%,calc(60dvh*var(--ratio)))] overflow-hidden rounded-sm min-[900px]:w-[min(100cqw,calc(100cqh*var(--ratio)))] fullscreen:rounded-none fullscreen:bg-[black]'
                : 'relative grid size-full min-h-32 place-items-center'
          }
        >
          {sound ? (
            sound
          ) : video ? (
            // The transcript beside the picture is the captions' text, and the player's own controls
            // are the buttons below.
            // oxlint-disable-next-line jsx-a11y/media-has-caption
            <video
              ref={attach}
              src={video}
              poster={poster}
              preload="auto"
              playsInline
              onClick={() => playhead.toggle()}
              className="size-full"
            />
          ) : poster ? (
            <img src={poster} alt="A still of the footage" className="size-full object-contain" />
          ) : (
            <p role="status" className="p-8 text-center text-ink-2">
              {withoutPicture}
            </p>
          )}
          {lines.length > 0 && <TextBoxes lines={lines} playhead={playhead} />}
          <ShotChip playhead={playhead} shots={shots} voiceAt={voiceAt} />
          <div className="absolute right-3 bottom-3 flex items-center gap-1">
            {hasSound && video && <Volume playhead={playhead} />}
            {video && !sound && canFullScreen() && <FullScreenButton frame={frame} />}
          </div>
        </div>
      </div>
      <span className="sr-only" role="status">
        {reel.frames} frames
      </span>
    </div>
  )
}

function ShotChip({
  playhead,
  shots,
  voiceAt,
}: {
  playhead: Playhead
  shots: readonly ShotRange[]
  voiceAt: (frame: number) => string | null
}) {
  const text = useSyncExternalStore(playhead.subscribe, () =>
    chipText(playhead.frame(), shots, voiceAt),
  )
  if (!text) return null
  return (
    <p className="timecode pointer-events-none absolute bottom-3 left-3 rounded-sm bg-[oklch(15%_0_0/80%)] px-2 py-0.5 text-xs text-[oklch(97%_0_0)]">
      {text}
    </p>
  )
}

const overPicture = 'rounded-sm bg-[oklch(15%_0_0/80%)] text-[oklch(97%_0_0)]'

function Volume({ playhead }: { playhead: Playhead }) {
  const isMuted = useSyncExternalStore(playhead.subscribe, playhead.isMuted)
  const volume = useSyncExternalStore(playhead.subscribe, playhead.volume)
  const label = isMuted ? 'Sound on (M)' : 'Mute (M)'
  return (
    <div className={`group flex items-center ${overPicture}`}>
      <input
        type="range"
        aria-label="Volume"
        min={0}
        max={1}
        step={0.05}
        value={isMuted ? 0 : volume}
        onChange={(event) => playhead.setVolume(Number(event.target.value))}
        className="mx-2 h-1 w-16 cursor-pointer accent-current not-group-hover:not-focus-visible:sr-only pointer-coarse:sr-only"
      />
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={playhead.toggleSound}
        className="p-2 pointer-coarse:p-[15px]"
      >
        {isMuted ? <VolumeX size={14} aria-hidden /> : <Volume2 size={14} aria-hidden />}
      </button>
    </div>
  )
}

function FullScreenButton({ frame }: { frame: RefObject<HTMLDivElement | null> }) {
  return (
    <button
      type="button"
      aria-label="Full screen (F)"
      title="Full screen (F)"
      onClick={() => toggleFullScreen(frame.current)}
      className={`p-2 pointer-coarse:p-[15px] ${overPicture}`}
    >
      <Maximize size={14} aria-hidden />
    </button>
  )
}

/** The shot under the playhead, and the transition while two of them blend. */
function chipText(
  frame: number,
  shots: readonly ShotRange[],
  voiceAt: (frame: number) => string | null,
): string {
  const at = shots.findIndex((item) => frame < item.endFrame)
  const shot = shots[at]
  if (!shot) return ''
  const heard = voiceAt(frame)
  const voice = heard ? [heard] : []
  const number = `SHOT ${String(shot.index + 1).padStart(2, '0')}`
  const blending = [shot, shots[at + 1]].find(
    (item) => item?.blend && frame >= item.blend.startFrame && frame < item.blend.endFrame,
  )
  if (blending) return [number, `in ${blending.transition}`, ...voice].join(' · ')
  const how = shot.transition === 'start' ? [] : [shot.transition]
  return [number, ...how, ...voice].join(' · ')
}
