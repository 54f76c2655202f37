/** The request for a pass, and the part of the media that it covers. */
import { toNumber } from '../../domain/time/rational.ts'
import { lateSoundEnd } from '../media/late-sound.ts'
import type { FrameClock } from '../time/clock.ts'
import { hasKnownCodec, heardTrack } from '../media/streams.ts'
import type { MediaDetails } from '../probe.ts'

export const smallWidth = 64
export const smallHeight = 36
/** Luma, then both chroma planes at half size. */
export const smallBytes = (smallWidth * smallHeight * 3) / 2
export const faceSide = 512
export const faceFramesPerSecond = 12.5
export const audioRate = 16_000
export const audioFileName = 'audio.s16'
export const proxyFileName = 'proxy.mp4'
export const proxySoundName = 'proxy-sound.mp4'
export const proxyHeight = 540
export const segmentsStartName = 'init.mp4'
export const textSide = 1280
export const textFramesPerSecond = 3

export interface SpriteGrid {
  intervalFrames: number
  tileWidth: number
  tileHeight: number
  columns: number
  rows: number
}

export interface TrackListener {
  /** Index of the stream in the file. */
  stream: number
  channels: number
  /** Samples of all channels in turn, at the rate of the heard sound. */
  onSound: (samples: Int16Array) => void | Promise<void>
}

/** A file of the folder that is complete; all follow the first one, which holds no media. */
export interface Segment {
  name: string
  seconds: number
}

/** Frames on the whole file's clock; the end is exclusive. */
export interface FrameRange {
  startFrame: number
  endFrame: number
  /** Start of the sound if it is after the last frame; by default the first frame. */
  soundStart?: number
  /** End of sound after the last frame; by default the end of the sound itself. */
  soundEnd?: number
}

export interface PassRequest {
  file: string
  details: MediaDetails
  workDir: string
  range?: FrameRange
  /** Number under which listeners know the range's first frame; 0 by default. */
  firstFrame?: number
  /** Skips the other half of the media. */
  only?: 'frames' | 'sound'
  /** Upper limit on the seconds that are read. */
  maxSeconds?: number
  /** 0-based index of the audio track to use. */
  audioTrack?: number
  /** 0-based index of the only channel to use; by default all are mixed. */
  channel?: number | undefined
  onFrame?: (yuv: Uint8Array, frame: number) => void | Promise<void>
  onFace?: (rgb: Uint8Array, frame: number) => void | Promise<void>
  /** Sound is decoded when this is set or `keepAudio` is. */
  onAudio?: (samples: Int16Array) => void | Promise<void>
  keepAudio?: boolean
  /** Audio streams to be read with separate channels, in addition to the main one. */
  tracks?: readonly TrackListener[]
  /** Grey frames of this size, a few a second. */
  text?: { width: number; height: number }
  onText?: (gray: Uint8Array, frame: number) => void | Promise<void>
  proxy?: boolean
  /** File name of the proxy if it is only a piece of one. */
  proxyName?: string
  /** Writes the proxy as segments that play before the rest is there; excludes `onFrame`. */
  onSegment?: (segment: Segment) => void | Promise<void>
  sprite?: SpriteGrid
  /** Writes the sprite's tiles into this file as raw images, for sheets that are made later. */
  tilesName?: string
  signal?: AbortSignal
  /** From 0 to 1. */
  onProgress?: (part: number) => void
}

export interface Plan {
  video: boolean
  startFrame: number
  frames: number
  /** Duration of the frames and of sound after the last one. */
  seconds: number
  /** Seconds at the start to be muted, if the range begins after the last frame. */
  unheardSeconds: number
  /** Where the range starts, on the container's clock. */
  startSeconds: number
}

export function planOf(request: PassRequest): Plan {
  const { details, range, maxSeconds = Infinity } = request
  const { clock, video, audio } = details
  const startFrame = Math.min(range?.startFrame ?? 0, Math.max(0, clock.frames - 1))
  const endFrame = Math.min(range?.endFrame ?? clock.frames, clock.frames)
  const start = toNumber(clock.timeOf(startFrame))
  const lateEnd =
    endFrame === clock.frames && request.only !== 'frames' ? lateSoundEnd(details) : null
  const lastFrameEnd = toNumber(clock.timeOf(endFrame))
  const soundEnd = Math.min(lateEnd ?? lastFrameEnd, range?.soundEnd ?? Infinity)
  const soundStart = lateEnd === null ? 0 : (range?.soundStart ?? 0)
  const unheardSeconds = soundStart > lastFrameEnd ? soundStart - start : 0
  const seconds = Math.min(maxSeconds + unheardSeconds, Math.max(lastFrameEnd, soundEnd) - start)
  const frames = Math.min(endFrame - startFrame, clock.frameAt(start + seconds) - startFrame)
  const origin = video?.startSeconds ?? audio?.startSeconds ?? 0
  const wants =
    request.onFrame ?? request.onFace ?? request.onText ?? request.proxy ?? request.sprite
  return {
    video: Boolean(wants && request.only !== 'sound' && hasKnownVideo(details)),
    startFrame,
    frames,
    seconds,
    unheardSeconds,
    startSeconds: origin + start,
  }
}

export function hasSound({ details, only, audioTrack }: PassRequest): boolean {
  const track = details.audio && heardTrack(details.streams, audioTrack)
  return only !== 'frames' && Boolean(track)
}

/** False if the video has an unknown codec, which must not keep the sound from being read. */
function hasKnownVideo({ video, streams }: MediaDetails): boolean {
  const stream = video && streams.find(({ index }) => index === video.index)
  return Boolean(stream && hasKnownCodec(stream))
}

/** The descriptors at which sound comes: its samples, and where each piece of them belongs. */
export interface SoundPipes {
  samples: number
  places: number
}

export const heardPipes: SoundPipes = { samples: 4, places: 7 }

/** Descriptors of a track with separate channels. */
export function trackPipes(index: number): SoundPipes {
  return { samples: 8 + 2 * index, places: 9 + 2 * index }
}

/** The numbers of frames that are taken at a step: whole multiples, wherever the range begins. */
export function sampledFrames(step: number, firstFrame = 0): (index: number) => number {
  const first = Math.ceil(firstFrame / step) * step
  return (index) => first + index * step
}

/** Takes a face frame every this many frames. */
export function faceStep(clock: FrameClock): number {
  return Math.max(1, Math.round(toNumber(clock.rate) / faceFramesPerSecond))
}

/** Takes a text frame every this many frames. */
export function textStep(clock: FrameClock): number {
  return Math.max(1, Math.round(toNumber(clock.rate) / textFramesPerSecond))
}
