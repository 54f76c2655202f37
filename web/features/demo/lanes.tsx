import { memo, useEffect, useRef } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'
import {
  cutPoints,
  demoTimecode,
  frames,
  framesPerSecond,
  levels,
  lipFlap,
  shots,
  talking,
  voiceOnly,
} from './clip.ts'
import type { DemoSpan } from './clip.ts'
import type { Clock } from './playback.ts'

const sureScore = 0.6
/** Numbers of the tiles in the strip of frames; a narrow screen shows the middle of each tile. */
const tiles = Array.from({ length: 14 }, (_, tile) => tile)
const tileWidth = 128
const tileHeight = 72
const rulerSeconds = [0, 4, 8, 12, 16, 20]

/** The lanes under the viewer; their field is one slider, to drag, click or type on. */
export function Lanes({ clock }: { clock: Clock }) {
  const field = useRef<HTMLDivElement>(null)
  const playhead = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const move = () => {
      const frame = clock.frame()
      if (playhead.current) playhead.current.style.transform = `translateX(${percent(frame)})`
      field.current?.setAttribute('aria-valuenow', String(frame))
      field.current?.setAttribute('aria-valuetext', demoTimecode(frame))
    }
    move()
    return clock.subscribe(move)
  }, [clock])
  const seekTo = (event: PointerEvent) => {
    const box = field.current?.getBoundingClientRect()
    if (box) clock.seek(((event.clientX - box.left) / box.width) * frames)
  }
  const drag = (event: PointerEvent) => {
    if (event.buttons === 1) seekTo(event)
  }
  const type = (event: KeyboardEvent) => {
    const to = keyTarget(event.key, clock.frame())
    if (to === null) return
    event.preventDefault()
    clock.seek(to)
  }
  return (
    <div className="grid grid-cols-[72px_1fr] sm:grid-cols-[88px_1fr]">
      <LaneNames />
      <div
        ref={field}
        role="slider"
        tabIndex={0}
        aria-label="Playhead"
        aria-valuemin={0}
        aria-valuemax={frames - 1}
        aria-valuenow={0}
        aria-valuetext={demoTimecode(0)}
        onPointerDown={seekTo}
        onPointerMove={drag}
        onKeyDown={type}
        className="relative cursor-col-resize touch-pan-y overflow-hidden focus-visible:-outline-offset-2"
      >
        <Field />
        <div ref={playhead} className="pointer-events-none absolute inset-0 will-change-transform">
          <div className="h-full w-px bg-playhead" />
          <div className="absolute top-0 -left-1.25 size-2.75 rounded-b-full bg-playhead" />
        </div>
      </div>
    </div>
  )
}

function keyTarget(key: string, frame: number): number | null {
  const targets: Record<string, number> = {
    ArrowLeft: frame - 1,
    ArrowRight: frame + 1,
    PageDown: frame + framesPerSecond,
    PageUp: frame - framesPerSecond,
    Home: 0,
    End: frames - 1,
  }
  return targets[key] ?? null
}

const laneHeights = ['h-6', 'h-11', 'h-6', 'h-6', 'h-10', 'h-7']

function LaneNames() {
  const names = ['', 'Frames', 'Shots', 'Talking', 'Audio', 'Cut points']
  return (
    <div className="border-r border-line text-xs text-ink-3">
      {names.map((name, index) => (
        <div
          key={name}
          className={classes('flex items-center truncate pl-2 sm:pl-3', laneHeights[index])}
        >
          {name}
        </div>
      ))}
    </div>
  )
}

/** Drawn once, since nothing in it moves. */
const Field = memo(function Field() {
  return (
    <>
      <Lane index={0}>
        {rulerSeconds.map((second) => {
          const x = percent(second * framesPerSecond)
          return (
            <g key={second} className={second % 8 ? 'max-sm:hidden' : undefined}>
              <line x1={x} x2={x} y1="16" y2="24" className="stroke-line-strong" />
              <text x={x} dx="4" y="15" className="timecode fill-ink-3 text-[10px]">
                {demoTimecode(second * framesPerSecond)}
              </text>
            </g>
          )
        })}
      </Lane>
      <div className="flex h-11 gap-px py-px">
        {tiles.map((tile) => (
          <svg
            key={tile}
            viewBox={`${tile * tileWidth} 0 ${tileWidth} ${tileHeight}`}
            preserveAspectRatio="xMidYMid slice"
            className="h-full min-w-0 grow basis-0"
            aria-hidden="true"
          >
            <image href="/demo-strip.webp" width={tiles.length * tileWidth} height={tileHeight} />
          </svg>
        ))}
      </div>
      <Lane index={2}>
        {shots.map((shot, index) => (
          <g key={shot.startFrame}>
            <Bar
              span={shot}
              y={3}
              height={18}
              className={index % 2 ? 'fill-lane-shot-b' : 'fill-lane-shot-a'}
            />
            <text
              x={percent(shot.startFrame)}
              dx="7"
              y="16"
              className="fill-[white] text-[11px] max-sm:hidden"
            >
              {String(index + 1).padStart(2, '0')}
            </text>
          </g>
        ))}
      </Lane>
      <Lane index={3}>
        {talking.map((span) => (
          <Bar key={span.startFrame} span={span} y={7} height={10} className="fill-lane-talk" />
        ))}
        {voiceOnly.map((span) => (
          <Bar
            key={span.startFrame}
            span={span}
            y={7.5}
            height={9}
            className="fill-none stroke-lane-talk"
          />
        ))}
        {lipFlap.map((span) => (
          <Bar key={span.startFrame} span={span} y={7} height={10} className="fill-bad" />
        ))}
      </Lane>
      <Lane index={4}>
        <svg viewBox={`0 0 ${levels.length} 200`} preserveAspectRatio="none">
          <path d={waveform} className="fill-lane-audio" />
        </svg>
      </Lane>
      <Lane index={5}>
        {cutPoints.map((point) => (
          <svg key={point.frame} x={percent(point.frame)} className="overflow-visible">
            <path
              d="M0 7 5 14 0 21-5 14Z"
              className={
                point.score >= sureScore ? 'fill-lane-cut' : 'fill-none stroke-line-strong'
              }
            />
          </svg>
        ))}
      </Lane>
    </>
  )
})

function Lane({ index, children }: { index: number; children: ReactNode }) {
  return (
    <svg aria-hidden="true" className={classes('block w-full', laneHeights[index])}>
      {children}
    </svg>
  )
}

function Bar({
  span,
  y,
  height,
  className,
}: {
  span: DemoSpan
  y: number
  height: number
  className: string
}) {
  return (
    <rect
      x={percent(span.startFrame)}
      width={percent(span.endFrame - span.startFrame - 1)}
      y={y}
      height={height}
      rx="2"
      className={className}
    />
  )
}

/** One shape instead of a bar for each step: the page is ready sooner. */
const waveform = levels
  .map((level, step) => `M${step} ${100 - level}h.7v${2 * level + 1}h-.7z`)
  .join('')

function percent(frame: number): string {
  return `${((frame / frames) * 100).toFixed(2)}%`
}
