import { Pause, Play, SkipBack, SkipForward } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import {
  cutPoints,
  demoFiles,
  demoTimecode,
  frames,
  lipFlap,
  passageAt,
  sentences,
  shotAt,
  shots,
  talking,
  voiceOnly,
  within,
} from './clip.ts'
import type { DemoFile } from './clip.ts'
import { Lanes } from './lanes.tsx'
import { useAtFrame, usePlayback } from './playback.ts'
import type { Clock } from './playback.ts'

/** The product in small: the sample clip, its findings on the lanes, and the file that leaves. */
export function Demo() {
  const video = useRef<HTMLVideoElement>(null)
  const { clock, playing, toggle } = usePlayback(video)
  return (
    <section
      aria-label="Demonstration"
      className="overflow-hidden rounded-lg border border-line bg-panel shadow-float"
    >
      <div className="grid lg:grid-cols-[minmax(0,1fr)_504px]">
        <Viewer clock={clock} video={video} />
        <div className="flex min-w-0 flex-col border-t border-line lg:border-t-0 lg:border-l">
          <Transcript clock={clock} />
          <ExportedFile clock={clock} />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-y border-line px-3 py-2">
        <Timecode clock={clock} />
        <div className="flex gap-1">
          <IconButton
            label="Previous cut point"
            onClick={() => clock.seek(previousCut(clock.frame()))}
          >
            <SkipBack size={14} aria-hidden />
          </IconButton>
          <IconButton label={playing ? 'Pause' : 'Play'} look="secondary" onClick={toggle}>
            {playing ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
          </IconButton>
          <IconButton label="Next cut point" onClick={() => clock.seek(nextCut(clock.frame()))}>
            <SkipForward size={14} aria-hidden />
          </IconButton>
        </div>
        <p className="ml-auto text-xs text-ink-3">
          Our sample clip: drawn pictures, a synthetic voice, and what CutIndex found in it
        </p>
      </div>
      <Lanes clock={clock} />
    </section>
  )
}

function Timecode({ clock }: { clock: Clock }) {
  return <p className="timecode text-md font-medium">{useAtFrame(clock, demoTimecode)}</p>
}

function Viewer({ clock, video }: { clock: Clock; video: RefObject<HTMLVideoElement | null> }) {
  const shot = useAtFrame(clock, shotAt)
  const voice = useAtFrame(clock, voiceAt)
  return (
    <div className="grid place-items-center bg-surround p-2 sm:p-3">
      <div className="relative w-full">
        <video
          ref={video}
          src="/demo.mp4"
          poster="/demo-poster.webp"
          width={640}
          height={360}
          preload="none"
          muted
          loop
          playsInline
          aria-hidden="true"
          tabIndex={-1}
          className="block aspect-video max-h-90 w-full rounded-sm object-cover"
        />
        <p className="timecode absolute bottom-3 left-3 rounded-sm bg-[oklch(0%_0_0/72%)] px-2 py-1 text-xs text-[white]">
          SHOT {String(shot + 1).padStart(2, '0')} · {shots[shot]?.transition} · {voice}
        </p>
      </div>
    </div>
  )
}

function ExportedFile({ clock }: { clock: Clock }) {
  const [file, setFile] = useState(demoFiles[0])
  if (!file) return null
  return (
    <>
      <div
        role="group"
        aria-label="Export format"
        className="flex items-center gap-1 border-y border-line px-2"
      >
        {demoFiles.map((item) => (
          <button
            key={item.id}
            type="button"
            aria-pressed={item === file}
            onClick={() => setFile(item)}
            className="-mb-px h-8 border-b-2 border-transparent px-2 text-sm text-ink-2 aria-pressed:border-brand aria-pressed:text-ink pointer-coarse:h-11"
          >
            {item.label}
          </button>
        ))}
        <span className="ml-auto hidden pr-1 text-xs text-ink-3 sm:inline">
          also FCPXML, XML, JSON, VTT, OTIO
        </span>
      </div>
      <Lines key={file.id} file={file} clock={clock} />
    </>
  )
}

/** The lines that speak of the passage that plays are lit, and kept in view. */
function Lines({ file, clock }: { file: DemoFile; clock: Clock }) {
  const passage = useAtFrame(clock, (frame) => passageAt(file, frame))
  const box = useRef<HTMLPreElement>(null)
  useEffect(() => {
    const line = box.current?.querySelector<HTMLElement>(`[data-frame="${passage}"]`)
    if (!box.current || !line) return
    const top = line.offsetTop - box.current.offsetTop
    const room = box.current.clientHeight / 2
    const isShown = top >= box.current.scrollTop && top < box.current.scrollTop + room
    if (!isShown) box.current.scrollTop = top - room / 2
  }, [passage])
  return (
    <pre
      ref={box}
      tabIndex={0}
      role="region"
      aria-label="Exported file"
      className="h-44 scroll-bare overflow-auto py-2 text-[10.5px] leading-4.5 focus-visible:-outline-offset-2"
    >
      {file.lines.map((line, index) => (
        <code
          key={index}
          data-frame={line.frame ?? undefined}
          className={classes(
            'block min-h-4.5 w-max min-w-full border-l-2 px-3',
            line.frame === passage
              ? 'border-playhead bg-select-wash text-ink'
              : 'border-transparent text-ink-3',
          )}
        >
          {line.text}
        </code>
      ))}
    </pre>
  )
}

/** Each word lights up while it is said. */
function Transcript({ clock }: { clock: Clock }) {
  const said = useAtFrame(clock, wordAt)
  return (
    <ol className="flex flex-col gap-1.5 px-3 py-3 lg:grow">
      {sentences.map((sentence) => (
        <li key={sentence.startFrame} className="grid grid-cols-[88px_1fr] items-baseline">
          <span className="timecode text-xs text-ink-3">{demoTimecode(sentence.startFrame)}</span>
          <span className="text-base text-ink-2">
            {sentence.words.map((word) => (
              <span key={word.startFrame}>
                <span
                  className={classes(
                    '-mx-0.5 rounded-sm px-0.5 py-px',
                    word.startFrame === said && 'bg-brand text-on-brand',
                  )}
                >
                  {word.text}
                </span>{' '}
              </span>
            ))}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** The first frame of the word that is being said; -1 in between. */
function wordAt(frame: number): number {
  for (const sentence of sentences) {
    const word = sentence.words.find((item) => within(item, frame))
    if (word) return word.startFrame
  }
  return -1
}

function voiceAt(frame: number): string {
  if (talking.some((span) => within(span, frame))) return 'talking'
  if (voiceOnly.some((span) => within(span, frame))) return 'voice only'
  return lipFlap.some((span) => within(span, frame)) ? 'lip flap' : 'silent'
}

function nextCut(frame: number): number {
  return cutPoints.find((point) => point.frame > frame)?.frame ?? frames - 1
}

function previousCut(frame: number): number {
  return cutPoints.findLast((point) => point.frame < frame)?.frame ?? 0
}
