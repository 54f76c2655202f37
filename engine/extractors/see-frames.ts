/**
 * Puts a listener on the pass for each need that frames meet: small frames for changes, faces,
 * text, sprite and proxy. Models start afresh at each of the `breaks`, so findings after a break do
 * not depend on frames before it, and a film may be analysed in one go or in parts.
 */
import { toNumber } from '../../domain/time/rational.ts'
import type { Media } from '../../domain/findings/findings.ts'
import { createFaceTracker } from '../faces/tracker.ts'
import type { FaceSightings } from '../faces/tracks.ts'
import { textSide, textStep } from '../pass/plan.ts'
import type { PassRequest, SpriteGrid } from '../pass/plan.ts'
import type { MediaDetails } from '../probe.ts'
import { createShotDetector } from '../shots/detector.ts'
import type { Detection } from '../shots/detector.ts'
import { classifyGradual } from '../shots/shot-classifier.ts'
import type { ReadFrames } from '../shots/shot-classifier.ts'
import { createBlockMotion } from '../text/block-motion.ts'
import type { BlockMotion } from '../text/block-motion.ts'
import { createTextReader } from '../text/reader.ts'
import type { TextReadings } from '../text/text-process.ts'
import type { Faults, Need } from './extractor.ts'
import { guarded } from './guarded.ts'

export interface SeenFrames {
  faces: FaceSightings | null
  text: TextReadings | null
}

export interface FrameListeners {
  request: Pick<
    PassRequest,
    'onFrame' | 'onFace' | 'onText' | 'text' | 'proxy' | 'sprite' | 'signal'
  >
  finish(pass: { images: number }): Promise<SeenFrames>
  stop(): void
}

const videoNeeds: readonly Need[] = ['changes', 'faces', 'text', 'files']
const maxTiles = 1000

export function openFrames(input: {
  media: Media
  details: MediaDetails
  needs: ReadonlySet<Need>
  faults: Faults
  /** Frames before which every model starts afresh. */
  breaks?: readonly number[]
  /** Called with small frames if one of the needs uses them. */
  onSmall: (yuv: Uint8Array) => void | Promise<void>
  signal?: AbortSignal
}): FrameListeners {
  const { media, details, needs, faults, breaks = [], onSmall, signal } = input
  const hasVideo = details.video !== null
  const rate = toNumber(details.clock.rate)
  const faces = guarded('faces', faults, hasVideo && needs.has('faces'), () =>
    createFaceTracker({ signal }),
  )
  const textSize = textFrames(media)
  const text = guarded('text', faults, hasVideo && needs.has('text'), () =>
    createTextReader(
      { ...textSize, framesPerSecond: rate, step: textStep(details.clock) },
      { signal },
    ),
  )
  const request: FrameListeners['request'] = { signal }
  if (hasVideo && wantsSmall(needs)) request.onFrame = onSmall
  if (faces.wanted) {
    const crosses = crossing(breaks)
    request.onFace = async (rgb, frame) => {
      await faces.use(async (tracker) => {
        if (crosses(frame)) tracker.breakOff()
        await tracker.push(rgb, frame)
      })
    }
  }
  if (text.wanted) {
    const crosses = crossing(breaks)
    request.text = textSize
    request.onText = async (gray, frame) => {
      await text.use(async (reader) => {
        if (crosses(frame)) reader.breakOff()
        await reader.push(gray, frame)
      })
    }
  }
  if (needs.has('files')) {
    request.proxy = hasVideo
    if (hasVideo) request.sprite = spriteGrid(media, details)
  }
  return {
    request,
    async finish({ images }) {
      if (hasVideo && wantsFrames(needs) && images === 0) {
        // Fails the extractors: without a decoded frame, findings would be made up, yet paid for.
        const unseen = new Error('No picture of this media can be decoded.')
        for (const need of videoNeeds) faults[need] ??= unseen
      }
      const [seen, read] = await Promise.all([
        faces.use((tracker) => tracker.finish()),
        text.use((reader) => reader.finish()),
      ])
      return { faces: seen, text: read }
    },
    stop() {
      faces.stop()
      text.stop()
    },
  }
}

export function wantsFrames(needs: ReadonlySet<Need>): boolean {
  return videoNeeds.some((need) => needs.has(need))
}

/** Returns a function that says whether the frames have passed another break. */
function crossing(breaks: readonly number[]): (frame: number) => boolean {
  let next = 0
  return (frame) => {
    const before = next
    while (next < breaks.length && frame >= breaks[next]!) next++
    return next > before
  }
}

function wantsSmall(needs: ReadonlySet<Need>): boolean {
  return needs.has('changes') || needs.has('text')
}

export interface Watched {
  changes: Detection | null
  motion: BlockMotion | null
  faults: Faults
}

/** Finds shot changes and motion in the small frames, fed in order. */
export function watchChanges(
  details: MediaDetails,
  needs: ReadonlySet<Need>,
): {
  push(yuv: Uint8Array): void
  /** `readAgain` hands over all frames once more; a break here is a fault of the changes alone. */
  finish(readAgain: ReadFrames, signal?: AbortSignal): Promise<Watched>
} {
  const hasVideo = details.video !== null
  const rate = toNumber(details.clock.rate)
  const detector = hasVideo && needs.has('changes') ? createShotDetector(rate) : null
  const motion = hasVideo && needs.has('text') ? createBlockMotion() : null
  return {
    push(yuv) {
      detector?.push(yuv)
      motion?.push(yuv)
    },
    async finish(readAgain, signal) {
      const rest = { motion: motion?.finish() ?? null }
      try {
        const detection = detector?.finish() ?? null
        const options = signal ? { signal } : {}
        const changes = detection && (await classifyGradual(detection, readAgain, options))
        return { ...rest, changes, faults: {} }
      } catch (error) {
        signal?.throwIfAborted()
        const fault = error instanceof Error ? error : new Error(String(error))
        return { ...rest, changes: null, faults: { changes: fault } }
      }
    },
  }
}

/** Width over height of the picture as it is shown. */
function shapeOf(media: Media): number {
  const turned = media.rotation % 180 !== 0
  const width = (turned ? media.height : media.width) ?? 16
  const height = (turned ? media.width : media.height) ?? 9
  const [num = 1, den = 1] = (media.pixel_aspect ?? '1/1').split('/').map(Number)
  return Math.min(4, Math.max(0.25, (width * num) / (height * den)))
}

/** Large enough for small print, and never larger than the source. */
function textFrames(media: Media): { width: number; height: number } {
  const shape = shapeOf(media)
  const source = Math.max(media.width ?? 16, media.height ?? 16, 64)
  const side = Math.min(textSide, source)
  const even = (value: number): number => Math.max(16, Math.round(value / 2) * 2)
  return shape >= 1
    ? { width: even(side), height: even(side / shape) }
    : { width: even(side * shape), height: even(side) }
}

export function spriteGrid(media: Media, details: MediaDetails): SpriteGrid {
  const rate = toNumber(details.clock.rate)
  const seconds = Math.max(0.5, media.duration / maxTiles)
  const shape = shapeOf(media)
  const tileHeight = 90
  return {
    intervalFrames: Math.max(1, Math.round(rate * seconds)),
    tileWidth: Math.max(2, Math.round((tileHeight * shape) / 2) * 2),
    tileHeight,
    columns: 10,
    rows: 10,
  }
}
