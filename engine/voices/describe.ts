/** Describes windows of a raw sound file (s16le, mono, 16 kHz), read half a minute at a time. */
import { readWindow } from '../speech/whisper/windows.ts'
import { sampleRate } from '../speech/voice/vad.ts'
import type { Seconds } from '../speech/voice/vad.ts'
import { framesPerSecond } from './spectra.ts'
import type { DescribeVoices } from './tell-apart.ts'
import { recogniserHop, voiceSize } from './voice-model.ts'
import type { VoiceModel } from './voice-model.ts'

/** The network hears no more than this at once, which bounds its memory. */
const maxSeconds = 30
/** The recogniser compares all that it hears at once; the matrix was made with so much. */
const maxListenedSeconds = 15
const minListenedSeconds = 0.5
/** The recogniser's frames are kept as sums of so many a second: 2.5 kB. */
const sumsPerSecond = 10

interface Sound {
  audioFile: string
  model: VoiceModel
  signal?: AbortSignal
}

/** Output of the recogniser for a stretch: its frames as sums, and how many are in each. */
export interface HeardStretch {
  /** The place in the whole sound that the first sum is for. */
  firstPlace: number
  sums: Float32Array
  counts: Uint8Array
}

/** Windows that the network hears at once, in order; what it makes of one depends on the others. */
interface VoicePack extends Seconds {
  windows: Seconds[]
}

/**
 * Windows may be described as often as needed: the recogniser has heard them before, and a pack
 * that was described the last time is known.
 */
export function openVoices(heard: readonly HeardStretch[], sound: Sound): DescribeVoices {
  const whole = joinStretches(heard)
  let known = new Map<string, Float32Array>()
  return async (windows) => {
    const order = inOrderOf(windows)
    const voices: Float32Array[] = []
    const next: typeof known = new Map()
    let place = 0
    for (const pack of packWindows(order.map((at) => windows[at]!))) {
      const key = pack.windows.map(({ start, end }) => `${start} ${end}`).join()
      const described = known.get(key) ?? (await describePack(pack, sound))
      next.set(key, described)
      for (const [at, window] of pack.windows.entries()) {
        const voice = described.slice(at * voiceSize, (at + 1) * voiceSize)
        addMean(voice, window, whole)
        voices[order[place++]!] = voice
      }
    }
    known = next
    return voices
  }
}

/** Each stretch is heard on its own. */
export async function listenTo(
  stretches: readonly Seconds[],
  { audioFile, model, signal }: Sound,
): Promise<HeardStretch[]> {
  const heard: HeardStretch[] = []
  for (const stretch of stretches) {
    signal?.throwIfAborted()
    const samples = await readWindow(audioFile, stretch)
    if (samples.length < minListenedSeconds * sampleRate) continue
    heard.push(sumUp(await model.listen(samples), stretch.start))
  }
  return heard
}

function inOrderOf(windows: readonly Seconds[]): number[] {
  return windows.map((_, at) => at).sort((a, b) => windows[a]!.start - windows[b]!.start)
}

function sumUp(frames: Float32Array, start: number): HeardStretch {
  const placeOf = (frame: number): number =>
    Math.floor((start + ((frame + 0.5) * recogniserHop) / sampleRate) * sumsPerSecond)
  const count = frames.length / voiceSize
  const firstPlace = placeOf(0)
  const places = count === 0 ? 0 : placeOf(count - 1) - firstPlace + 1
  const counts = new Uint8Array(places)
  const sums = new Float32Array(places * voiceSize)
  for (let frame = 0; frame < count; frame++) {
    const place = placeOf(frame) - firstPlace
    counts[place] = counts[place]! + 1
    addTo(sums, place, frames.subarray(frame * voiceSize, (frame + 1) * voiceSize))
  }
  return { firstPlace, sums, counts }
}

/** Two that follow each other may share a place. */
function joinStretches(heard: readonly HeardStretch[]): HeardStretch {
  const places = Math.max(0, ...heard.map(({ firstPlace, counts }) => firstPlace + counts.length))
  const counts = new Uint8Array(places)
  const sums = new Float32Array(places * voiceSize)
  for (const stretch of heard) {
    stretch.counts.forEach((count, at) => {
      const place = stretch.firstPlace + at
      counts[place] = counts[place]! + count
    })
    addTo(sums, stretch.firstPlace, stretch.sums)
  }
  return { firstPlace: 0, sums, counts }
}

function addTo(sums: Float32Array, place: number, more: Float32Array): void {
  const start = place * voiceSize
  more.forEach((value, at) => (sums[start + at] = sums[start + at]! + value))
}

/**
 * Groups speech to be heard at once: spans together up to the limit, a longer one in equal parts.
 */
export function stretchesOf(speech: readonly Seconds[]): Seconds[] {
  const stretches: Seconds[] = []
  for (const { start, end } of speech) {
    const last = stretches.at(-1)
    if (last && end - last.start <= maxListenedSeconds) last.end = end
    else {
      const count = Math.ceil((end - start) / maxListenedSeconds)
      const length = Math.max((end - start) / count, minListenedSeconds)
      for (let at = 0; at < count; at++) {
        stretches.push({ start: start + at * length, end: start + (at + 1) * length })
      }
    }
  }
  return stretches
}

function addMean(
  voice: Float32Array,
  { start, end }: Seconds,
  { sums, counts }: HeardStretch,
): void {
  if (counts.length === 0) return
  const first = Math.min(Math.round(start * sumsPerSecond), counts.length - 1)
  const last = Math.min(Math.max(first + 1, Math.round(end * sumsPerSecond)), counts.length)
  let count = 0
  for (let place = first; place < last; place++) count += counts[place]!
  if (count === 0) return
  for (let place = first; place < last; place++) {
    for (let at = 0; at < voiceSize; at++) {
      voice[at] = voice[at]! + sums[place * voiceSize + at]! / count
    }
  }
}

/** Windows must be in order. */
function packWindows(windows: readonly Seconds[]): VoicePack[] {
  const packs: VoicePack[] = []
  for (let first = 0; first < windows.length;) {
    const { start } = windows[first]!
    let end = Math.min(windows[first]!.end, start + 2 * maxSeconds)
    let next = first + 1
    while (next < windows.length && windows[next]!.end - start <= maxSeconds) {
      end = Math.max(end, windows[next++]!.end)
    }
    packs.push({ start, end, windows: windows.slice(first, next) })
    first = next
  }
  return packs
}

async function describePack(
  pack: VoicePack,
  { audioFile, model, signal }: Sound,
): Promise<Float32Array> {
  signal?.throwIfAborted()
  const { start, end } = pack
  const samples = await readWindow(audioFile, { start, end })
  const frames = pack.windows
    .flatMap((window) => [window.start, Math.min(window.end, end)])
    .map((seconds) => Math.round((seconds - start) * framesPerSecond))
  return await model.describe({ samples, windows: Int32Array.from(frames) })
}
