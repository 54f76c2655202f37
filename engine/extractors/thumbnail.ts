/**
 * Pictures to look at: a poster, a still for each shot (or evenly spaced), a sprite sheet with
 * WebVTT for scrubbing, the review proxy and the waveform. Proxy, sprites and waveform come from the
 * shared pass; stills are taken from the proxy, which holds the same frames in the same order. Of
 * sound alone the proxy and the waveform are made.
 */
import { copyFile, readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import type { FindingsOf } from '../../contract/findings.ts'
import { fractionText, toNumber } from '../time/clock.ts'
import type { FrameClock } from '../time/clock.ts'
import { inputGuards, runTool } from '../tools/run.ts'
import type { Extractor, PassFiles, Signals } from './extractor.ts'

const maxStills = 200
const Params = z.strictObject({
  /** How many stills where shots are not known. */
  stills: z.int().min(1).max(maxStills).default(12),
})
type Params = z.infer<typeof Params>
type Still = FindingsOf<'thumbnail'>['stills'][number]

export const thumbnailExtractor: Extractor<'thumbnail', Params> = {
  id: 'thumbnail',
  version: '4',
  params: Params,
  requires: [],
  needs: ['files'],
  async run(signals, params, { signal }) {
    const { files, workDir, clock } = signals
    if (!signals.details) return await imageFindings(signals, signal)
    const pictures = signals.details.video ? files?.proxy : null
    const frames = pictures ? stillFrames(signals, params.stills) : []
    const stills = pictures ? await takeStills(signals, pictures, frames, signal) : []
    const poster = await choosePoster(workDir, stills)
    const size = pictures
      ? await proxySize(path.join(workDir, pictures), signal)
      : { width: null, height: null }
    return {
      poster,
      stills,
      sprite: files?.sprite ? await describeSprite(workDir, files.sprite, clock) : null,
      proxy:
        files?.proxy && size
          ? {
              file: files.proxy,
              ...size,
              frame_rate: fractionText(clock.rate),
              frames: clock.frames,
              start_frame: 0,
            }
          : null,
      waveform: files?.waveform
        ? {
            file: files.waveform.file,
            peaks_per_second: files.waveform.peaksPerSecond,
            channels: 1,
            count: files.waveform.count,
            start: 0,
          }
        : null,
    }
  },
}

/** The middle of each shot, or of equal parts. */
function stillFrames(
  { found, clock }: Signals,
  count: number,
): { frame: number; shot: number | null }[] {
  const shots = found.shots?.shots
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

async function takeStills(
  { workDir, clock }: Signals,
  proxy: string,
  frames: { frame: number; shot: number | null }[],
  signal: AbortSignal | undefined,
): Promise<Still[]> {
  if (frames.length === 0) return []
  const chosen = frames.map(({ frame }) => `eq(n\\,${frame})`).join('+')
  const seconds = toNumber(clock.timeOf(clock.frames))
  const outcome = await runTool({
    tool: 'ffmpeg',
    input: path.join(workDir, proxy),
    outDir: workDir,
    wallMs: 120_000 + seconds * 5000,
    signal,
    args: (paths) => [
      ...['-v', 'error', '-nostdin', '-y', ...inputGuards, '-i', paths.input, '-an'],
      ...['-vf', `select='${chosen}'`, '-fps_mode', 'passthrough', '-q:v', '4', '-f', 'image2'],
      path.join(paths.out, 'still-%04d.jpg'),
    ],
  })
  if (outcome.end !== 'done') throw new Error(`No stills could be taken: ${outcome.end}.`)
  const written = new Set(await readdir(workDir))
  return frames.flatMap(({ frame, shot }, index) => {
    const file = `still-${String(index + 1).padStart(4, '0')}.jpg`
    return written.has(file) ? [{ frame, time: fractionText(clock.timeOf(frame)), file, shot }] : []
  })
}

/** The still with the most to see: detail makes a JPEG large, black and blur make it small. */
async function choosePoster(workDir: string, stills: readonly Still[]): Promise<string | null> {
  let best: { file: string; size: number } | null = null
  for (const { file } of stills) {
    const { size } = await stat(path.join(workDir, file))
    if (!best || size > best.size) best = { file, size }
  }
  if (!best) return null
  await copyFile(path.join(workDir, best.file), path.join(workDir, 'poster.jpg'))
  return 'poster.jpg'
}

async function describeSprite(
  workDir: string,
  sprite: NonNullable<PassFiles['sprite']>,
  clock: FrameClock,
): Promise<FindingsOf<'thumbnail'>['sprite']> {
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
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const clockPart = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map(two).join(':')
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
  { file, workDir, media }: Signals,
  signal: AbortSignal | undefined,
): Promise<FindingsOf<'thumbnail'>> {
  if (media.kind !== 'image') throw new Error('There is no picture to look at.')
  const outcome = await runTool({
    tool: 'ffmpeg',
    input: file,
    outDir: workDir,
    wallMs: 60_000,
    limits: { memoryBytes: 4 * 1024 ** 3, cpuSeconds: 60 },
    signal,
    args: (paths) => [
      ...['-v', 'error', '-nostdin', '-y', ...inputGuards, '-i', paths.input, '-frames:v', '1'],
      ...['-vf', "scale='min(1280\\,iw)':-2", '-q:v', '3', '-f', 'image2', '-update', '1'],
      path.join(paths.out, 'poster.jpg'),
    ],
  })
  if (outcome.end !== 'done') throw new Error('This image cannot be decoded.')
  const stills = [{ frame: 0, time: '0/1', file: 'poster.jpg', shot: null }]
  return { poster: 'poster.jpg', stills, sprite: null, proxy: null, waveform: null }
}
