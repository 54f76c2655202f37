/**
 * The first door: what is this file? Content is sniffed before any tool sees it, media is measured
 * in isolation, and the answer is a union that the caller branches on. Times are exact where the
 * packets could be read in time (`details.exact`); an analysis measures them again.
 */
import { formatRational, rational, toNumber } from '../domain/time/rational.ts'
import type { Rational } from '../domain/time/rational.ts'
import { stat } from 'node:fs/promises'
import type { Media } from '../domain/findings/findings.ts'
import { lateSoundEnd } from './media/late-sound.ts'
import { audioFrameRate, createClock } from './time/clock.ts'
import type { FrameClock } from './time/clock.ts'
import { inputGuards, runTool } from './tools/run.ts'
import { findJumps } from './media/clock-jumps.ts'
import type { ClockJump } from './media/clock-jumps.ts'
import { chooseRate } from './media/frame-rate.ts'
import { readReport } from './media/report.ts'
import type { Report } from './media/report.ts'
import { scanOf, scanPackets } from './media/packets.ts'
import type { Scan } from './media/packets.ts'
import { sniffFile } from './media/sniff.ts'
import { soundDetails } from './media/sound-details.ts'
import type { SoundDetails } from './media/sound-details.ts'
import {
  audioTracks,
  colorOf,
  hasKnownCodec,
  parseBase,
  readFieldOrder,
  readReel,
  readRotation,
  readTimecode,
  readTimeReference,
} from './media/streams.ts'
import type { Stream } from './media/streams.ts'

export type ProbeOutcome =
  | { status: 'media'; media: Media; details: MediaDetails }
  | { status: 'plain'; media: Media; report?: PlainReport }
  | { status: 'refused'; code: ProbeRefusal; message: string }

/** ffprobe's report on an image; documents have none. */
export interface PlainReport {
  format: Record<string, unknown>
  streams: Stream[]
}

export type ProbeRefusal =
  | 'probe_failed'
  | 'too_large'
  | 'unsupported_source'
  | 'timeout'
  | 'canceled'

/** Details that an analysis needs beyond the contract's description. */
export interface MediaDetails {
  format: Record<string, unknown>
  streams: Stream[]
  color: ReturnType<typeof colorOf>
  clock: FrameClock
  video: VideoDetails | null
  audio: SoundDetails | null
  /** Frames and times come from the packets, not from the header's word. */
  exact: boolean
  /** Seconds that all streams are moved by after each restart of the file's clock, all in all. */
  restarts?: readonly number[]
  /** Gaps in which the clock jumped ahead, by the frame after each. */
  jumps?: readonly ClockJump[]
  /** The header promises more frames than there are: the end of the file is missing. */
  incomplete?: boolean
}

export interface VideoDetails {
  index: number
  timeBase: Rational
  /** The first presented frame, on the container's own clock. */
  firstPts: number
  startSeconds: number
  pts: Float64Array | null
  /** Timestamps of the key frames; empty if packets were not read. */
  keys: Float64Array
  lastTicks: number | undefined
  hiddenFrames: number
  interlaced: boolean
}

export interface ProbeOptions {
  signal?: AbortSignal
  /**
   * Limit on reading packets for exact times; after that, and at once if 0, the header is trusted.
   */
  scanMs?: number
  /** Finds the first frame by decoding, even if the packets are unambiguous. */
  decodeFirst?: boolean
}

const probeWallMs = 30_000
/**
 * More than cameras write. Work grows with frames but the price with seconds, so a film whose clock
 * was sped up a hundredfold would be analysed for a hundredth.
 */
const maxFramesPerSecond = 500
/** Formats that hold nothing but frames. */
const bareStreams = new Set(['h264', 'hevc', 'm4v', 'mpegvideo', 'mjpeg', 'vc1', 'obu', 'h263'])
/** Formats that stay readable when recordings are put one behind the other byte by byte. */
const joinable = /^(?:mpegts|mpeg)$/
/** A clock that steps back by more has restarted; reordered frames step back by less. */
const backSeconds = 1
/** More restarts than a film on a disc has; each adds a term to an expression that ffmpeg reads. */
const maxRestarts = 60
/** A header that promises so much more was written for a longer file. */
const lostSeconds = 1
/** Ten seconds of the usual rates: more than the frames between two key frames. */
const firstPackets = 600

