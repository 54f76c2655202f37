/**
 * Reads the frames of consecutive segments and keeps what detectors need: every small frame, faces,
 * text, the tiles of the sprite and a piece of the proxy. Detects nothing itself.
 */
import path from 'node:path'
import type { Faults } from '../extractors/extractor.ts'
import { openFrames } from '../extractors/see-frames.ts'
import type { SeenFrames } from '../extractors/see-frames.ts'
import { keepFrames } from '../pass/kept-frames.ts'
import { runPass } from '../pass/run.ts'
import type { ToolOutcome } from '../tools/run.ts'
import type { Film, Segment } from './plan-film.ts'

export interface SeenPart extends SeenFrames {
  startFrame: number
  endFrame: number
  faults: Faults
  /** File name in the part's folder; null if not needed. */
  frames: string | null
  proxy: string | null
  tiles: string | null
}

export type LookOutcome =
  | { end: 'done'; part: SeenPart }
  /** The frames are not those that the packets promise: the film cannot be divided. */
  | { end: 'unlike' }
  | { end: 'stopped'; outcome: ToolOutcome }

export async function lookAtPart(
  film: Film,
  order: {
    file: string
    workDir: string
    segments: readonly Segment[]
    signal?: AbortSignal
    onProgress?: (part: number) => void
  },
): Promise<LookOutcome> {
  const { details, needs } = film
  const filmStart = film.segments[0]!.startFrame
  const startFrame = order.segments[0]!.startFrame
  const endFrame = order.segments.at(-1)!.endFrame
  const name = String(startFrame).padStart(9, '0')
  const faults: Faults = {}
  const framesName = `frames-${name}.zst`
  const small = keepFrames(path.join(order.workDir, framesName))
  const images = openFrames({
    ...film,
    faults,
    breaks: order.segments.slice(1).map((segment) => segment.startFrame - filmStart),
    onSmall: (yuv) => small.push(yuv),
    signal: order.signal,
  })
  const hasFiles = needs.has('files')
  try {
    const pass = await runPass({
      file: order.file,
      details,
      workDir: order.workDir,
      range: { startFrame, endFrame },
      firstFrame: startFrame - filmStart,
      only: 'frames',
      ...images.request,
      proxyName: `proxy-${name}.mp4`,
      ...(hasFiles ? { tilesName: `tiles-${name}.yuv` } : {}),
      onProgress: order.onProgress,
    })
    await small.close()
    const { outcome } = pass
    if (outcome.end === 'canceled' || outcome.end === 'timeout') return { end: 'stopped', outcome }
    const expected = details.video?.pts?.subarray(startFrame, endFrame)
    if (outcome.end !== 'done' || !isSame(pass.pts, expected)) return { end: 'unlike' }
    const seen = await images.finish(pass)
    const frames = images.request.onFrame ? framesName : null
    const tiles = hasFiles ? `tiles-${name}.yuv` : null
    const proxy = pass.proxyFile
    return {
      end: 'done',
      part: { ...seen, startFrame, endFrame, faults, frames, proxy, tiles },
    }
  } finally {
    images.stop()
    await small.close()
  }
}

function isSame(seen: Float64Array, expected: Float64Array | undefined): boolean {
  return seen.length === expected?.length && seen.every((pts, at) => pts === expected[at])
}
