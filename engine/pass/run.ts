/**
 * One decode feeds every listener. A single ffmpeg process splits its decoded frames into small
 * frames, face frames, a review proxy and sprites, and its sound into 16 kHz mono, so several
 * extractors cost one decode.
 *
 * Invariants:
 * - Frame numbers count decoded frames in presentation order from the start of the range
 *   (`passthrough`: none is doubled or dropped), and `pts` has one exact value for each.
 * - Sample 0 of the sound is the start of frame 0: later sound is padded, earlier sound trimmed,
 *   by the times that the tool prints beside the samples (`placedSound`).
 * - A change of the picture's size or of the sound's layout in mid-file moves nothing: each has a
 *   graph of its own, that of the frames stays, and sound is placed outside of its graph.
 * - Memory does not grow with the sound: it goes to `audio.s16` and past the listener.
 */
import { toNumber } from '../../domain/time/rational.ts'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { createClock } from '../time/clock.ts'
import type { FrameClock } from '../time/clock.ts'
import { inputGuards, runTool } from '../tools/run.ts'
import type { ToolOutcome } from '../tools/run.ts'
import { baseOf, passArguments } from './arguments.ts'
import { framesOf, maxSamplesOf, placedSound, ptsReader, segmentsOf, soundSink } from './pipes.ts'
import type { PlacedSound } from './pipes.ts'
import {
  audioFileName,
  faceSide,
  faceStep,
  hasSound,
  heardPipes,
  planOf,
  proxyFileName,
  sampledFrames,
  smallBytes,
  textStep,
  trackPipes,
} from './plan.ts'
import type { PassRequest, Plan, SoundPipes } from './plan.ts'

export interface PassResult {
  outcome: ToolOutcome
  /** The clock of the decoded frames: its frame 0 is `startFrame` of the file. */
  clock: FrameClock
  startFrame: number
  /**
   * The file's frame for each decoded one, and for their end; null if they are consecutive, as
   * always unless some cannot be decoded.
   */
  places: Int32Array | null
  images: number
  /** The first decoded frame, in the container's ticks; null if there is none. */
  firstPts: number | null
  /** Timestamps of all frames. */
  pts: Float64Array
  audio: { file: string; samples: number } | null
  proxyFile: string | null
}

export async function runPass(request: PassRequest): Promise<PassResult> {
  const { details, workDir } = request
  const plan = planOf(request)
  const isHeard = hasSound(request)
  const audioWanted = isHeard && (request.onAudio || request.keepAudio)
  const audioPath = path.join(workDir, audioFileName)
  const handle = audioWanted && request.keepAudio ? await open(audioPath, 'w') : null
  const pts = plan.video ? ptsReader() : null
  const sound = audioWanted ? soundSink(request, handle, plan) : null
  const pipes: Record<number, (chunk: Buffer) => void | Promise<void>> = {}
  const { onFrame, onFace, tracks = [] } = request
  const report = (images: number): void =>
    request.onProgress?.(Math.min(1, images / Math.max(1, plan.frames)))
  if (plan.video && onFrame) {
    let seen = 0
    const take = framesOf(smallBytes, (yuv, index) => {
      seen = index + 1
      return onFrame(yuv, (request.firstFrame ?? 0) + index)
    })
    pipes[1] = async (chunk) => {
      await take(chunk)
      report(seen)
    }
  }
  if (plan.video && onFace) {
    const frameOf = sampledFrames(faceStep(details.clock), request.firstFrame)
    const side = faceSide * faceSide * 3
    pipes[5] = framesOf(side, (rgb, index) => onFace(rgb, frameOf(index)))
  }
  if (request.onSegment) pipes[1] = segmentsOf(request.onSegment)
  const { text, onText } = request
  if (plan.video && text && onText) {
    const frameOf = sampledFrames(textStep(details.clock), request.firstFrame)
    pipes[6] = framesOf(text.width * text.height, (gray, index) => onText(gray, frameOf(index)))
  }
  const listen = (at: SoundPipes, { push, place }: PlacedSound): void => {
    pipes[at.samples] = push
    pipes[at.places] = place
  }
  if (sound) listen(heardPipes, sound)
  for (const [index, { channels, onSound }] of (isHeard ? tracks : []).entries()) {
    listen(trackPipes(index), placedSound({ channels, maxSamples: maxSamplesOf(plan) }, onSound))
  }
  if (pts) {
    pipes[3] = (chunk) => {
      pts.push(chunk)
      if (!onFrame) report(pts.count())
    }
  }
  try {
    const from = await findSeek(request, plan)
    const outcome = await runTool({
      tool: 'ffmpeg',
      input: request.file,
      outDir: workDir,
      wallMs: 300_000 + plan.seconds * 40_000,
      limits: { cpuSeconds: Math.ceil(300 + plan.seconds * 60) },
      signal: request.signal,
      args: (paths) => passArguments(request, plan, from, paths),
      pipes,
    })
    // Damaged media ends a pass early and its first part counts; a full disk does not.
    if (outcome.end === 'failed' && outcome.stderr.includes('No space left on device')) {
      throw Object.assign(new Error('The pass could not write its files.'), { code: 'ENOSPC' })
    }
    const images = pts?.count() ?? 0
    return {
      outcome,
      clock: clockOf(request, plan, pts),
      startFrame: plan.startFrame,
      places: pts ? placesOf(request, plan, pts.values()) : null,
      images,
      firstPts: pts?.values()[0] ?? null,
      pts: pts?.values() ?? new Float64Array(),
      audio: sound && handle ? { file: audioPath, samples: sound.samples() } : null,
      proxyFile:
        request.proxy && (plan.video || isHeard) ? (request.proxyName ?? proxyFileName) : null,
    }
  } finally {
    await handle?.close()
  }
}

