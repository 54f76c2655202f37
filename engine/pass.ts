/**
 * One decode feeds everything that was asked for. A single ffmpeg process splits its decoded
 * pictures into small frames, face frames, a review proxy and sprites, and its sound into 16 kHz
 * mono, so several extractors cost one decode.
 *
 * Invariants:
 * - Frame numbers count decoded pictures in presentation order from the start of the range
 *   (`passthrough`: none is doubled or dropped), and `pts` has one exact value for each.
 * - Sample 0 of the sound is the start of frame 0: later sound is padded, earlier sound trimmed.
 * - Memory does not grow with the sound: it goes to `audio.s16` and past the listener.
 */
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { createClock, toNumber } from './clock.ts'
import type { FrameClock } from './clock.ts'
import { inputGuards, runTool } from './ffmpeg.ts'
import type { ToolOutcome } from './ffmpeg.ts'
import type { MediaDetails } from './probe.ts'

export const smallWidth = 64
export const smallHeight = 36
/** Luma, then both chroma planes at half size. */
export const smallBytes = (smallWidth * smallHeight * 3) / 2
export const faceSide = 512
export const faceFramesPerSecond = 12.5
export const audioRate = 16_000
export const audioFileName = 'audio.s16'
export const proxyFileName = 'proxy.mp4'
export const proxyHeight = 540

export interface SpriteGrid {
  intervalFrames: number
  tileWidth: number
  tileHeight: number
  columns: number
  rows: number
}

export interface PassRequest {
  file: string
  details: MediaDetails
  workDir: string
  /** Frames of the whole file's clock, half open. */
  range?: { startFrame: number; endFrame: number }
  /** Never reads more media than this. */
  maxSeconds?: number
  /** Which of the audio tracks is heard, 0-based. */
  audioTrack?: number
  onFrame?: (yuv: Uint8Array, frame: number) => void
  onFace?: (rgb: Uint8Array, frame: number) => void | Promise<void>
  /** Sound is decoded when this is set or `keepAudio` is. */
  onAudio?: (samples: Int16Array) => void | Promise<void>
  keepAudio?: boolean
  proxy?: boolean
  sprite?: SpriteGrid
  signal?: AbortSignal
  /** From 0 to 1. */
  onProgress?: (part: number) => void
}

export interface PassResult {
  outcome: ToolOutcome
  /** The clock of what was decoded: its frame 0 is `startFrame` of the file. */
  clock: FrameClock
  startFrame: number
  pictures: number
  audio: { file: string; samples: number } | null
  proxyFile: string | null
}

export async function runPass(request: PassRequest): Promise<PassResult> {
  const { details, workDir } = request
  const plan = planOf(request)
  const audioWanted = details.audio && (request.onAudio || request.keepAudio)
  const audioPath = path.join(workDir, audioFileName)
  const handle = audioWanted && request.keepAudio ? await open(audioPath, 'w') : null
  const pts = plan.video ? ptsReader() : null
  const sound = audioWanted ? soundSink(request, handle, plan) : null
  const pipes: Record<number, (chunk: Buffer) => void | Promise<void>> = {}
  if (plan.video && request.onFrame) pipes[1] = framesOf(smallBytes, request.onFrame)
  const { onFace } = request
  if (plan.video && onFace) {
    const step = faceStep(details.clock)
    const side = faceSide * faceSide * 3
    pipes[5] = framesOf(side, (rgb, index) => onFace(rgb, index * step))
  }
  if (sound) pipes[4] = (chunk) => sound.push(chunk)
  if (pts) {
    pipes[3] = (chunk) => {
      pts.push(chunk)
      request.onProgress?.(Math.min(1, pts.count() / Math.max(1, plan.frames)))
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
      args: (paths) => argsOf(request, plan, from, paths),
      pipes,
    })
    const pictures = pts?.count() ?? 0
    return {
      outcome,
      clock: clockOf(request, plan, pts),
      startFrame: plan.startFrame,
      pictures,
      audio: sound && handle ? { file: audioPath, samples: sound.samples() } : null,
      proxyFile: plan.video && request.proxy ? proxyFileName : null,
    }
  } finally {
    await handle?.close()
  }
}

/** Every how many frames a face frame is taken. */
export function faceStep(clock: FrameClock): number {
  return Math.max(1, Math.round(toNumber(clock.rate) / faceFramesPerSecond))
}

interface Plan {
  video: boolean
  startFrame: number
  frames: number
  seconds: number
  /** Where the range starts, on the container's clock. */
  startSeconds: number
}

function planOf(request: PassRequest): Plan {
  const { details, range, maxSeconds = Infinity } = request
  const { clock, video, audio } = details
  const startFrame = Math.min(range?.startFrame ?? 0, Math.max(0, clock.frames - 1))
  const endFrame = Math.min(range?.endFrame ?? clock.frames, clock.frames)
  const start = toNumber(clock.timeOf(startFrame))
  const seconds = Math.min(maxSeconds, toNumber(clock.timeOf(endFrame)) - start)
  const frames = Math.min(endFrame - startFrame, clock.frameAt(start + seconds) - startFrame)
  const origin = video?.startSeconds ?? audio?.startSeconds ?? 0
  const wants = request.onFrame ?? request.onFace ?? request.proxy ?? request.sprite
  return {
    video: Boolean(video && wants),
    startFrame,
    frames,
    seconds,
    startSeconds: origin + start,
  }
}

