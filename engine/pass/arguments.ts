/**
 * The command line of a pass: one input, a graph of filters for frames and one for sound, one
 * output for each listener. Where a stream changes its size or layout ffmpeg builds its graph
 * again, and counters, padding and sheets would start over: so the graph of the frames stays, as
 * its filters adapt, and nothing in the graph of the sound counts from its start.
 */
import { toNumber } from '../../domain/time/rational.ts'
import path from 'node:path'
import { inputGuards } from '../tools/run.ts'
import {
  audioRate,
  faceSide,
  faceStep,
  hasSound,
  heardPipes,
  proxyHeight,
  smallHeight,
  smallWidth,
  textStep,
  trackPipes,
} from './plan.ts'
import type { PassRequest, Plan, SoundPipes } from './plan.ts'
import { proxyEnd, proxyOutput } from './proxy-output.ts'
import { heardTrack, readRotation } from '../media/streams.ts'
import type { Stream } from '../media/streams.ts'
import { toneMap } from '../media/tone-map.ts'
import type { MediaDetails } from '../probe.ts'

export function passArguments(
  request: PassRequest,
  plan: Plan,
  from: number,
  paths: { input: string; out: string },
): string[] {
  const { details } = request
  const images: string[] = []
  const sound: string[] = []
  const outputs: string[] = []
  if (plan.video) addFrames(request, plan, paths, images, outputs)
  const track = heardTrack(details.streams, request.audioTrack)
  if (track && hasSound(request)) addSound(request, plan, track.index, paths, sound, outputs)
  const graphs = [images, sound].filter((graph) => graph.length > 0)
  return [
    ...['-v', 'error', '-nostdin', '-y', '-copyts', ...inputGuards],
    ...(plan.video && !request.proxy && !request.sprite ? thriftOf(details, plan) : []),
    // After a seek, `-t` would count from the key frame, so the trim filter alone ends the reading.
    ...(from > 0
      ? ['-noaccurate_seek', '-ss', from.toFixed(6)]
      : ['-t', readSeconds(request, plan).toFixed(6)]),
    ...['-reinit_filter:v', '0', '-i', paths.input],
    ...graphs.flatMap((graph) => ['-filter_complex', graph.join(';')]),
    ...outputs,
  ]
}

/**
 * Saves work where only small frames are read: the loop filter is a quarter of a decode and leaves
 * no trace in them. Small video decodes faster than its frames are read, so more threads would only
 * cost, and a short clip of larger video takes little time.
 */
function thriftOf({ video, streams }: MediaDetails, { seconds }: Plan): string[] {
  const { width = 0, height = 0 } = streams.find((stream) => stream.index === video?.index) ?? {}
  const isSmall = width * height <= 960 * 540
  const isShort = width * height <= 1280 * 720 && seconds <= 60
  const alone = isSmall || isShort ? ['-threads', '1'] : []
  return ['-filter_complex_threads', '1', '-skip_loop_filter', 'all', ...alone]
}

/**
 * Without these flags x64 rounds in another way than arm64, and findings would differ by frames.
 */
const exactFlags = 'flags=area+accurate_rnd+bitexact'
const shrunk = `scale=${smallWidth}:${smallHeight}:${exactFlags},format=yuv420p`

/**
 * Reads every second row: half the cost of scaling, and the same findings (docs/decisions/0060).
 * `field` reads past the end of frames that became smaller in mid-file, so all get one size first,
 * which most have.
 */
export function smallFrames({ width, height }: Size): string {
  // With fewer rows, every row counts.
  const isHalved = Math.min(width, height) >= 4 * smallHeight
  return isHalved ? `scale=${width}:${height}:${exactFlags},field=top,${shrunk}` : shrunk
}

/** Written in large pieces: a small one costs more to hand over than to make. */
const gathered = ['-flush_packets', '0']

