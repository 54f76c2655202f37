/** The loudness of each channel of a recording, fifty times a second. */

export const levelsPerSecond = 50

export interface TrackLevels {
  channels: number
  frames: number
  /** Mean power of each channel in turn, frame by frame; a full sine is a half. */
  power: Float32Array
}

export interface LevelMeter {
  push: (samples: Int16Array) => void
  finish: () => TrackLevels
}

const frameSamples = 16_000 / levelsPerSecond
/** Takes off rumble and the weight of low vowels, which travel furthest between microphones. */
const emphasis = 0.95

/** Takes 16 kHz samples of all channels in turn. */
export function createLevelMeter(channels: number): LevelMeter {
  let power = new Float32Array(channels * levelsPerSecond * 60)
  let frames = 0
  let filled = 0
  const before = new Float64Array(channels)
  const sums = new Float64Array(channels)
  const close = (): void => {
    if ((frames + 1) * channels > power.length) {
      const grown = new Float32Array(power.length * 2)
      grown.set(power)
      power = grown
    }
    for (let channel = 0; channel < channels; channel++) {
      power[frames * channels + channel] = sums[channel]! / filled / 32_768 ** 2
    }
    frames++
    filled = 0
    sums.fill(0)
  }
  return {
    push(samples) {
      for (let at = 0; at < samples.length; at += channels) {
        for (let channel = 0; channel < channels; channel++) {
          const sample = samples[at + channel]!
          const value = sample - emphasis * before[channel]!
          before[channel] = sample
          sums[channel]! += value * value
        }
        if (++filled === frameSamples) close()
      }
    },
    finish() {
      if (filled > 0) close()
      return { channels, frames, power: power.subarray(0, frames * channels) }
    },
  }
}

/** Mean power of each channel, over the whole track. */
export function meanPowers({ channels, frames, power }: TrackLevels): number[] {
  const sums = Array.from({ length: channels }, () => 0)
  for (let at = 0; at < power.length; at++) sums[at % channels]! += power[at]!
  return sums.map((sum) => sum / Math.max(1, frames))
}

/** All channels of several streams side by side; a stream that ends early is silent from there. */
export function joinLevels(streams: readonly TrackLevels[]): TrackLevels {
  const channels = streams.reduce((sum, stream) => sum + stream.channels, 0)
  const frames = Math.max(0, ...streams.map((stream) => stream.frames))
  const power = new Float32Array(channels * frames)
  let first = 0
  for (const stream of streams) {
    for (let frame = 0; frame < stream.frames; frame++) {
      for (let channel = 0; channel < stream.channels; channel++) {
        power[frame * channels + first + channel] = stream.power[frame * stream.channels + channel]!
      }
    }
    first += stream.channels
  }
  return { channels, frames, power }
}