function argsOf(
  request: PassRequest,
  plan: Plan,
  from: number,
  paths: { input: string; out: string },
): string[] {
  const { details } = request
  const graph: string[] = []
  const outputs: string[] = []
  if (plan.video) addPictures(request, plan, paths, graph, outputs)
  const heard = details.streams.filter((stream) => stream.codec_type === 'audio')
  const track = heard[request.audioTrack ?? 0] ?? heard[0]
  if (track && details.audio) addSound(request, plan, track.index, graph, outputs)
  const onlySmall = !request.proxy && !request.sprite
  return [
    ...['-v', 'error', '-nostdin', '-y', '-copyts', ...inputGuards],
    // The small frames do not show the difference, and it saves a quarter of the decode.
    ...(plan.video && onlySmall ? ['-skip_loop_filter', 'all'] : []),
    // After a seek `-t` would count from the key picture; the trim alone ends the reading then.
    ...(from > 0
      ? ['-noaccurate_seek', '-ss', from.toFixed(6)]
      : ['-t', readSeconds(request, plan).toFixed(6)]),
    ...['-i', paths.input, '-filter_complex', graph.join(';'), ...outputs],
  ]
}

/**
 * Where to start reading: at a picture that decodes at or before the first wanted one. Containers
 * without an index land too late, so each try is checked, and the last one reads from the start.
 */