/** How many seconds may be read; a header that is short by a frame must not cost a frame. */
function readSeconds(request: PassRequest, plan: Plan): number {
  const fileStart = Number(request.details.format.start_time ?? 0) || 0
  const length = plan.startSeconds + plan.seconds - fileStart
  const whole = !request.range && request.maxSeconds === undefined
  return whole ? Math.max(length * 1.5, length + 60) : length + 5
}

function addFrames(
  request: PassRequest,
  plan: Plan,
  paths: { out: string },
  graph: string[],
  outputs: string[],
): void {
  const branches: { label: string; filters: string; output: string[] }[] = []
  const raw = ['-fps_mode', 'passthrough', ...gathered, '-f', 'rawvideo']
  const exact = ['-fps_mode', 'passthrough', '-enc_time_base', baseOf(request.details)]
  const { video, streams } = request.details
  const shown = toneMap(streams.find((stream) => stream.index === video?.index)?.color_transfer)
  if (request.onFrame) {
    const filters = smallFrames(shownSize(request.details))
    branches.push({ label: 'small', filters, output: [...raw, 'pipe:1'] })
  }
  if (request.onFace) {
    const fit = `${faceSide}:${faceSide}`
    const filters = [
      selectEach(faceStep(request.details.clock), request),
      `scale=${fit}:force_original_aspect_ratio=decrease:flags=bilinear:eval=frame`,
      ...shown,
      `pad=${fit}:(ow-iw)/2:(oh-ih)/2:eval=frame,format=rgb24`,
    ].join(',')
    branches.push({ label: 'face', filters, output: [...raw, 'pipe:5'] })
  }
  if (request.text && request.onText) {
    const { width, height } = request.text
    const filters = [
      selectEach(textStep(request.details.clock), request),
      `scale=${width}:${height}:flags=bilinear`,
      ...shown,
      'format=gray',
    ].join(',')
    branches.push({ label: 'text', filters, output: [...raw, 'pipe:6'] })
  }
  if (request.proxy) {
    const { width, height } = proxySize(request.details)
    const filters = [
      'setpts=PTS-STARTPTS',
      `scale=${width}:${height}:flags=bilinear`,
      ...shown,
      'setsar=1,format=yuv420p',
    ].join(',')
    branches.push({ label: 'proxy', filters, output: [] })
  }
  if (request.sprite) {
    const { intervalFrames, tileWidth, tileHeight, columns, rows } = request.sprite
    const filters = [
      selectEach(intervalFrames, request),
      `scale=${tileWidth}:${tileHeight}:flags=bilinear,setsar=1`,
      ...shown,
      ...(shown.length > 0 || request.tilesName ? ['format=yuv420p'] : []),
      ...(request.tilesName ? [] : [`tile=${columns}x${rows}`]),
    ].join(',')
    const output = request.tilesName
      ? [...raw, path.join(paths.out, request.tilesName)]
      : sheetOutput(paths)
    branches.push({ label: 'sprite', filters, output })
  }
  // If small frames report the progress, times can be gathered.
  const times = [...exact, ...(request.onFrame ? gathered : []), '-f', 'framecrc']
  // Exactly: rounded to whole samples of colour nothing is left of 4:1:1 and 4:1:0.
  const corner = `crop='min(2\\,iw)':'min(2\\,ih)':0:0:exact=1`
  branches.push({ label: 'pts', filters: corner, output: times })
  const labels = branches.map((branch) => `[${branch.label}0]`).join('')
  const source = `[0:${request.details.video?.index ?? 0}]${goOn(request.details)}${trim(request, plan)}`
  graph.push(`${source}split=${branches.length}${labels}`)
  for (const { label, filters, output } of branches) {
    graph.push(`[${label}0]${filters}[${label}]`)
    if (label === 'proxy') outputs.push(...proxyOutput(request, plan, paths, exact))
    else outputs.push('-map', `[${label}]`, ...output, ...(label === 'pts' ? ['pipe:3'] : []))
  }
}

/** Moves frames after a restart of the clock behind those before the restart. */
function goOn({ restarts = [], video }: MediaDetails): string {
  if (restarts.length === 0 || !video) return ''
  const tick = toNumber(video.timeBase)
  return `setpts='PTS+${restartOffset(restarts.map((seconds) => Math.round(seconds / tick)))}',`
}