/**
 * Where to start reading: at a frame that decodes at or before the first wanted one. Containers
 * without an index land too late, so each try is checked, and the last one reads from the start.
 * A range that begins with a key frame is sought a little behind it, since ffmpeg itself goes back
 * by an eighth of a second where frames are reordered, and then to the key frame before.
 */
async function findSeek(request: PassRequest, plan: Plan): Promise<number> {
  const { details, file, signal } = request
  // A time that the file's clock shows several times cannot be sought.
  if (plan.startFrame === 0 || (details.restarts?.length ?? 0) > 0) return 0
  const fileStart = Number(details.format.start_time ?? 0) || 0
  const half = 0.5 / toNumber(details.clock.rate)
  const isKey = details.video?.keys.includes(details.video.pts?.[plan.startFrame] ?? NaN)
  for (const marginSeconds of [...(isKey ? [-0.2] : []), 0, 4, 20, 60]) {
    const from = plan.startSeconds - half - fileStart - marginSeconds
    if (from <= 0) return 0
    if (!plan.video) return Math.max(0, from - 1)
    const first = ptsReader()
    await runTool({
      tool: 'ffmpeg',
      input: file,
      wallMs: 60_000,
      signal,
      args: (paths) => [
        ...['-v', 'error', '-nostdin', '-copyts', ...inputGuards, '-noaccurate_seek'],
        ...['-ss', from.toFixed(6), '-i', paths.input, '-map', `0:${details.video?.index ?? 0}`],
        ...['-frames:v', '1', '-fps_mode', 'passthrough', '-enc_time_base', baseOf(details)],
        ...['-f', 'framecrc', 'pipe:3'],
      ],
      pipes: { 3: (chunk) => first.push(chunk) },
    })
    const base = first.timeBase()
    const landed = first.values()[0]
    if (base && landed !== undefined && landed * toNumber(base) <= plan.startSeconds + half) {
      return from
    }
  }
  return 0
}

function placesOf(request: PassRequest, plan: Plan, seen: Float64Array): Int32Array | null {
  const { video, clock } = request.details
  // At a variable rate, a lost frame cannot be distinguished from one that never was.
  const all = clock.variable ? null : video?.pts
  if (!all || seen.length === 0 || plan.startFrame + seen.length > all.length) return null
  const places = new Int32Array(seen.length + 1)
  let at = plan.startFrame
  for (const [index, pts] of seen.entries()) {
    while ((all[at] ?? Infinity) < pts) at++
    places[index] = at++
  }
  places[seen.length] = at
  return at === plan.startFrame + seen.length || at > all.length ? null : places
}

function clockOf(
  request: PassRequest,
  plan: Plan,
  pts: ReturnType<typeof ptsReader> | null,
): FrameClock {
  const { clock, video } = request.details
  if (!pts || !video) {
    return createClock({ rate: clock.rate, frames: plan.frames || clock.frames })
  }
  const values = pts.values()
  const timeBase = pts.timeBase() ?? video.timeBase
  const lastTicks = plan.frames === clock.frames ? video.lastTicks : undefined
  return createClock({ rate: clock.rate, frames: values.length, pts: values, timeBase, lastTicks })
}
