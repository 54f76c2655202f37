/** Decodes the sound of a file once: mono, 8 kHz, into a file of samples beside its levels. */
import { closeSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { MediaDetails } from '../probe.ts'
import { inputGuards, runTool } from '../tools/run.ts'
import { createLevels, soundInFile, soundRate } from './sound.ts'
import type { Sound } from './sound.ts'

export interface OpenSound extends Sound {
  close: () => void
}

/** Null where nothing can be decoded. Sample 0 is the start of frame 0, as in every analysis. */
export async function readSound(
  input: { file: string; details: MediaDetails; to: string; maxSeconds: number },
  signal?: AbortSignal,
): Promise<OpenSound | null> {
  const { file, details, to, maxSeconds } = input
  if (!details.audio) return null
  const start = details.video?.startSeconds ?? details.audio.startSeconds
  const levels = createLevels()
  const maxBytes = Math.ceil(maxSeconds) * soundRate * 2
  const target = await open(to, 'w')
  let bytes = 0
  let odd: Buffer = Buffer.alloc(0)
  try {
    const outcome = await runTool({
      tool: 'ffmpeg',
      input: file,
      wallMs: 60_000 + maxSeconds * 1000,
      signal,
      limits: { memoryBytes: 4 * 1024 ** 3 },
      args: (paths) => [
        ...['-v', 'error', '-nostdin', '-copyts', ...inputGuards, '-threads', '1'],
        ...['-t', (maxSeconds + 60).toFixed(3), '-i', paths.input, '-vn', '-sn', '-dn'],
        ...['-map', `0:${details.audio?.index ?? 0}`, '-af', filters(start, maxSeconds)],
        ...['-flush_packets', '0', '-f', 's16le', 'pipe:1'],
      ],
      pipes: {
        async 1(chunk) {
          const whole = odd.length > 0 ? Buffer.concat([odd, chunk]) : chunk
          const even = Math.min(whole.length & ~1, maxBytes - bytes)
          odd = Buffer.from(whole.subarray(whole.length & ~1))
          if (even <= 0) return
          const part = whole.subarray(0, even)
          const samples = new Int16Array(new Uint8Array(part).buffer)
          levels.push(samples)
          await target.write(part)
          bytes += even
        },
      },
    })
    signal?.throwIfAborted()
    // A file that ends in rubbish still has the sound before it.
    if (outcome.end === 'timeout' || bytes === 0) return null
  } finally {
    await target.close()
  }
  const fd = openSync(to, 'r')
  return { ...soundInFile(fd, bytes / 2, levels.finish()), close: () => closeSync(fd) }
}

function filters(start: number, maxSeconds: number): string {
  const aligned = `asetpts=PTS-${start.toFixed(7)}/TB,atrim=end=${maxSeconds.toFixed(6)}`
  return `${aligned},aresample=${soundRate}:async=1:first_pts=0,aformat=s16:${soundRate}:mono`
}