async function findSeek(request: PassRequest, plan: Plan): Promise<number> {
  const { details, file, signal } = request
  if (plan.startFrame === 0) return 0
  const fileStart = Number(details.format.start_time ?? 0) || 0
  const half = 0.5 / toNumber(details.clock.rate)
  for (const marginSeconds of [0, 4, 20, 60]) {
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

/** How much may be read; a header that is short by a frame must not cost one. */
function readSeconds(request: PassRequest, plan: Plan): number {
  const fileStart = Number(request.details.format.start_time ?? 0) || 0
  const length = plan.startSeconds + plan.seconds - fileStart
  const whole = !request.range && request.maxSeconds === undefined
  return whole ? Math.max(length * 1.5, length + 60) : length + 5
}

function addPictures(
  request: PassRequest,
  plan: Plan,
  paths: { out: string },
  graph: string[],
  outputs: string[],
): void {
  const branches: { label: string; filters: string; output: string[] }[] = []
  const raw = ['-fps_mode', 'passthrough', '-f', 'rawvideo']
  const exact = ['-fps_mode', 'passthrough', '-enc_time_base', baseOf(request.details)]
  const area = `scale=${smallWidth}:${smallHeight}:flags=area`
  if (request.onFrame) {
    const filters = `${area},format=yuv420p`
    branches.push({ label: 'small', filters, output: [...raw, 'pipe:1'] })
  }
  if (request.onFace) {
    const fit = `${faceSide}:${faceSide}`
    const filters = [
      `select='not(mod(n\\,${faceStep(request.details.clock)}))'`,
      `scale=${fit}:force_original_aspect_ratio=decrease:flags=bilinear`,
      `pad=${fit}:(ow-iw)/2:(oh-ih)/2,format=rgb24`,
    ].join(',')
    branches.push({ label: 'face', filters, output: [...raw, 'pipe:5'] })
  }
  if (request.proxy) {
    const height = `'min(${proxyHeight}\\,trunc(ih/2)*2)'`
    const filters = [
      'setpts=PTS-STARTPTS',
      `scale='max(2\\,trunc(oh*dar/2)*2)':${height}:flags=bilinear`,
      'setsar=1,format=yuv420p',
    ].join(',')
    branches.push({ label: 'proxy', filters, output: [] })
  }
  if (request.sprite) {
    const { intervalFrames, tileWidth, tileHeight, columns, rows } = request.sprite
    const filters = [
      `select='not(mod(n\\,${intervalFrames}))'`,
      `scale=${tileWidth}:${tileHeight}:flags=bilinear,setsar=1`,
      `tile=${columns}x${rows}`,
    ].join(',')
    const file = path.join(paths.out, 'sprite-%03d.jpg')
    const output = ['-fps_mode', 'passthrough', '-q:v', '5', '-f', 'image2', file]
    branches.push({ label: 'sprite', filters, output })
  }
  branches.push({ label: 'pts', filters: 'crop=2:2:0:0', output: [...exact, '-f', 'framecrc'] })
  const labels = branches.map((branch) => `[${branch.label}0]`).join('')
  const source = `[0:${request.details.video?.index ?? 0}]${trim(request, plan)}`
  graph.push(`${source}split=${branches.length}${labels}`)
  for (const { label, filters, output } of branches) {
    graph.push(`[${label}0]${filters}[${label}]`)
    if (label === 'proxy') outputs.push(...proxyOutput(request, plan, paths, exact))
    else outputs.push('-map', `[${label}]`, ...output, ...(label === 'pts' ? ['pipe:3'] : []))
  }
}

/** Half a frame before the first and the last: microseconds are exact enough for that. */
function trim(request: PassRequest, plan: Plan): string {
  if (!request.range && request.maxSeconds === undefined) return ''
  const half = 0.5 / toNumber(request.details.clock.rate)
  const start = plan.startSeconds - half
  const end = plan.startSeconds + plan.seconds - half
  return `trim=start=${start.toFixed(6)}:end=${end.toFixed(6)},`
}

/** The container's own ticks; ffmpeg would round a variable rate's pts to whole frames. */
function baseOf(details: MediaDetails): string {
  const base = details.video?.timeBase
  return base ? `${base.num}:${base.den}` : '1:1000'
}

function proxyOutput(
  request: PassRequest,
  plan: Plan,
  paths: { out: string },
  exact: string[],
): string[] {
  return [
    ...['-map', '[proxy]', ...(request.details.audio ? ['-map', '[listen]'] : []), ...exact],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '25', '-g', '25', '-bf', '0'],
    ...['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-movflags', '+faststart'],
    ...['-max_muxing_queue_size', '9999', '-t', (plan.seconds + 60).toFixed(3)],
    ...['-map_metadata', '-1', '-f', 'mp4', path.join(paths.out, proxyFileName)],
  ]
}

function addSound(
  request: PassRequest,
  plan: Plan,
  stream: number,
  graph: string[],
  outputs: string[],
): void {
  const analysed = request.onAudio !== undefined || request.keepAudio === true
  const proxied = plan.video && request.proxy === true
  if (!analysed && !proxied) return
  const aligned = `[0:${stream}]asetpts=PTS-${plan.startSeconds.toFixed(7)}/TB`
  const labels = [analysed ? '[heard0]' : '', proxied ? '[listen0]' : ''].join('')
  const limited = request.range || request.maxSeconds !== undefined
  const length = limited ? `,atrim=end=${plan.seconds.toFixed(6)}` : ''
  graph.push(`${aligned}${length},asplit=${Number(analysed) + Number(proxied)}${labels}`)
  if (analysed) {
    const mono = `aresample=${audioRate}:async=1:first_pts=0,aformat=s16:${audioRate}:mono`
    graph.push(`[heard0]${mono}[heard]`)
    outputs.push('-map', '[heard]', '-f', 's16le', 'pipe:4')
  }
  if (proxied) graph.push('[listen0]aresample=48000:async=1:first_pts=0[listen]')
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

/** Collects the pts that framecrc prints, one line a picture. */
function ptsReader() {
  let values = new Float64Array(4096)
  let count = 0
  let rest = ''
  let base: { num: bigint; den: bigint } | null = null
  return {
    push(chunk: Buffer): void {
      const lines = (rest + chunk.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const named = /^#tb 0: (\d+)\/(\d+)/.exec(line)
        if (named) base = { num: BigInt(named[1] ?? 1), den: BigInt(named[2] ?? 1) }
        if (line === '' || line.startsWith('#')) continue
        if (count === values.length) {
          const grown = new Float64Array(count * 2)
          grown.set(values)
          values = grown
        }
        values[count++] = Number(line.split(',')[2])
      }
    },
    count: () => count,
    values: () => values.subarray(0, count),
    timeBase: () => base,
  }
}

/** Cuts a stream of bytes into pictures; a promise from the listener holds the stream back. */
function framesOf(
  size: number,
  listener: (picture: Uint8Array, index: number) => void | Promise<void>,
): (chunk: Buffer) => Promise<void> {
  let picture = new Uint8Array(size)
  let filled = 0
  let index = 0
  return async (chunk) => {
    let at = 0
    while (at < chunk.length) {
      const part = Math.min(size - filled, chunk.length - at)
      picture.set(chunk.subarray(at, at + part), filled)
      filled += part
      at += part
      if (filled < size) return
      const pending = listener(picture, index++)
      picture = new Uint8Array(size)
      filled = 0
      if (pending) await pending
    }
  }
}

function soundSink(request: PassRequest, handle: FileHandle | null, plan: Plan) {
  let odd: Buffer | null = null
  let samples = 0
  const limit = Math.ceil((plan.seconds + 60) * audioRate)
  return {
    samples: () => samples,
    async push(chunk: Buffer): Promise<void> {
      const bytes = odd ? Buffer.concat([odd, chunk]) : chunk
      const even = bytes.length & ~1
      odd = even < bytes.length ? Buffer.from(bytes.subarray(even)) : null
      if (even === 0 || samples > limit) return
      // A copy: the pipe's memory is reused and may be unaligned.
      const copy = new Uint8Array(even)
      copy.set(bytes.subarray(0, even))
      samples += even / 2
      if (handle) await handle.write(copy)
      await request.onAudio?.(new Int16Array(copy.buffer))
      if (!plan.video) request.onProgress?.(Math.min(1, samples / audioRate / plan.seconds))
    },
  }
}
