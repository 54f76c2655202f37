/**
 * Cuts the sound into windows of at most 28 s for the recogniser, at pauses. Voice activity says
 * where to cut and what is certainly empty; it never alone decides that sound is thrown away, since
 * in noise it misses whole sentences. So the gaps between spans are kept too wherever the
 * probability is not close to zero.
 */
import { open } from 'node:fs/promises'
import { sampleRate, speechSpans, vadHop, voiceIn } from '../voice/vad.ts'
import type { Seconds } from '../voice/vad.ts'

/** Length of the longest window; the model takes 30 s. */
export const maxWindowSeconds = 28
const maxSpanSeconds = 27
/** A stretch whose highest probability stays below this has no voice. */
const emptyBelow = 0.1
/** Pauses up to this length stay inside a window: its words need their surroundings. */
const maxPauseSeconds = 6

export function planWindows(probabilities: Float32Array): Seconds[] {
  const spans = coverUnsure(probabilities, [
    ...speechSpans(probabilities, { threshold: 0.5, minSilenceMs: 400, padMs: 200 }),
  ]).flatMap((span) => splitLong(probabilities, span))
  const windows: Seconds[] = []
  for (const span of spans) {
    const last = windows.at(-1)
    if (
      last &&
      span.end - last.start <= maxWindowSeconds &&
      span.start - last.end <= maxPauseSeconds
    ) {
      last.end = span.end
    } else windows.push({ ...span })
  }
  return windows.filter((window) => voiceIn(probabilities, window).max >= emptyBelow)
}

/** Adds what lies between the spans where a voice is possible. */
function coverUnsure(probabilities: Float32Array, spans: Seconds[]): Seconds[] {
  const hop = vadHop / sampleRate
  const unsure = speechSpans(probabilities, {
    threshold: emptyBelow,
    minSpeechMs: 60,
    minSilenceMs: 400,
    padMs: 200,
  })
  const merged = [...spans, ...unsure].sort((a, b) => a.start - b.start)
  const result: Seconds[] = []
  for (const span of merged) {
    const last = result.at(-1)
    if (last && span.start <= last.end + hop) last.end = Math.max(last.end, span.end)
    else result.push({ ...span })
  }
  return result
}

/** A span that is too long is cut at its least voiced place in the second half. */
function splitLong(probabilities: Float32Array, span: Seconds): Seconds[] {
  const parts: Seconds[] = []
  let { start } = span
  while (span.end - start > maxSpanSeconds) {
    const cut = quietest(probabilities, start + maxSpanSeconds / 2, start + maxSpanSeconds)
    parts.push({ start, end: cut })
    start = cut
  }
  parts.push({ start, end: span.end })
  return parts
}

function quietest(probabilities: Float32Array, from: number, to: number): number {
  const first = Math.round((from * sampleRate) / vadHop)
  const last = Math.round((to * sampleRate) / vadHop)
  const half = 3
  let best = last
  let lowest = Infinity
  for (let at = first; at < last; at++) {
    let sum = 0
    for (let near = at - half; near <= at + half; near++) sum += probabilities[near] ?? 0
    // Later is better among equals: fewer windows.
    if (sum <= lowest) {
      lowest = sum
      best = at
    }
  }
  return (best * vadHop) / sampleRate
}

/**
 * One window out of the raw sound file (s16le, mono, 16 kHz); never more than the window. A file
 * that holds a part of the sound begins with `firstSample` of it.
 */
export async function readWindow(
  audioFile: string,
  window: Seconds,
  firstSample = 0,
): Promise<Float32Array> {
  const first = Math.max(0, Math.round(window.start * sampleRate))
  const count = Math.max(0, Math.round(window.end * sampleRate) - first)
  const bytes = Buffer.alloc(count * 2)
  await using file = await open(audioFile, 'r')
  let at = 0
  while (at < bytes.length) {
    const { bytesRead } = await file.read(
      bytes,
      at,
      bytes.length - at,
      (first - firstSample) * 2 + at,
    )
    if (bytesRead === 0) break
    at += bytesRead
  }
  const values = new Int16Array(bytes.buffer, bytes.byteOffset, at >> 1)
  const samples = new Float32Array(values.length)
  for (let index = 0; index < samples.length; index++) samples[index] = values[index]! / 32768
  return samples
}
