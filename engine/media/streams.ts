/** Turns ffprobe's description of streams into an editor's words. */
import { rational, toNumber } from '../../domain/time/rational.ts'
import type { Rational } from '../../domain/time/rational.ts'
import type { Media } from '../../domain/findings/findings.ts'
import { timecodeFormat, toTimecode } from '../../domain/time/timecode.ts'
import { audioFrameRate, parseRate } from '../time/clock.ts'
import { isHdr } from './tone-map.ts'

const secondsPerDay = 86_400

export interface Stream {
  index: number
  codec_type?: string
  codec_name?: string
  codec_tag_string?: string
  width?: number
  height?: number
  channels?: number
  channel_layout?: string
  sample_rate?: string
  r_frame_rate?: string
  avg_frame_rate?: string
  time_base?: string
  start_time?: string
  duration?: string
  sample_aspect_ratio?: string
  field_order?: string
  pix_fmt?: string
  bits_per_raw_sample?: string
  color_primaries?: string
  color_transfer?: string
  color_space?: string
  color_range?: string
  tags?: Record<string, string>
  disposition?: Record<string, number>
  side_data_list?: { rotation?: number }[]
}

export interface Timecode {
  text: string
  drop: boolean
}

/**
 * The start timecode: of the picture, of a tmcd or other track, or of the file, in that order. A
 * tmcd track may count fewer frames to the second than there are: its number is rescaled.
 */
export function readTimecode(
  streams: readonly Stream[],
  formatTags: Record<string, string>,
  { videoStream, rate }: { videoStream: Stream; rate: Rational },
): Timecode | null {
  const track = streams.find((stream) => stream.codec_tag_string === 'tmcd')
  const texts = [
    videoStream.tags?.timecode,
    track?.tags?.timecode,
    ...streams.map((stream) => stream.tags?.timecode),
    formatTags.timecode,
    formatTags['com.apple.quicktime.timecode'],
  ]
  for (const text of texts) {
    const parts = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)([:;.,])(\d{2,3})$/.exec(text?.trim() ?? '')
    if (!parts) continue
    const [, hours, minutes, seconds, mark, frames] = parts
    const drop = mark !== ':'
    const counted = track ? rescaled(Number(frames), track, rate) : Number(frames)
    const shown = String(counted).padStart(toNumber(rate) > 100 ? 3 : 2, '0')
    return { text: `${hours}:${minutes}:${seconds}${drop ? ';' : ':'}${shown}`, drop }
  }
  return null
}

/** 15 of 30 frames to the second are 30 of 60. */
function rescaled(frames: number, track: Stream, rate: Rational): number {
  const own = Math.round(toNumber(parseRate(track.avg_frame_rate) ?? rate))
  const wanted = Math.round(toNumber(rate))
  return own > 0 && own !== wanted && frames < own ? Math.floor((frames * wanted) / own) : frames
}

/**
 * Reads the start time: a recorder writes the samples since midnight into its WAV. Sound alone
 * counts 25 frames a second, too few for other rates, so the samples are kept as well. Zero means
 * that the recorder has no clock.
 */
export function readTimeReference(
  formatTags: Record<string, string>,
  sampleRate: number,
): Pick<Media, 'start_timecode' | 'time_reference'> {
  const written = Number(formatTags.time_reference)
  if (!(written > 0) || !(sampleRate > 0)) return { start_timecode: null }
  const format = timecodeFormat(audioFrameRate, false)
  const frame = Math.round((written / sampleRate) * toNumber(audioFrameRate))
  const samples = written % (secondsPerDay * sampleRate)
  const isExact = Number.isSafeInteger(written) && Number.isSafeInteger(sampleRate) && samples > 0
  return {
    start_timecode: toTimecode(frame, format),
    ...(isExact ? { time_reference: { samples, sample_rate: sampleRate } } : {}),
  }
}

/** The duration of a stream's tick in seconds; a millisecond if not stated. */
export function parseBase(text: string | undefined): Rational {
  const [num = '1', den = '1000'] = (text ?? '').split('/')
  return rational(BigInt(num || 1), BigInt(den || 1000))
}

/** Which field of a frame is shown first; null if not stated. */
export function readFieldOrder(videoStream: Stream): Media['field_order'] {
  const orders = { progressive: 'progressive', tt: 'upper', bt: 'upper', bb: 'lower', tb: 'lower' }
  return (orders[videoStream.field_order as keyof typeof orders] ?? null) as Media['field_order']
}

export function readReel(
  streams: readonly Stream[],
  formatTags: Record<string, string>,
): string | null {
  const tags = [...streams.map((stream) => stream.tags ?? {}), formatTags]
  const names = ['reel_name', 'reel', 'tape', 'com.apple.proapps.reel']
  for (const name of names) {
    const value = tags.find((tag) => tag[name]?.trim())?.[name]
    if (value) return value.trim().slice(0, 255)
  }
  return null
}

/** Degrees clockwise that a player turns the picture: 0, 90, 180 or 270. */
export function readRotation(videoStream: Stream): number {
  const matrix = videoStream.side_data_list?.find((data) => data.rotation !== undefined)?.rotation
  const degrees = matrix === undefined ? Number(videoStream.tags?.rotate ?? 0) : -matrix
  const turned = ((Math.round(degrees / 90) * 90) % 360) + 360
  return Number.isFinite(turned) ? turned % 360 : 0
}

/**
 * False for a codec without a name, which nothing decodes: spatial sound of phones, raw video of
 * cinema cameras.
 */
export function hasKnownCodec({ codec_name: name }: Stream): boolean {
  return name !== undefined && name !== 'unknown'
}

/** The audio track to use: the chosen one, or the first that can be decoded. */
export function heardTrack(
  streams: readonly Stream[],
  wanted: number | undefined,
): Stream | undefined {
  const all = streams.filter((stream) => stream.codec_type === 'audio')
  const track = all[wanted ?? -1] ?? all.find(hasKnownCodec)
  return track && hasKnownCodec(track) ? track : undefined
}

export function audioTracks(streams: readonly Stream[]): Media['audio'] {
  return streams
    .filter((stream) => stream.codec_type === 'audio')
    .map((stream) => ({
      index: stream.index,
      codec: stream.codec_name ?? 'unknown',
      channels: stream.channels ?? 0,
      layout: stream.channel_layout ?? null,
      sample_rate: Number(stream.sample_rate ?? 0) || 0,
      language: known(stream.tags?.language),
      title: stream.tags?.title ?? null,
    }))
}

export function colorOf(videoStream: Stream | undefined) {
  const transfer = known(videoStream?.color_transfer)
  return {
    primaries: known(videoStream?.color_primaries),
    transfer,
    matrix: known(videoStream?.color_space),
    range: known(videoStream?.color_range),
    bit_depth: videoStream ? bitDepth(videoStream) : null,
    hdr: isHdr(transfer),
  }
}

function bitDepth(videoStream: Stream): number | null {
  const stated = Number(videoStream.bits_per_raw_sample ?? 0)
  if (stated > 0) return stated
  const named = /(?:p|gray|gbrp|rgb)(9|10|12|14|16)(?:le|be)$/.exec(videoStream.pix_fmt ?? '')
  if (named) return Number(named[1])
  return videoStream.pix_fmt ? 8 : null
}

function known(text: string | undefined): string | null {
  return text && !['unknown', 'und', 'reserved'].includes(text) ? text : null
}
