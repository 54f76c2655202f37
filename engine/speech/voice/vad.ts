/** Voice activity by silero v6: one probability for each 512 samples of mono 16 kHz sound. */
import { takeTurns } from '../../models/in-turn.ts'
import { startModel } from '../../models/start.ts'
import { amplify, createLoudness } from './loudness.ts'
import type { VadMethods } from './vad-process.ts'

export const sampleRate = 16_000
/** Samples that one probability stands for. */
export const vadHop = 512

export interface Vad {
  /** Any chunk size; resolves when there is room for more. */
  push(chunk: Int16Array | Float32Array): Promise<void>
  /** The probabilities; the process behind it is gone afterwards. */
  finish(): Promise<Float32Array>
  /** By how much the sound that was pushed is too quiet for the model; 1 where it is not. */
  missingGain(): number
  /** Ends it early. */
  stop(): void
  cpuSeconds(): number
}

/** Chunks are gathered to this many samples, since a message costs more than a probability. */
const batchSamples = vadHop * 128
const batchesUnderWay = 4

/** Every sample is multiplied by `gain`: one for the whole sound. */
export function createVad(options: { signal?: AbortSignal; gain?: number } = {}): Vad {
  const { signal, gain = 1 } = options
  const model = startModel<VadMethods>(new URL('vad-process.ts', import.meta.url), {
    signal,
  })
  const loudness = createLoudness()
  let batch = new Int16Array(batchSamples)
  let filled = 0
  const turns = takeTurns(model, batchesUnderWay)

  async function send(samples: Int16Array) {
    loudness.push(samples)
    if (gain !== 1) amplify(samples, gain)
    turns.send(model.call('push', samples))
    await turns.room()
  }

  return {
    async push(chunk) {
      let at = 0
      while (at < chunk.length) {
        const part = chunk.subarray(at, at + batchSamples - filled)
        if (part instanceof Float32Array) writeFloats(batch, filled, part)
        else batch.set(part, filled)
        filled += part.length
        at += part.length
        if (filled < batchSamples) continue
        const full = batch
        batch = new Int16Array(batchSamples)
        filled = 0
        await send(full)
      }
    },
    finish: () =>
      turns.finish(
        () => model.call('finish', null),
        async () => {
          if (filled > 0) await send(batch.slice(0, filled))
        },
      ),
    missingGain: () => loudness.missingGain(),
    stop: () => model.stop(),
    cpuSeconds: () => model.cpuSeconds(),
  }
}

function writeFloats(target: Int16Array, offset: number, source: Float32Array): void {
  for (let at = 0; at < source.length; at++) {
    const value = Math.round(source[at]! * 32768)
    target[offset + at] = Math.max(-32768, Math.min(32767, value))
  }
}

export interface SpeechOptions {
  /** Speech begins at or above this probability and goes on down to `threshold - 0.15`. */
  threshold?: number
  /** Shorter speech is dropped, shorter silence is bridged. */
  minSpeechMs?: number
  minSilenceMs?: number
  /** Added on both sides, as far as neighbours leave room. */
  padMs?: number
}

export interface Seconds {
  start: number
  end: number
}

/** The spans of speech in a file's probabilities, in seconds. */
export function speechSpans(
  probabilities: Float32Array,
  { threshold = 0.35, minSpeechMs = 150, minSilenceMs = 500, padMs = 150 }: SpeechOptions = {},
): Seconds[] {
  const hop = vadHop / sampleRate
  const low = Math.max(threshold - 0.15, 0.01)
  const spans: Seconds[] = []
  let start = -1
  let quietSince = -1
  for (let at = 0; at <= probabilities.length; at++) {
    const value = at < probabilities.length ? probabilities[at]! : 0
    const isLast = at === probabilities.length
    if (value >= threshold) {
      if (start < 0) start = at
      quietSince = -1
    } else if (start >= 0 && (value < low || isLast)) {
      if (quietSince < 0) quietSince = at
      if (!isLast && (at - quietSince) * hop * 1000 < minSilenceMs) continue
      const end = quietSince * hop
      if ((end - start * hop) * 1000 >= minSpeechMs) spans.push({ start: start * hop, end })
      start = -1
      quietSince = -1
    }
  }
  return padSpans(spans, padMs / 1000, probabilities.length * hop)
}

/** Two neighbours that are too close for their padding share the gap between them. */
function padSpans(spans: Seconds[], pad: number, duration: number): Seconds[] {
  return spans.map((span, index) => {
    const before = spans[index - 1]?.end
    const after = spans[index + 1]?.start
    return {
      start: Math.max(0, span.start - Math.min(pad, (span.start - (before ?? -Infinity)) / 2)),
      end: Math.min(duration, span.end + Math.min(pad, ((after ?? Infinity) - span.end) / 2)),
    }
  })
}

/** The highest and the mean probability between two times. */
export function voiceIn(
  probabilities: Float32Array,
  { start, end }: Seconds,
): { max: number; mean: number } {
  const inside = voiceOf(probabilities, { start, end })
  let max = 0
  let sum = 0
  for (const value of inside) {
    max = Math.max(max, value)
    sum += value
  }
  return { max, mean: inside.length > 0 ? sum / inside.length : 0 }
}

/** The probabilities between two times, as a copy. */
export function voiceOf(probabilities: Float32Array, { start, end }: Seconds): Float32Array {
  const from = Math.max(0, Math.floor((start * sampleRate) / vadHop))
  return probabilities.slice(from, Math.max(from, Math.ceil((end * sampleRate) / vadHop)))
}
