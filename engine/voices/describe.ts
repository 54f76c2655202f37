/** Describes windows of a raw sound file (s16le, mono, 16 kHz), read in stretches of half a minute. */
import { readWindow } from '../speech/whisper/windows.ts'
import type { Seconds } from '../speech/voice/vad.ts'
import { framesPerSecond } from './spectra.ts'
import { voiceSize } from './voice-model.ts'
import type { VoiceWindows } from './voice-model.ts'

/** The network hears no more than this at once, which bounds its memory. */
const maxSeconds = 30

/** Windows must be in order. */
export async function describeVoices(
  windows: readonly Seconds[],
  {
    audioFile,
    model,
    signal,
  }: {
    audioFile: string
    model: (input: VoiceWindows) => Promise<Float32Array>
    signal?: AbortSignal
  },
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
    const described = await model({ samples, windows: Int32Array.from(frames) })
    for (let at = 0; at < described.length; at += voiceSize) {
      voices.push(described.slice(at, at + voiceSize))
    }
    first = next
  }
  return voices
}
