/**
 * Images to look at: a poster, a still for each shot (or evenly spaced), a sprite sheet with WebVTT
 * for scrubbing, the review proxy and the waveform. Proxy, sprites and waveform come from the
 * shared pass; stills come from the proxy, which holds the same frames in the same order, or from
 * its pieces: opening a proxy of two hours takes longer than taking a frame from it, and each run
 * opens it many times. Sound alone gets a proxy and a waveform.
 *
 * Each part stands on its own: one that cannot be made is named in `missing`, and the others stay.
 */
import { formatRational, toNumber } from '../../domain/time/rational.ts'
import { rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import type { FindingsOf } from '../../domain/findings/findings.ts'
import type { FrameClock } from '../time/clock.ts'
import { movesBetween } from '../time/rebase.ts'
import { inputGuards, runTool } from '../tools/run.ts'
import { takeFrames } from '../media/take-frames.ts'
import { toneMap } from '../media/tone-map.ts'
import type { Extractor, ProxyPiece, RunOptions, Signals } from './extractor.ts'

/** Shots beyond this many share a still with a neighbour. */
const maxStills = 10_000
const stillWidth = 480
const Params = z.strictObject({
  /** How many stills to take if shots are not known. */
  stills: z.int().min(1).max(200).default(12),
})
type Params = z.infer<typeof Params>
type Thumbnail = FindingsOf<'thumbnail'>
type Still = Thumbnail['stills'][number]
type Part = NonNullable<Thumbnail['missing']>[number]

export const thumbnailExtractor: Extractor<'thumbnail', Params> = {
  id: 'thumbnail',
  version: '10',
  params: Params,
  requires: [],
  takesAnything: true,
  needs: ['files'],
  async run(signals, params, options) {
    if (!signals.details) return await imageFindings(signals, options.signal)
    const images = signals.details.video !== null
    const missing: Part[] = []
    const part = async <Value>(name: Part, make: () => Promise<Value | null>) => {
      try {
        const value = await make()
        if (value === null) missing.push(name)
        return value
      } catch (error) {
        options.signal?.throwIfAborted()
        options.onFault?.(`${name}: ${String(error)}`)
        missing.push(name)
        return null
      }
    }
    const proxy = await part('proxy', () => describeProxy(signals, options.signal))
    const stills = images
      ? await part('stills', () => takeStills(signals, params.stills, options))
      : []
    const poster = images ? await part('poster', () => takePoster(signals, stills ?? [])) : null
    const sprite = images ? await part('sprite', () => describeSprite(signals)) : null
    for (const { file } of signals.files?.pieces ?? []) {
      await rm(path.join(signals.workDir, file), { force: true })
    }
    const waveform = signals.details.audio
      ? await part('waveform', () => waveformOf(signals))
      : null
    if (!proxy && !sprite && !waveform) throw new Error('No thumbnails could be made.')
    return {
      poster,
      stills: stills ?? [],
      sprite,
      proxy,
      waveform,
      ...(missing.length > 0 ? { missing } : {}),
    }
  },
}

async function describeProxy(
  { files, details, workDir, clock }: Signals,
  signal: AbortSignal | undefined,
): Promise<Thumbnail['proxy']> {
  if (!files?.proxy) return null
  const size = details?.video
    ? await proxySize(path.join(workDir, files.proxy), signal)
    : { width: null, height: null }
  if (!size) return null
  return {
    file: files.proxy,
    ...size,
    frame_rate: formatRational(clock.rate),
    frames: clock.frames,
    start_frame: 0,
  }
}

async function waveformOf({ files }: Signals): Promise<Thumbnail['waveform']> {
  const waveform = files?.waveform
  if (!waveform) return await Promise.resolve(null)
  return {
    file: waveform.file,
    peaks_per_second: waveform.peaksPerSecond,
    channels: 1,
    count: waveform.count,
    start: 0,
  }
}

interface ChosenFrame {
  frame: number
  shot: number | null
}

/** Returns the middle frame of each shot, or of equal parts if shots are not known. */
function stillFrames({ findings, clock }: Signals, count: number): ChosenFrame[] {
  const shots = findings.shots?.shots
  if (shots && shots.length > 0) {
    const step = Math.ceil(shots.length / maxStills)
    return shots
      .filter((_, index) => index % step === 0)
      .map((shot) => ({
        frame: (shot.start_frame + shot.end_frame) >> 1,
        shot: shot.index,
      }))
      .filter(({ frame }) => frame >= 0 && frame < clock.frames)
  }
  const parts = Math.min(count, clock.frames)
  return Array.from({ length: parts }, (_, index) => ({
    frame: Math.floor(((index + 0.5) * clock.frames) / parts),
    shot: null,
  }))
}

/** Takes the stills; null if none could be taken. Single missing ones are omitted. */
async function takeStills(
  signals: Signals,
  count: number,
  { signal, onProgress }: RunOptions,
): Promise<Still[] | null> {
  const { workDir, clock, files } = signals
  if (!files?.proxy) return null
  const { startFrame, places } = signals
  const place = places ? movesBetween(places).there : (frame: number) => frame + startFrame
  const wanted = stillFrames(signals, count).map(({ frame, shot }) => ({
    still: {
      frame,
      time: formatRational(clock.timeOf(frame)),
      // Named after the media's frame, so that a search hit finds the nearest still.
      file: `still-${String(place(frame)).padStart(9, '0')}.jpg`,
      shot,
    },
  }))
  const written = new Set<string>()
  let tried = 0
  for (const piece of piecesOf(signals)) {
    const here = wanted.filter(({ still }) => isIn(piece, still.frame))
    const names = await takeFrames({
      file: path.join(workDir, piece.file),
      outDir: workDir,
      frames: here.map(({ still: { file, frame } }) => ({
        file,
        seconds: secondsBefore(clock, frame, piece),
      })),
      maxWidth: stillWidth,
      signal,
      onProgress: (done) => onProgress?.((tried + done * here.length) / wanted.length),
    })
    tried += here.length
    for (const name of names) written.add(name)
  }
  const stills = wanted.flatMap(({ still }) => (written.has(still.file) ? [still] : []))
  return stills.length > 0 ? stills : null
}

/** Returns the pieces of the proxy; the whole proxy as one if it was not joined. */
function piecesOf({ files, clock }: Signals): readonly ProxyPiece[] {
  const whole = { file: files?.proxy ?? '', startFrame: 0, endFrame: clock.frames }
  return files?.pieces && files.pieces.length > 0 ? files.pieces : [whole]
}

function isIn({ startFrame, endFrame }: ProxyPiece, frame: number): boolean {
  return frame >= startFrame && frame < endFrame
}

/** Seconds within the piece, half a frame early: safe from rounding on either side. */
function secondsBefore(clock: FrameClock, frame: number, { startFrame }: ProxyPiece): number {
  if (frame <= startFrame) return 0
  const [before, start] = [frame - 1, frame].map((candidate) => toNumber(clock.timeOf(candidate)))
  return (before! + start!) / 2 - toNumber(clock.timeOf(startFrame))
}

/** The still with the most to see, at the proxy's size; without any, the middle of the film. */
async function takePoster(signals: Signals, stills: readonly Still[]): Promise<string | null> {
  const { workDir, clock, files } = signals
  if (!files?.proxy) return null
  // Picks the largest JPEG: detail makes a JPEG large, black and blur make it small.
  let best = { frame: clock.frames >> 1, size: 0 }
  for (const { file, frame } of stills) {
    const { size } = await stat(path.join(workDir, file))
    if (size > best.size) best = { frame, size }
  }
  const piece = piecesOf(signals).find((candidate) => isIn(candidate, best.frame))
  if (!piece) return null
  const written = await takeFrames({
    file: path.join(workDir, piece.file),
    outDir: workDir,
    frames: [{ file: posterFile, seconds: secondsBefore(clock, best.frame, piece) }],
  })
  return written.has(posterFile) ? posterFile : null
}

const posterFile = 'poster.jpg'

async function describeSprite({ workDir, files, clock }: Signals): Promise<Thumbnail['sprite']> {
  const sprite = files?.sprite
  if (!sprite) return null
  const { intervalFrames, tileWidth, tileHeight, columns, rows, names } = sprite
  const count = Math.ceil(clock.frames / intervalFrames)
  const cues = Array.from({ length: count }, (_, index) => {
    const start = toNumber(clock.timeOf(index * intervalFrames))
    const end = toNumber(clock.timeOf(Math.min(clock.frames, (index + 1) * intervalFrames)))
    const sheet = names[Math.floor(index / (columns * rows))]
    const at = index % (columns * rows)
    const box = [(at % columns) * tileWidth, Math.floor(at / columns) * tileHeight]
    return `${vttTime(start)} --> ${vttTime(end)}\n${sheet}#xywh=${box.join(',')},${tileWidth},${tileHeight}\n`
  })
  await writeFile(path.join(workDir, 'sprite.vtt'), `WEBVTT\n\n${cues.join('\n')}`)
  return {
    file: names,
    vtt: 'sprite.vtt',
    tile_width: tileWidth,
    tile_height: tileHeight,
    columns,
    rows,
    interval_frames: intervalFrames,
    count,
    start_frame: 0,
  }
}

function vttTime(seconds: number): string {
  const ms = Math.round(seconds * 1000)
  const twoDigits = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const clockPart = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map(twoDigits).join(':')
  return `${clockPart}.${String(ms % 1000).padStart(3, '0')}`
}

async function proxySize(
  file: string,
  signal: AbortSignal | undefined,
): Promise<{ width: number; height: number } | null> {
  let output = ''
  await runTool({
    tool: 'ffprobe',
    input: file,
    wallMs: 30_000,
    signal,
    args: (paths) => [
      ...['-v', 'error', ...inputGuards, '-select_streams', 'v:0'],
      ...['-show_entries', 'stream=width,height', '-of', 'csv=p=0', paths.input],
    ],
    pipes: { 1: (chunk) => void (output += chunk.toString('latin1')) },
  })
  const [width, height] = output.trim().split(',').map(Number)
  return width && height ? { width, height } : null
}

/** An image is its own still. */
async function imageFindings(
  { file, workDir, media, report }: Signals,
  signal: AbortSignal | undefined,
): Promise<Thumbnail> {
  if (media.kind !== 'image') throw new Error('There is no picture to look at.')
  const image = report?.streams.find((stream) => stream.codec_type === 'video')
  const filters = ["scale='min(1280\\,iw)':-2", ...toneMap(image?.color_transfer)].join(',')
  const outcome = await runTool({
    tool: 'ffmpeg',
    input: file,
    outDir: workDir,
    wallMs: 60_000,
    limits: { memoryBytes: 4 * 1024 ** 3, cpuSeconds: 60 },
    signal,
    args: (paths) => [
      ...['-v', 'error', '-nostdin', '-y', ...inputGuards, '-i', paths.input, '-frames:v', '1'],
      ...['-vf', filters, '-q:v', '3', '-f', 'image2', '-update', '1'],
      path.join(paths.out, posterFile),
    ],
  })
  if (outcome.end !== 'done') throw new Error('This image cannot be decoded.')
  const stills = [{ frame: 0, time: '0/1', file: posterFile, shot: null }]
  return { poster: posterFile, stills, sprite: null, proxy: null, waveform: null }
}
