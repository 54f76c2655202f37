/** Sound without a picture: its whole waveform, large, with the playhead in it. */
import { useCallback, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { PointerEvent } from 'react'
import type { FrameClock } from '../../../playback/frame-clock.ts'
import { useWorkbench } from '../workbench-context.ts'
import { waveformPath } from './waveform-path.ts'

const columns = 480

export function SoundPicture({ sound, proxy }: { sound: string; proxy: FrameClock | undefined }) {
  const { reel, playhead, data } = useWorkbench()
  const { peaks } = data
  const attach = useCallback(
    (element: HTMLAudioElement | null) => playhead.attach(element, proxy),
    [playhead, proxy],
  )
  const path = useMemo(
    () => peaks && waveformPath(peaks, { seconds: reel.frames / reel.framesPerSecond, columns }),
    [peaks, reel],
  )
  const seek = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    playhead.seek(Math.floor(((event.clientX - left) / width) * reel.frames))
  }
  return (
    <div className="flex size-full min-h-48 flex-col gap-2">
      <p className="text-center text-ink-2">Audio only</p>
      {/* The transcript beside it is the text, and the buttons below are the controls. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <audio ref={attach} src={sound} preload="auto" />
      {/* The timeline's slider is the keyboard's way to the same place. */}
      <div
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          seek(event)
        }}
        onPointerMove={(event) => event.buttons === 1 && seek(event)}
        className="relative min-h-0 grow cursor-col-resize touch-pan-y"
      >
        <svg
          aria-hidden
          viewBox={`0 0 ${columns} 256`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full fill-none stroke-lane-audio"
        >
          {path && <path d={path} strokeWidth="0.7" />}
        </svg>
        <Line />
      </div>
    </div>
  )
}

function Line() {
  const { reel, playhead } = useWorkbench()
  const frame = useSyncExternalStore(playhead.subscribe, playhead.frame)
  const line = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (line.current) line.current.style.left = `${((frame + 0.5) / reel.frames) * 100}%`
  }, [frame, reel])
  return <div ref={line} className="pointer-events-none absolute inset-y-0 w-px bg-playhead" />
}