export async function probe(file: string, options: ProbeOptions = {}): Promise<ProbeOutcome> {
  const { size } = await stat(file)
  if (size === 0) return refuse('probe_failed', 'The file is empty.')
  const kind = await sniffFile(file)
  if (kind.kind === 'playlist') {
    return refuse('unsupported_source', 'This is a playlist: it names other files and holds none.')
  }
  if (kind.kind === 'document') {
    const { countPages } = await import('./documents/count-pages.ts')
    const pages = await countPages(file, kind.format)
    const media = plainMedia(pages === null ? 'other' : 'document', pages)
    return { status: 'plain', media }
  }
  const { signal, scanMs } = options
  const report = await readReport(file, { size, packets: scanMs !== 0, signal })
  if (report === 'canceled') return refuse('canceled', 'The probe was canceled.')
  if (report === 'timeout') return refuse('timeout', 'The file takes too long to read.')
  if (report !== 'failed') return describe(file, report, options)
  // Bytes that look like nothing we know and that no demuxer claims are a file, not a fault.
  if (kind.kind === 'unknown') return { status: 'plain', media: plainMedia('other', null) }
  return refuse('probe_failed', 'This file cannot be read as media: it is damaged or incomplete.')
}

async function describe(
  file: string,
  report: Report,
  options: ProbeOptions,
): Promise<ProbeOutcome> {
  const { streams } = report
  const videoStream = streams.find(
    (stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1,
  )
  const hasPackets = ({ index }: Stream): boolean => (report.packets?.get(index)?.length ?? 0) > 0
  const sounds = streams.filter(
    (stream) => stream.codec_type === 'audio' && (stream.channels || hasPackets(stream)),
  )
  const sound = sounds.find(hasKnownCodec) ?? sounds[0]
  const container = report.format.format_name
  if (videoStream && (!videoStream.width || !videoStream.height)) {
    return refuse('too_large', 'The picture is damaged, or larger than 100 megapixels.')
  }
  if (videoStream && isStillContainer(container)) {
    const media = {
      ...plainMedia('image', null),
      container,
      frames: 1,
      ...videoFields(videoStream),
    }
    return { status: 'plain', media, report: { format: report.format, streams } }
  }
  if (!videoStream && !sound) return refuse('probe_failed', 'The file has no picture and no sound.')
  const scan = await scanStream(file, report, (videoStream ?? sound)!, options)
  if (options.signal?.aborted) return refuse('canceled', 'The probe was canceled.')
  if (scan.restarts.length > maxRestarts) {
    const message = `The clock of this file starts again ${scan.restarts.length} times: split it.`
    return refuse('unsupported_source', message)
  }
  if (videoStream) return describeVideo({ file, report, videoStream, sound, scan, options })
  return sound ? describeAudio(report, sound, scan) : refuse('probe_failed', 'Nothing to read.')
}

async function scanStream(
  file: string,
  { packets, format }: Report,
  { index: stream, time_base: base }: Stream,
  { scanMs = 60_000, signal }: ProbeOptions,
): Promise<Scan> {
  if (scanMs === 0) return { ...scanOf([]), complete: false }
  const backTicks = joinable.test(format.format_name)
    ? backSeconds / toNumber(parseBase(base))
    : undefined
  if (packets) return scanOf(packets.get(stream) ?? [], backTicks)
  return await scanPackets({ file, stream, wallMs: scanMs, signal, backTicks })
}

async function describeVideo(input: {
  file: string
  report: Report
  videoStream: Stream
  sound: Stream | undefined
  scan: Scan
  options: ProbeOptions
}): Promise<ProbeOutcome> {
  const { report, videoStream, sound, scan, options } = input
  const { streams } = report
  const timeBase = parseBase(videoStream.time_base)
  const isPlain = scan.startsWithKey && !options.decodeFirst
  const first = isPlain ? null : await firstFramePts(input.file, videoStream.index, options.signal)
  if (first === null && scan.pts.length === 0) {
    const isBare = bareStreams.has(report.format.format_name)
    return refuse(
      'probe_failed',
      isBare
        ? 'This is a bare stream, whose pictures have no times: put it into a MOV, MP4 or MKV file.'
        : 'No picture of this file can be decoded.',
    )
  }
  const spanSeconds = ((scan.pts.at(-1) ?? 0) - (scan.pts[0] ?? 0)) * toNumber(timeBase)
  if (scan.shown > maxFramesPerSecond * (spanSeconds + 1)) {
    const message = `There are more than ${maxFramesPerSecond} pictures in a second: its clock is wrong.`
    return refuse('unsupported_source', message)
  }
  const firstPts = first ?? scan.pts[0] ?? 0
  // Packets before the first frame that decodes are never shown.
  const pts = scan.pts.filter((value) => value >= firstPts)
  const exact = scan.complete && pts.length > 0
  const rate = chooseRate({ videoStream, pts: exact ? pts : null, timeBase })
  const tick = toNumber(timeBase)
  const restarts = scan.restarts.map((ticks) => ticks * tick)
  // A header knows only the run before the first restart.
  const headerSeconds =
    restarts.length > 0
      ? spanSeconds
      : Number(videoStream.duration ?? report.format.duration ?? 0) || 0
  const frames = exact ? pts.length : Math.max(1, Math.round(headerSeconds * toNumber(rate)))
  const lastTicks = scan.lastTicks
  const clock = createClock({
    rate,
    frames,
    ...(exact ? { pts, timeBase, lastTicks } : {}),
  })
  const startSeconds = firstPts * tick
  const frameSeconds = toNumber(clock.timeOf(frames))
  const incomplete = exact && restarts.length === 0 && headerSeconds > frameSeconds + lostSeconds
  const audio = soundDetails(sound, report, incomplete ? startSeconds + frameSeconds : Infinity)
  const soundEnd = lateSoundEnd({ clock, video: { startSeconds }, audio })
  const length = soundEnd === null ? clock.timeOf(frames) : milliseconds(soundEnd)
  const timecode = readTimecode(streams, report.format.tags ?? {}, { videoStream, rate })
  const media: Media = {
    kind: 'video',
    container: report.format.format_name,
    duration: toNumber(length),
    duration_time: formatRational(length),
    frames,
    frame_rate: formatRational(rate),
    variable_frame_rate: clock.variable && isUneven(pts),
    time_base: formatRational(timeBase),
    start_timecode: timecode?.text ?? null,
    drop_frame: timecode?.drop ?? false,
    reel: readReel(streams, report.format.tags ?? {}),
    ...videoFields(videoStream),
    audio: audioTracks(streams),
    pages: null,
  }
  const video: VideoDetails = {
    index: videoStream.index,
    timeBase,
    firstPts,
    startSeconds,
    pts: exact ? pts : null,
    keys: exact ? scan.keys : new Float64Array(),
    lastTicks,
    hiddenFrames: scan.hidden,
    interlaced: !['progressive', 'unknown', undefined].includes(videoStream.field_order),
  }
  const color = colorOf(videoStream)
  const jumps = exact && joinable.test(media.container ?? '') ? findJumps(pts, tick) : []
  const details = { format: report.format, streams, color, clock, video, audio, exact, restarts }
  return { status: 'media', media, details: { ...details, jumps, incomplete } }
}

function describeAudio(report: Report, sound: Stream, scan: Scan): ProbeOutcome {
  const { streams } = report
  const timeBase = parseBase(sound.time_base)
  const audio = soundDetails(sound, report)
  const first = scan.pts[0] ?? 0
  const ticks = (scan.pts.at(-1) ?? 0) + (scan.lastTicks ?? 0) - first
  const exact = scan.complete && ticks > 0
  const length = exact
    ? rational(BigInt(ticks) * timeBase.num, timeBase.den)
    : milliseconds(audio?.durationSeconds ?? 0)
  if (length.num <= 0n) return refuse('probe_failed', 'The sound of this file cannot be read.')
  const frames = Math.max(1, Math.ceil(toNumber(length) * toNumber(audioFrameRate) - 1e-6))
  const clock = createClock({ rate: audioFrameRate, frames })
  const media: Media = {
    ...plainMedia('audio', null),
    container: report.format.format_name,
    duration: toNumber(length),
    duration_time: formatRational(length),
    frames,
    frame_rate: formatRational(audioFrameRate),
    time_base: formatRational(timeBase),
    ...readTimeReference(report.format.tags ?? {}, Number(sound.sample_rate)),
    reel: readReel(streams, report.format.tags ?? {}),
    audio: audioTracks(streams),
  }
  const started = audio && { ...audio, startSeconds: first * toNumber(timeBase) }
  const restarts = scan.restarts.map((ticks) => ticks * toNumber(timeBase))
  const color = colorOf(undefined)
  const details = { format: report.format, streams, color, clock, exact, restarts }
  return { status: 'media', media, details: { ...details, video: null, audio: started } }
}

/** The pts of the first frame that decodes; null if none of the first ones does. */
async function firstFramePts(
  file: string,
  stream: number,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  let output = ''
  const enough = new AbortController()
  await runTool({
    tool: 'ffprobe',
    input: file,
    wallMs: probeWallMs,
    signal: AbortSignal.any([enough.signal, ...(signal ? [signal] : [])]),
    limits: { memoryBytes: 4 * 1024 ** 3, cpuSeconds: 30, fileBytes: 0 },
    args: (paths) => [
      ...['-v', 'quiet', ...inputGuards, '-select_streams', String(stream)],
      ...['-read_intervals', `%+#${firstPackets}`, '-show_entries', 'frame=best_effort_timestamp'],
      ...['-of', 'csv=p=0', paths.input],
    ],
    pipes: {
      1(chunk) {
        output += chunk.toString('latin1')
        if (output.includes('\n')) enough.abort()
      },
    },
  })
  const pts = Number.parseInt(output.split(/[\n,]/)[0] ?? '', 10)
  return Number.isSafeInteger(pts) ? pts : null
}

/**
 * True if intervals vary. A stream cut by copying lacks frames at its end, which alone is no
 * variable rate.
 */
function isUneven(pts: Float64Array): boolean {
  const steps = Array.from(pts.subarray(1), (value, index) => value - (pts[index] ?? 0))
  const inside = steps.slice(0, Math.max(1, steps.length - 8))
  const usual = inside.toSorted((a, b) => a - b)[inside.length >> 1] ?? 0
  return inside.some((step) => Math.abs(step - usual) > Math.max(2, usual / 4))
}

function videoFields(videoStream: Stream) {
  const aspect = /^(\d+):(\d+)$/.exec(videoStream.sample_aspect_ratio ?? '')
  const square = !aspect || aspect[1] === '0' || aspect[2] === '0'
  return {
    width: videoStream.width ?? null,
    height: videoStream.height ?? null,
    rotation: readRotation(videoStream),
    field_order: readFieldOrder(videoStream),
    pixel_aspect: square
      ? '1/1'
      : formatRational(rational(BigInt(aspect[1] ?? 1), BigInt(aspect[2] ?? 1))),
    video_codec: videoStream.codec_name ?? null,
    pixel_format: videoStream.pix_fmt ?? null,
  }
}

function plainMedia(kind: Media['kind'], pages: number | null): Media {
  return {
    kind,
    container: null,
    duration: 0,
    duration_time: '0/1',
    frames: 0,
    frame_rate: null,
    variable_frame_rate: false,
    time_base: null,
    start_timecode: null,
    drop_frame: false,
    reel: null,
    width: null,
    height: null,
    rotation: 0,
    pixel_aspect: null,
    video_codec: null,
    audio: [],
    pages,
  }
}

function isStillContainer(name: string): boolean {
  return /(?:^|,)(?:\w+_pipe|image2)(?:,|$)/.test(name)
}

function milliseconds(seconds: number): Rational {
  return rational(BigInt(Math.round(seconds * 1000)), 1000n)
}

function refuse(code: ProbeRefusal, message: string): Extract<ProbeOutcome, { status: 'refused' }> {
  return { status: 'refused', code, message }
}
