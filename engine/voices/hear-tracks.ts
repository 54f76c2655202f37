/**
 * Listens to every channel of a recording beside the one track that all extractors hear, and
 * decides afterwards whether the channels are microphones of single speakers. Then voices are heard
 * in a mix of them; otherwise everything stays as it is.
 */
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { TrackListener } from '../pass/plan.ts'
import { hasKnownCodec } from '../media/streams.ts'
import type { MediaDetails } from '../probe.ts'
import { hearVoice } from '../speech/voice/hear-voice.ts'
import { vadHop } from '../speech/voice/vad.ts'
import { findMicrophones, maxTracks } from './microphones.ts'
import type { HeardMicrophones } from './microphones.ts'
import { mixTracks } from './mix-tracks.ts'
import { createLevelMeter, joinLevels, meanPowers } from './track-levels.ts'

export interface HeardTracks {
  microphones: HeardMicrophones
  /** The sound with the voices; null: the main track. */
  mix: { file: string; samples: number; voice: Float32Array } | null
}

export interface TrackHearing {
  listeners: TrackListener[]
  /** The mean power of each channel of a stream; null where it is not listened to. */
  powersOf: (stream: number) => number[] | null
  /** After the pass; `voice` is of the track that is heard anyway. */
  finish: (voice: Float32Array, signal?: AbortSignal) => Promise<HeardTracks | null>
  close: () => Promise<void>
}

/** The mix of microphones, in the folder. */
export const mixFileName = 'microphones.s16'
const voiced = 0.5

/**
 * Opens the tracks; null if there is nothing to compare. `audioTrack` is a track that was chosen by
 * hand.
 */
export async function openTracks(
  details: MediaDetails,
  { workDir, audioTrack }: { workDir: string; audioTrack?: number | undefined },
): Promise<TrackHearing | null> {
  const streams = comparedStreams(details, audioTrack)
  const channels = streams.reduce((sum, stream) => sum + stream.channels, 0)
  if (channels < 2 || channels > maxTracks) return null
  // For a single stereo track, the main mix is good enough.
  const needsMix = streams.length > 1 || channels > 2
  const files: { file: string; channels: number; handle: FileHandle }[] = []
  if (needsMix) {
    for (const stream of streams) {
      const file = path.join(workDir, `track-${stream.index}.s16`)
      files.push({ file, channels: stream.channels, handle: await open(file, 'w') })
    }
  }
  const meters = streams.map((stream) => createLevelMeter(stream.channels))
  const listeners = streams.map((stream, at) => ({
    stream: stream.index,
    channels: stream.channels,
    async onSound(samples: Int16Array) {
      meters[at]!.push(samples)
      await files[at]?.handle.write(samples)
    },
  }))
  return {
    listeners,
    powersOf(stream) {
      const at = streams.findIndex(({ index }) => index === stream)
      return at < 0 ? null : meanPowers(meters[at]!.finish())
    },
    close: async () => {
      for (const { handle } of files) await handle.close()
    },
    async finish(voice, signal) {
      const levels = joinLevels(meters.map((meter) => meter.finish()))
      if (!needsMix) {
        const microphones = findMicrophones(levels, isVoicedIn(voice))
        return microphones && { microphones: { ...microphones, levels }, mix: null }
      }
      const likely = findMicrophones(levels)
      if (!likely) return null
      const to = path.join(workDir, mixFileName)
      const samples = await mixTracks(files, { levels, microphones: likely, to })
      const mix = { file: to, samples, voice: await hearVoice(to, signal) }
      const microphones = findMicrophones(levels, isVoicedIn(mix.voice))
      return microphones && { microphones: { ...microphones, levels }, mix }
    },
  }
}

/** Tracks of several languages are versions of one sound, not microphones. */
function comparedStreams(
  { streams }: MediaDetails,
  audioTrack: number | undefined,
): { index: number; channels: number }[] {
  const all = streams.filter((stream) => stream.codec_type === 'audio')
  const chosen = all[audioTrack ?? 0] ?? all[0]
  const known = all.flatMap(({ tags }) => tags?.language ?? []).filter((tag) => tag !== 'und')
  const isOne = audioTrack !== undefined || new Set(known).size > 1
  return all
    .filter((stream) => (!isOne || stream === chosen) && hasKnownCodec(stream))
    .map((stream) => ({ index: stream.index, channels: stream.channels ?? 0 }))
    .filter((stream) => stream.channels > 0)
}

function isVoicedIn(voice: Float32Array): (second: number) => boolean {
  return (second) => (voice[Math.floor((second * 16_000) / vadHop)] ?? 0) >= voiced
}
