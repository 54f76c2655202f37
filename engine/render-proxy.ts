/**
 * The fifth door: renders what a timeline plays into one proxy with a poster, a sprite and a
 * waveform of its own. Each event becomes a piece that holds exactly its source frames, trimmed by
 * their own times, and its sound to the sample; all is joined without encoding it again. No frame
 * and no sample of a source outside of the events reaches any file that this writes.
 */
import { open, rm, stat, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { formatRational, parseRational, rational, toNumber } from '../domain/time/rational.ts'
import type { Rational } from '../domain/time/rational.ts'
import { sheetNames } from './extractors/gather.ts'
import { spriteGrid } from './extractors/see-frames.ts'
import { createPeaks, writePeaks } from './extractors/waveform-peaks.ts'
import { takeFrames } from './media/take-frames.ts'
import { proxyFileName } from './pass/plan.ts'
import type { SpriteGrid } from './pass/plan.ts'
import { runPass } from './pass/run.ts'
import { probe } from './probe.ts'
import type { MediaDetails } from './probe.ts'
import { inputGuards, runTool } from './tools/run.ts'

export interface PlayedEvent {
  /** Index of the file; null: black and silent. */
  file: number | null
  /** First frame of the file; `out` is exclusive. */
  in: number
  out: number
  /** Frames of the proxy; events follow each other. */
  recordIn: number
  recordOut: number
}

export interface RenderOrder {
  workDir: string
  /** Review proxies, which have all frames of their media in order. */
  files: readonly string[]
  /** Frames per second of the proxy, as a fraction. */
  rate: string
  events: readonly PlayedEvent[]
}

export interface RenderedProxy {
  proxy: { file: string; width: number; height: number; frame_rate: string; frames: number }
  poster: string | null
  sprite: (Omit<SpriteGrid, 'intervalFrames'> & { files: string[]; intervalFrames: number }) | null
  waveform: { file: string; peaksPerSecond: number; count: number } | null
}

interface Options {
  signal?: AbortSignal
  /** The completed share, from 0 to 1, and its bytes. */
  onProgress?: (part: number, bytes: number) => void
}

interface Piece {
  event: PlayedEvent
  name: string
  frames: number
}

interface Size {
  width: number
  height: number
}

interface Render extends Options {
  order: RenderOrder
  rate: Rational
  size: Size
  sound: FileHandle
  details: readonly MediaDetails[]
}

const soundRate = 48_000
/** Bytes per sample of two 16-bit channels. */
const sampleBytes = 4
const soundName = 'sound.s16'
const listName = 'pieces.txt'
const blackName = 'black.yuv'
const posterName = 'poster.jpg'
/** Frame size of a timeline whose sources have no video. */
const darkSize = { width: 640, height: 360 }
const wallBaseMs = 120_000
const wallMsPerSecond = 30_000
/** The part of the work that is left once all pieces are there. */
const joinPart = 0.1

export async function renderProxy(
  order: RenderOrder,
  options: Options = {},
): Promise<RenderedProxy> {
  const { workDir } = order
  const rate = parseRational(order.rate)
  if (!rate) throw new Error(`Not a frame rate: ${order.rate}`)
  const details: MediaDetails[] = []
  for (const file of order.files) details.push(await measure(file, options.signal))
  const size = sizeOf(details)
  const frames = order.events.at(-1)?.recordOut ?? 0
  const sound = await open(path.join(workDir, soundName), 'w+')
  try {
    // Silence fills the time that no event writes.
    await sound.truncate(sampleAt(frames, rate) * sampleBytes)
    const render = { ...options, order, rate, size, sound, details }
    const pieces = await renderPieces(render, frames)
    await joinPieces(render, pieces)
  } finally {
    await sound.close()
  }
  options.onProgress?.(1 - joinPart / 2, (await stat(path.join(workDir, proxyFileName))).size)
  return await describe({ workDir, rate, size, frames }, options.signal)
}

/** Every frame's time, from the packets. */
async function measure(file: string, signal: AbortSignal | undefined): Promise<MediaDetails> {
  const outcome = await probe(file, { signal })
  const isExact =
    outcome.status === 'media' && (!outcome.details.video || outcome.details.video.pts !== null)
  if (!isExact) throw new Error('A review proxy cannot be read.')
  return outcome.details
}

/** A size that holds each of them; others get bars. */
function sizeOf(details: readonly MediaDetails[]): Size {
  const streams = details.flatMap(({ video, streams }) =>
    streams.filter(({ index }) => index === video?.index),
  )
  if (streams.length === 0) return darkSize
  const max = (side: 'width' | 'height'): number =>
    Math.max(2, ...streams.map((stream) => Math.trunc((stream[side] ?? 0) / 2) * 2))
  return { width: max('width'), height: max('height') }
}

async function renderPieces(render: Render, allFrames: number): Promise<Piece[]> {
  const { order, onProgress } = render
  const pieces: Piece[] = []
  let [done, bytes] = [0, 0]
  for (const [at, event] of order.events.entries()) {
    const piece = {
      event,
      name: `piece-${String(at).padStart(6, '0')}.mp4`,
      frames: event.recordOut - event.recordIn,
    }
    const file = path.join(order.workDir, piece.name)
    const report = async (frames: number): Promise<void> => {
      const { size } = await stat(file).catch(() => ({ size: 0 }))
      onProgress?.(((done + frames) / allFrames) * (1 - joinPart), bytes + size)
    }
    const renderPiece = event.file === null ? renderBlack : renderEvent
    await renderPiece(render, piece, report)
    const { size } = await stat(file)
    done += piece.frames
    bytes += size
    await report(0)
    pieces.push(piece)
  }
  return pieces
}

async function renderEvent(
  render: Render,
  piece: Piece,
  report: (frames: number) => Promise<void>,
): Promise<void> {
  const { order, rate, sound } = render
  const { event } = piece
  const details = render.details[event.file ?? 0]!
  const file = order.files[event.file ?? 0]!
  // A proxy of sound alone gets black frames.
  if (!details.video) await renderBlack(render, piece, report)
  if (!details.video && !details.audio) return
  let at = sampleAt(event.recordIn, rate) * sampleBytes
  const end = sampleAt(event.recordOut, rate) * sampleBytes
  await run(render, file, piece, {
    args: (paths) => eventArguments(render, details, piece, paths),
    onSound: async (chunk) => {
      const part = chunk.subarray(0, Math.max(0, end - at))
      if (part.length > 0) await sound.write(part, 0, part.length, at)
      at += part.length
    },
    onFrames: report,
  })
}

function eventArguments(
  { rate, size, order: { rate: rateText } }: Render,
  details: MediaDetails,
  { event, name, frames }: Piece,
  paths: { input: string; out: string },
): string[] {
  const { video, audio, clock, format } = details
  const origin = video?.startSeconds ?? audio?.startSeconds ?? 0
  const [start, end] = [event.in, event.out].map((frame) => origin + toNumber(clock.timeOf(frame)))
  const half = 0.5 / toNumber(clock.rate)
  const seek = start! - half - (Number(format.start_time ?? 0) || 0)
  const graph: string[] = []
  const outputs: string[] = []
  if (video) {
    const { width, height } = size
    const after = video.pts![event.out]
    const filters = [
      `trim=start_pts=${video.pts![event.in]}${after === undefined ? '' : `:end_pts=${after}`}`,
      // The frame on the screen at a frame of the timeline is the last that has begun; its time may
      // be rounded to ticks.
      `setpts='PTS-STARTPTS+${(0.4 / toNumber(rate)).toFixed(9)}/TB'`,
      `fps=${rateText}:start_time=0:round=near,tpad=stop=-1:stop_mode=clone`,
      `scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2:flags=bilinear`,
      `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2,setsar=1,format=yuv420p`,
    ]
    graph.push('-filter_complex', `[0:${video.index}]${filters.join(',')}[v]`)
    outputs.push('-map', '[v]', ...pieceOutput({ rate, frames }, path.join(paths.out, name)))
  }
  if (audio) {
    const from = start!.toFixed(7)
    const filters = [
      `atrim=start=${from}:end=${end!.toFixed(7)},asetpts='PTS-${from}/TB'`,
      `aresample=${soundRate}:async=1:first_pts=0:min_hard_comp=0.05`,
      `aformat=s16:${soundRate}:stereo`,
    ]
    graph.push('-filter_complex', `[0:${audio.index}]${filters.join(',')}[a]`)
    outputs.push('-map', '[a]', '-f', 's16le', 'pipe:1')
  }
  return [
    ...['-v', 'error', '-nostdin', '-y', '-copyts', ...progress, ...inputGuards],
    ...(seek > 0 ? ['-noaccurate_seek', '-ss', seek.toFixed(6)] : []),
    ...['-i', paths.input, ...graph, ...outputs],
  ]
}

const progress = ['-progress', 'pipe:3', '-stats_period', '1']

/** Encodes all pieces alike, so that they can be joined; the second encoding should lose little. */
function pieceOutput({ rate, frames }: { rate: Rational; frames: number }, file: string): string[] {
  return [
    ...['-frames:v', String(frames), '-fps_mode', 'passthrough'],
    ...['-enc_time_base', `${rate.den}:${rate.num}`, '-c:v', 'libx264', '-preset', 'ultrafast'],
    ...['-crf', '23', '-x264-params', 'cabac=1:deblock=1,1', '-g', '25', '-bf', '0'],
    ...['-map_metadata', '-1', '-f', 'mp4', file],
  ]
}

const ownFrames = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', 'rawvideo']

async function renderBlack(
  render: Render,
  piece: Piece,
  report: (frames: number) => Promise<void>,
): Promise<void> {
  const { order, rate, size } = render
  const black = path.join(order.workDir, blackName)
  const pixels = size.width * size.height
  await writeFile(black, Buffer.concat([Buffer.alloc(pixels, 16), Buffer.alloc(pixels / 2, 128)]))
  await run(render, black, piece, {
    args: (paths) => [
      ...['-v', 'error', '-nostdin', '-y', ...progress, ...ownFrames, '-stream_loop', '-1'],
      ...['-f', 'rawvideo', '-pixel_format', 'yuv420p', '-framerate', order.rate],
      ...['-video_size', `${size.width}x${size.height}`, '-i', paths.input, '-vf', 'setsar=1'],
      ...pieceOutput({ rate, frames: piece.frames }, path.join(paths.out, piece.name)),
    ],
    onSound: () => undefined,
    onFrames: report,
  })
}

async function run(
  { order, rate, signal }: Render,
  input: string,
  { frames }: Piece,
  how: {
    args: (paths: { input: string; out: string }) => string[]
    onSound: (chunk: Buffer) => void | Promise<void>
    onFrames: (frames: number) => Promise<void>
  },
): Promise<void> {
  const { end, stderr } = await runTool({
    tool: 'ffmpeg',
    input,
    outDir: order.workDir,
    wallMs: wallBaseMs + (frames / toNumber(rate)) * wallMsPerSecond,
    signal,
    args: how.args,
    pipes: {
      1: how.onSound,
      async 3(chunk) {
        const [, count] = /.*\bframe=\s*(\d+)/s.exec(chunk.toString('latin1')) ?? []
        if (count) await how.onFrames(Math.min(frames, Number(count)))
      },
    },
  })
  signal?.throwIfAborted()
  if (end !== 'done')
    throw new Error(`A piece of a proxy could not be rendered (${end}). ${stderr}`)
}

/** The concat demuxer is safe here: the list is our own and names only our own files. */
const ownList = ['-protocol_whitelist', 'file', '-format_whitelist', 'concat,mov', '-safe', '1']
const ownSound = ['-protocol_whitelist', 'file', '-format_whitelist', 's16le']

async function joinPieces({ order, rate, signal }: Render, pieces: readonly Piece[]) {
  const { workDir } = order
  const lines = pieces.map(
    ({ name, frames }) => `file '${name}'\nduration ${(frames / toNumber(rate)).toFixed(6)}`,
  )
  await writeFile(path.join(workDir, listName), `ffconcat version 1.0\n${lines.join('\n')}\n`)
  const { end, stderr } = await runTool({
    tool: 'ffmpeg',
    input: path.join(workDir, soundName),
    outDir: workDir,
    alsoReads: [listName, ...pieces.map(({ name }) => name)],
    wallMs: wallBaseMs + ((pieces.at(-1)?.event.recordOut ?? 0) / toNumber(rate)) * 1000,
    signal,
    args: (paths) => [
      ...['-v', 'error', '-nostdin', '-y'],
      ...[...ownList, '-f', 'concat', '-i', path.join(paths.out, listName)],
      ...[...ownSound, '-f', 's16le', '-ar', String(soundRate), '-ac', '2', '-i', paths.input],
      ...['-map', '0:v', '-map', '1:a', '-c:v', 'copy', '-c:a', 'aac', '-b:a', '128k'],
      ...['-movflags', '+faststart', '-map_metadata', '-1'],
      ...['-f', 'mp4', path.join(paths.out, proxyFileName)],
    ],
  })
  signal?.throwIfAborted()
  if (end !== 'done') throw new Error(`A proxy could not be joined (${end}). ${stderr}`)
  for (const name of [listName, soundName, blackName, ...pieces.map((piece) => piece.name)]) {
    await rm(path.join(workDir, name), { force: true })
  }
}

/** Looks at the proxy itself: nothing else can be in its poster, sprite and waveform. */
async function describe(
  { workDir, rate, size, frames }: { workDir: string; rate: Rational; size: Size; frames: number },
  signal: AbortSignal | undefined,
): Promise<RenderedProxy> {
  const file = path.join(workDir, proxyFileName)
  const outcome = await probe(file, { signal })
  if (outcome.status !== 'media') throw new Error('The rendered proxy cannot be read.')
  const { media, details } = outcome
  const grid = spriteGrid(media, details)
  const peaks = createPeaks()
  await runPass({
    ...{ file, details, workDir, sprite: grid, onAudio: (samples) => peaks.push(samples) },
    signal,
  })
  const poster = await takeFrames({
    ...{ file, outDir: workDir },
    frames: [{ file: posterName, seconds: Math.max(0, (frames >> 1) - 0.5) / toNumber(rate) }],
    signal,
  })
  signal?.throwIfAborted()
  const names = await sheetNames(workDir)
  return {
    proxy: { file: proxyFileName, ...size, frame_rate: formatRational(rate), frames },
    poster: poster.has(posterName) ? posterName : null,
    sprite: names.length > 0 ? { ...grid, files: names } : null,
    waveform: await writePeaks(workDir, peaks.finish()),
  }
}

function sampleAt(frame: number, rate: Rational): number {
  const exact = rational(BigInt(frame) * rate.den * BigInt(soundRate), rate.num)
  return Number(exact.num / exact.den)
}
