/** The request for a pass, and the part of the media that it covers. */
import { toNumber } from '../../domain/time/rational.ts'
import { lateSoundEnd } from '../media/late-sound.ts'
import type { FrameClock } from '../time/clock.ts'
import { hasKnownCodec } from '../media/streams.ts'
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

/** Frames of the whole file's clock, half open. */
export interface FrameRange {
  startFrame: number
  endFrame: number
  /** Where the sound starts, if that is after the last frame; with the first frame if not said. */
  soundStart?: number
  /** End of sound that goes on after the last frame; its own end where absent. */
  soundEnd?: number
}

export interface PassRequest {
  file: string
  details: MediaDetails
  workDir: string
  range?: FrameRange
  /** The number that listeners know the range's first frame by; 0 where nothing is said. */
  firstFrame?: number
  /** Leaves the other half of the media alone. */
  only?: 'frames' | 'sound'
  /** Never reads more media than this. */
  maxSeconds?: number
  /** Which of the audio tracks is heard, 0-based. */
  audioTrack?: number
  /** Which of its channels alone is heard, 0-based; all of them mixed if not said. */
  channel?: number | undefined
  onFrame?: (yuv: Uint8Array, frame: number) => void | Promise<void>
  onFace?: (rgb: Uint8Array, frame: number) => void | Promise<void>
  /** Sound is decoded when this is set or `keepAudio` is. */
  onAudio?: (samples: Int16Array) => void | Promise<void>
  keepAudio?: boolean
  /** Streams of sound that are wanted with their channels apart, beside the one that is heard. */
  tracks?: readonly TrackListener[]
  /** Grey frames of this size, a few a second. */
  text?: { width: number; height: number }
  onText?: (gray: Uint8Array, frame: number) => void | Promise<void>
  proxy?: boolean
  /** The proxy's file, where it is only a part of one. */
  proxyName?: string
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
  /** Of the frames, and of sound that goes on after the last one. */
  seconds: number
  /** How much of them at the start is not to be heard: the range begins after the last frame. */
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

/** A picture that cannot be decoded must not keep the sound beside it from being heard. */
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

/** Those of a track with its channels apart. */
export function trackPipes(index: number): SoundPipes {
  return { samples: 8 + 2 * index, places: 9 + 2 * index }
}

/** The numbers of frames that are taken at a step: whole multiples, wherever the range begins. */
export function sampledFrames(step: number, firstFrame = 0): (index: number) => number {
  const first = Math.ceil(firstFrame / step) * step
  return (index) => first + index * step
}

/** Every how many frames a face frame is taken. */
export function faceStep(clock: FrameClock): number {
  return Math.max(1, Math.round(toNumber(clock.rate) / faceFramesPerSecond))
}

/** Every how many frames a picture is looked at for text. */
export function textStep(clock: FrameClock): number {
  return Math.max(1, Math.round(toNumber(clock.rate) / textFramesPerSecond))
}