/** Half of the probe's threshold for a restart: frames come in order here. */
const backSeconds = 0.5

/** Counts the restarts so far in variable 0; each offset is reached from the one before. */
function restartOffset(offsets: readonly number[]): string {
  const steps = offsets.map((offset, at) => offset - (offsets[at - 1] ?? 0))
  const terms = steps.map((step, at) => `${step}*gt(ld(0)\\,${at})`)
  return `0*st(0\\,ld(0)+lt(PTS\\,PREV_INPTS-${backSeconds}/TB))+${terms.join('+')}`
}

/** Sheets of a sprite, one file each. */
export function sheetOutput(paths: { out: string }): string[] {
  const file = path.join(paths.out, 'sprite-%03d.jpg')
  return ['-fps_mode', 'passthrough', '-q:v', '5', '-f', 'image2', file]
}

/** Frames whose number is a multiple of the step (`sampledFrames`). */
function selectEach(step: number, { firstFrame = 0 }: PassRequest): string {
  return `select='not(mod(n+${firstFrame % step}\\,${step}))'`
}

/**
 * Trims by the pts of the first and of the first unwanted frame. Seconds are used only if packets
 * were not read: the filter rounds them to ticks, and a tick may last as long as a frame, so they
 * are placed less than half a frame early.
 */
function trim(request: PassRequest, plan: Plan): string {
  if (!request.range && request.maxSeconds === undefined) return ''
  const { video, clock } = request.details
  const first = video?.pts?.[plan.startFrame]
  if (first !== undefined) {
    const after = video?.pts?.[plan.startFrame + plan.frames]
    return `trim=start_pts=${first}${after === undefined ? '' : `:end_pts=${after}`},`
  }
  const early = 0.4 / toNumber(clock.rate)
  const start = plan.startSeconds - early
  const end = plan.startSeconds + plan.seconds - early
  return `trim=start=${start.toFixed(6)}:end=${end.toFixed(6)},`
}

/** The container's own ticks; ffmpeg would round a variable rate's pts to whole frames. */
export function baseOf(details: MediaDetails): string {
  const base = details.video?.timeBase
  return base ? `${base.num}:${base.den}` : '1:1000'
}

interface Size {
  width: number
  height: number
}

/** Size of a frame after rotation. */
function shownSize({ streams, video }: MediaDetails): Size & { isTurned: boolean } {
  const image = streams.find((stream) => stream.index === video?.index)
  const { width = 16, height = 9 } = image ?? {}
  const isTurned = image !== undefined && readRotation(image) % 180 !== 0
  return isTurned ? { width: height, height: width, isTurned } : { width, height, isTurned }
}

/**
 * Square pixels, from the stream's own size, so that parts of a film fit each other. Headers claim
 * pixels forty times as wide as high, and frames that wide are too wide for an encoder.
 */
function proxySize(details: MediaDetails): Size {
  const { width, height, isTurned } = shownSize(details)
  const image = details.streams.find((stream) => stream.index === details.video?.index)
  const aspect = pixelAspectOf(image)
  const shape = (width / height) * (isTurned ? 1 / aspect : aspect)
  const lines = Math.max(2, Math.min(proxyHeight, Math.trunc(height / 2) * 2))
  const columns = Math.min(maxProxyWidth, Math.trunc((lines * shape) / 2) * 2)
  return { width: Math.max(2, columns), height: lines }
}

/** The width that every browser's decoder takes. */
const maxProxyWidth = 4096

function pixelAspectOf(image: Stream | undefined): number {
  const [, num, den] = /^(\d+):(\d+)$/.exec(image?.sample_aspect_ratio ?? '') ?? []
  const aspect = Number(num) > 0 && Number(den) > 0 ? Number(num) / Number(den) : 1
  return Math.min(4, Math.max(1 / 4, aspect))
}

