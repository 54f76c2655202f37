/** Describes windows of a raw sound file (s16le, mono, 16 kHz), read in stretches of half a minute. */
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

/** Hears the speech once; windows may then be described as often as needed. */
export async function openVoices(
  speech: readonly Seconds[],
  sound: Sound,
): Promise<DescribeVoices> {
  const heard = await listen(speech, sound)
  return async (windows) => {
    const voices = await describeWindows(windows, sound)
    voices.forEach((voice, at) => addMean(voice, windows[at]!, heard))
    return voices
  }
}

interface Heard {
  sums: Float32Array
  counts: Uint8Array
}

async function listen(
  speech: readonly Seconds[],
  { audioFile, model, signal }: Sound,
): Promise<Heard> {
  const places = Math.ceil(((speech.at(-1)?.end ?? 0) + minListenedSeconds) * sumsPerSecond) + 1
  const heard = { sums: new Float32Array(places * voiceSize), counts: new Uint8Array(places) }
  for (const stretch of stretchesOf(speech)) {
    signal?.throwIfAborted()
    const samples = await readWindow(audioFile, stretch)
    if (samples.length < minListenedSeconds * sampleRate) continue
    const frames = await model.listen(samples)
    for (let frame = 0; frame * voiceSize < frames.length; frame++) {
      const seconds = stretch.start + ((frame + 0.5) * recogniserHop) / sampleRate
      const place = Math.floor(seconds * sumsPerSecond)
      if (place >= places) break
      heard.counts[place] = heard.counts[place]! + 1
      for (let at = 0; at < voiceSize; at++) {
        const target = place * voiceSize + at
        heard.sums[target] = heard.sums[target]! + frames[frame * voiceSize + at]!
      }
    }
  }
  return heard
}

/** Spans together up to the limit, a longer one in equal parts. */
function stretchesOf(speech: readonly Seconds[]): Seconds[] {
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

function addMean(voice: Float32Array, { start, end }: Seconds, { sums, counts }: Heard): void {
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
async function describeWindows(
  windows: readonly Seconds[],
  { audioFile, model, signal }: Sound,
): Promise<Float32Array[]> {
  const voices: Float32Array[] = []
  for (let first = 0; first < windows.length;) {
    signal?.throwIfAborted()
    const { start } = windows[first]!
    let end = Math.min(windows[first]!.end, start + 2 * maxSeconds)
    let next = first + 1
    while (next < windows.length && windows[next]!.end - start <= maxSeconds) {
      end = Math.max(end, windows[next++]!.end)
    }
    const samples = await readWindow(audioFile, { start, end })
    const frames = windows
      .slice(first, next)
      .flatMap((window) => [window.start, Math.min(window.end, end)])
      .map((seconds) => Math.round((seconds - start) * framesPerSecond))
    const described = await model.describe({ samples, windows: Int32Array.from(frames) })
    for (let at = 0; at < described.length; at += voiceSize) {
      voices.push(described.slice(at, at + voiceSize))
    }
    first = next
  }
  return voices
}
