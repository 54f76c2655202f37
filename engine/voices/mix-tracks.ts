/**
 * One sound out of several microphones, in which each person is heard by their own: each microphone
 * gets the share of the gain that it has of the loudness (Dugan's automatic mixer), so that bleed
 * and noise of the others stay below, and the shares always add up to one.
 */
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { Microphones } from './microphones.ts'
import { levelsPerSecond } from './track-levels.ts'
import type { TrackLevels } from './track-levels.ts'

/** Samples of all channels of one stream in turn, 16-bit at 16 kHz. */
export interface TrackFile {
  file: string
  channels: number
}

const frameSamples = 16_000 / levelsPerSecond
const blockFrames = levelsPerSecond
const silence = 1e-9

/** How many samples were written. */
export async function mixTracks(
  files: readonly TrackFile[],
  { levels, microphones, to }: { levels: TrackLevels; microphones: Microphones; to: string },
): Promise<number> {
  const sources = files.flatMap(({ channels }, file) =>
    Array.from({ length: channels }, (_, channel) => ({ file, channel, channels })),
  )
  const heard = microphones.channels.map((channel, at) => ({
    ...sources[channel]!,
    gain: microphones.gains[at]!,
    shareAt: (frame: number): number => shareOf(levels, microphones, { at, frame }),
  }))
  const opened: FileHandle[] = []
  const target = await open(to, 'w')
  try {
    for (const { file } of files) opened.push(await open(file))
    for (let from = 0; from < levels.frames; from += blockFrames) {
      const frames = Math.min(blockFrames, levels.frames - from)
      const parts: Int16Array[] = []
      for (const [index, { channels }] of files.entries()) {
        parts.push(await readPart(opened[index]!, { channels, from, frames }))
      }
      const mixed = new Float64Array(frames * frameSamples)
      for (const { file, channel, channels, gain, shareAt } of heard) {
        const samples = parts[file]!
        for (let frame = 0; frame < frames; frame++) {
          const [first, next] = [shareAt(from + frame), shareAt(from + frame + 1)]
          for (let at = 0; at < frameSamples; at++) {
            const place = frame * frameSamples + at
            const share = first + ((next - first) * at) / frameSamples
            mixed[place]! += samples[place * channels + channel]! * gain * share
          }
        }
      }
      await target.write(Int16Array.from(mixed, limited))
    }
    return levels.frames * frameSamples
  } finally {
    for (const handle of opened) await handle.close()
    await target.close()
  }
}

/** The part of the gain that one microphone has at the border before a frame. */
function shareOf(
  { channels, frames, power }: TrackLevels,
  microphones: Microphones,
  { at, frame }: { at: number; frame: number },
): number {
  let [own, all] = [silence, 0]
  for (const [index, channel] of microphones.channels.entries()) {
    let sum = 0
    for (const near of [frame - 1, frame]) {
      if (near >= 0 && near < frames) sum += power[near * channels + channel]!
    }
    const loudness = Math.sqrt(sum) * microphones.gains[index]! + silence
    all += loudness
    if (index === at) own = loudness
  }
  return own / all
}

/** A file that ends early is silent from there. */
async function readPart(
  handle: FileHandle,
  { channels, from, frames }: { channels: number; from: number; frames: number },
): Promise<Int16Array> {
  const samples = new Int16Array(frames * frameSamples * channels)
  const bytes = new Uint8Array(samples.buffer)
  const start = from * frameSamples * channels * 2
  let done = 0
  while (done < bytes.length) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, start + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return samples
}

function limited(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample)))
}
