import { Maximize, Volume2, VolumeX } from 'lucide-react'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { CSSProperties, RefObject } from 'react'
import type { TextLine } from '../../../../domain/findings/findings.ts'
import { canFullScreen, toggleFullScreen } from '../../../dom/full-screen.ts'
import type { FrameClock } from '../../../playback/frame-clock.ts'
import { useFrameSeconds } from '../../../playback/use-frame-seconds.ts'
import type { ShotRange } from '../review/cuts.ts'
import { SoundPicture } from '../timeline/sound-picture.tsx'
import { voiceAt } from '../timeline/timeline-data.ts'
import type { TimelineData } from '../timeline/timeline-data.ts'
import { useWorkbench } from '../workbench-context.ts'
import type { Workbench } from '../workbench-context.ts'
import type { Playhead } from './playhead.ts'
import { proxyClock, uploadClock } from './reel.ts'
import { TextBoxes } from './text-boxes.tsx'
import { withoutPicture } from './without-picture.ts'

const noLines: readonly TextLine[] = []

/** The picture on its neutral surround; `frame` is what fills the screen in full screen. */
export function Viewer({
  hasTextBoxes,
  frame,
}: {
  hasTextBoxes: boolean
  frame: RefObject<HTMLDivElement | null>
}) {
  const workbench = useWorkbench()
  const { media, findings, reel, playhead, data } = workbench
  const { video, poster, proxy, ratio, isAbout } = usePicture()
  const lines = hasTextBoxes ? (findings.text?.lines ?? noLines) : noLines
  const isSound = media.kind === 'audio' && video !== undefined
  return (
    <div className="min-h-0 grow bg-surround p-2 min-[900px]:p-3">
      <div className="grid size-full place-items-center min-[900px]:[container-type:size]">
        <div
          ref={frame}
          style={{ '--ratio': ratio } as CSSProperties}
          className={
            isSound
              ? 'relative size-full'
              : video || poster
                ? 'relative aspect-(--ratio) w-[min(100%,calc(60dvh*var(--ratio)))] overflow-hidden rounded-sm min-[900px]:w-[min(100cqw,calc(100cqh*var(--ratio)))] fullscreen:rounded-none fullscreen:bg-[black]'
                : 'relative grid size-full min-h-32 place-items-center'
          }
        >
          {isSound ? (
            <SoundPicture sound={video} proxy={proxy} />
          ) : (
            <Picture video={video} poster={poster} proxy={proxy} />
          )}
          {lines.length > 0 && <TextBoxes lines={lines} playhead={playhead} />}
          <ShotChip data={data} playhead={playhead} source={sourceText(workbench, isAbout)} />
          <div className="absolute right-3 bottom-3 flex items-center gap-1">
            {media.audio.length > 0 && video && <Volume playhead={playhead} />}
            {video && !isSound && canFullScreen() && <FullScreenButton frame={frame} />}
          </div>
        </div>
      </div>
      <span className="sr-only" role="status">
        {reel.frames} frames
      </span>
    </div>
  )
}

/** The files of the preview and the clock of its proxy. */
function usePicture() {
  const { clip, media, detected, findings, reel, address, upload } = useWorkbench()
  const { proxy, poster } = findings.thumbnail ?? {}
  const video = proxy ? address(proxy.file) : (upload.url ?? undefined)
  const timed = media.variable_frame_rate ? detected : undefined
  const exact = useFrameSeconds(timed && video ? [video] : []).get(video ?? '')
  const clock = useMemo(() => {
    const known = timed ? { ...timed, media } : null
    return proxy ? proxyClock(proxy, known, exact) : uploadClock(reel, known, exact)
  }, [proxy, reel, timed, media, exact])
  const { width, height } = proxy ?? media
  return {
    video,
    poster: poster ? address(poster) : (clip?.thumbnail_url ?? undefined),
    proxy: clock,
    isAbout: Boolean(video && timed && !exact),
    ratio: width && height ? width / height : 16 / 9,
  }
}

function Picture({
  video,
  poster,
  proxy,
}: {
  video: string | undefined
  poster: string | undefined
  proxy: FrameClock | undefined
}) {
  const { job, isLoading, clip, media, findings, playhead, upload } = useWorkbench()
  const attach = useCallback(
    (element: HTMLVideoElement | null) => playhead.attach(element, proxy),
    [playhead, proxy],
  )
  if (video) {
    return (
      // The transcript beside the picture is the captions' text, and the player's own controls
      // are the buttons below.
      // oxlint-disable-next-line jsx-a11y/media-has-caption
      <video
        ref={attach}
        src={video}
        poster={poster}
        preload="auto"
        playsInline
        onError={upload.onFault}
        // Of a picture that it cannot decode, a browser may still play the sound.
        onLoadedMetadata={({ currentTarget }) => currentTarget.videoWidth === 0 && upload.onFault()}
        onClick={() => playhead.toggle()}
        className="size-full"
      />
    )
  }
  const why = withoutPicture({ job, isLoading, clip, media, thumbnail: findings.thumbnail, upload })
  if (poster) {
    return (
      <>
        <img src={poster} alt="A still of the footage" className="size-full object-contain" />
        {media.kind === 'video' && (
          <p
            role="status"
            className={`absolute inset-x-3 top-3 px-3 py-1 text-center ${overPicture}`}
          >
            {why}
          </p>
        )}
      </>
    )
  }
  return (
    <p role="status" className="p-8 text-center text-ink-2">
      {why}
    </p>
  )
}

/** Plays from what, as long as that is not the proxy, and whether frame steps are exact on it. */
function sourceText({ upload }: Workbench, isAbout: boolean): string {
  if (!upload.url) return ''
  const steps = 'variable frame rate: steps are approximate until Thumbnails has run'
  const from = upload.url.startsWith('blob:') ? 'a quick copy' : 'the upload'
  return `Playing from ${from}${isAbout ? ` · ${steps}` : ''}`
}

function ShotChip({
  data,
  playhead,
  source,
}: {
  data: TimelineData
  playhead: Playhead
  source: string
}) {
  const shot = useSyncExternalStore(playhead.subscribe, () => {
    const frame = playhead.frame()
    return chipText(frame, data.shots, voiceAt(data, frame))
  })
  const text = [shot, source].filter(Boolean).join(' · ')
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
function chipText(frame: number, shots: readonly ShotRange[], heard: string | null): string {
  const at = shots.findIndex((item) => frame < item.endFrame)
  const shot = shots[at]
  if (!shot) return ''
  const voice = heard ? [heard] : []
  const number = `SHOT ${String(shot.index + 1).padStart(2, '0')}`
  const blending = [shot, shots[at + 1]].find(
    (item) => item?.blend && frame >= item.blend.startFrame && frame < item.blend.endFrame,
  )
  if (blending) return [number, `in ${blending.transition}`, ...voice].join(' · ')
  const how = shot.transition === 'start' ? [] : [shot.transition]
  return [number, ...how, ...voice].join(' · ')
}