function addSound(
  request: PassRequest,
  plan: Plan,
  stream: number,
  paths: { out: string },
  graph: string[],
  outputs: string[],
): void {
  const analysed = request.onAudio !== undefined || request.keepAudio === true
  const proxied = request.proxy === true
  const limited = request.range || request.maxSeconds !== undefined
  // Sound cut away at the start comes back as silence, so that times stay.
  const start = plan.unheardSeconds > 0 ? `start=${plan.unheardSeconds.toFixed(6)}:` : ''
  const length = limited ? `,atrim=${start}end=${plan.seconds.toFixed(6)}` : ''
  const { restarts = [] } = request.details
  const moved = restarts.length === 0 ? '' : `+(${restartOffset(restarts)})/TB`
  const aligned = `asetpts='PTS-${plan.startSeconds.toFixed(7)}/TB${moved}'${length}`
  const branches = new Map<number, string[]>()
  const branch = (from: number, label: string): void => {
    branches.set(from, [...(branches.get(from) ?? []), `[${label}]`])
  }
  const mixTo = (layout: 'mono' | 'stereo'): string =>
    mixOf(
      request.details.streams.find(({ index }) => index === stream),
      layout,
    )
  const output = (label: string, filters: string, pipes: SoundPipes, mix = ''): void => {
    graph.push(`[${label}0]${mix}aresample=${audioRate},${filters},asplit=2[${label}][${label}-at]`)
    outputs.push('-map', `[${label}]`, ...gathered, '-f', 's16le', `pipe:${pipes.samples}`)
    outputs.push('-map', `[${label}-at]`, ...gathered, '-f', 'framecrc', `pipe:${pipes.places}`)
  }
  const samples = `aformat=s16:${audioRate}`
  if (analysed) {
    branch(stream, 'heard0')
    const { channel } = request
    const mix = channel === undefined ? mixTo('mono') : `pan=mono|c0=c${channel},`
    output('heard', `${samples}:mono`, heardPipes, mix)
  }
  for (const [index, track] of (request.tracks ?? []).entries()) {
    branch(track.stream, `track${index}0`)
    output(`track${index}`, `${samples}${layoutOf(track.channels)}`, trackPipes(index))
  }
  if (proxied) {
    branch(stream, 'listen0')
    // Sound that begins late begins late in the proxy as well; gaps are filled, for players' sake.
    graph.push(
      `[listen0]atrim=start=0,${mixTo('stereo')}aresample=48000:async=1:min_hard_comp=${proxyGapSeconds}[listen]`,
    )
  }
  for (const [from, labels] of branches) {
    graph.push(`[0:${from}]${aligned},asplit=${labels.length}${labels.join('')}`)
  }
  // With video the proxy's sound is muxed beside it; alone it is the whole proxy.
  if (proxied && !plan.video) outputs.push('-map', '[listen]', ...proxyEnd(request, plan, paths))
}

/** A gap of two frames would be seen on lips. */
const proxyGapSeconds = 0.05

/** The layout that the header promises, should the stream begin with another one. */
function layoutOf(channels: number): string {
  if (channels > 2) return ''
  return channels === 2 ? ':stereo' : ':mono'
}

/** The tool itself mixes up to eight channels whose places have names. */
const maxNamedChannels = 8

/**
 * Mixes all channels equally if ffmpeg has no mix for the layout; for stereo they alternate sides.
 */
function mixOf(track: Stream | undefined, layout: 'mono' | 'stereo'): string {
  const { channels = 0, channel_layout: name = '' } = track ?? {}
  if (channels < 2 || (channels <= maxNamedChannels && !/[(]|ambisonic/.test(name))) return ''
  const sides = layout === 'mono' ? 1 : 2
  const mixes = Array.from({ length: sides }, (_, side) => {
    const own = Array.from({ length: channels }, (_, at) => at).filter((at) => at % sides === side)
    const share = (1 / own.length).toFixed(6)
    return `c${side}=${own.map((at) => `${share}*c${at}`).join('+')}`
  })
  return `pan=${layout}|${mixes.join('|')},`
}
