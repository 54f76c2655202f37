/**
 * Takes single frames out of a video as JPEGs. Each frame is sought by its time, a few in one run:
 * the cost of a frame does not depend on how many others are wanted or how long the video is, and
 * no expression grows with them (ffmpeg refuses one with more than 100 terms).
 */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { inputGuards, runTool } from '../tools/run.ts'

export interface WantedFrame {
  /** A time within the frame's first half or just before it; takes the first frame from here on. */
  seconds: number
  /** Name of the file to write. */
  file: string
}

/** Each has a decoder of its own, which takes about 10 MB at the size of a proxy. */
const framesPerRun = 24
const wallMs = 120_000

/**
 * Takes the frames and returns the names of the written files. A run that fails is repeated frame
 * by frame, so that a damaged frame costs no other.
 */
export async function takeFrames(order: {
  file: string
  outDir: string
  frames: readonly WantedFrame[]
  /** Larger frames are scaled down to this. */
  maxWidth?: number
  signal?: AbortSignal
  onProgress?: (part: number) => void
}): Promise<Set<string>> {
  const written = new Set<string>()
  for (let first = 0; first < order.frames.length; first += framesPerRun) {
    const batch = order.frames.slice(first, first + framesPerRun)
    const isDone = await run(order, batch)
    for (const frame of batch) {
      const name = frame.file
      if (!isDone && batch.length > 1) await run(order, [frame])
      order.signal?.throwIfAborted()
      if (await hasBytes(path.join(order.outDir, name))) written.add(name)
    }
    order.onProgress?.((first + batch.length) / order.frames.length)
  }
  return written
}

async function run(
  order: { file: string; outDir: string; maxWidth?: number; signal?: AbortSignal },
  frames: readonly WantedFrame[],
): Promise<boolean> {
  const { end } = await runTool({
    tool: 'ffmpeg',
    input: order.file,
    outDir: order.outDir,
    wallMs,
    signal: order.signal,
    args: (paths) => [
      ...['-v', 'error', '-nostdin', '-y'],
      ...frames.flatMap(({ seconds }) => [
        ...['-threads', '1', ...inputGuards, '-ss', Math.max(0, seconds).toFixed(6)],
        ...['-i', paths.input],
      ]),
      ...frames.flatMap(({ file }, index) => [
        ...['-map', `${index}:v:0`, '-frames:v', '1', '-threads', '1', '-q:v', '4'],
        ...(order.maxWidth ? ['-vf', `scale='min(${order.maxWidth}\\,iw)':-2`] : []),
        ...['-f', 'image2', '-update', '1', path.join(paths.out, file)],
      ]),
    ],
  })
  return end === 'done'
}

async function hasBytes(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => null)
  return stats !== null && stats.isFile() && stats.size > 0
}
