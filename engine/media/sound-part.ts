/** A moment of a file's sound, to the sample: mono, 48 kHz, on the clock of every analysis. */
import { probe } from '../probe.ts'
import { inputGuards, runTool } from '../tools/run.ts'

export const soundPartRate = 48_000

/** A file's sound stream and the start of its clock; required to read any moment of it. */
export interface SoundOrigin {
  /** Index of the sound stream. */
  stream: number
  /** Second of the file's own clock at which frame 0 begins. */
  startSeconds: number
}

/** Finds the sound of a file; null if it has none. */
export async function findSoundOrigin(file: string): Promise<SoundOrigin | null> {
  const probed = await probe(file, {})
  if (probed.status !== 'media' || !probed.details.audio) return null
  const { audio, video } = probed.details
  return { stream: audio.index, startSeconds: video?.startSeconds ?? audio.startSeconds }
}

/** Decoders need a run-up: a frame of AAC or MP3 sounds right only after the one before. */
const runUpSeconds = 0.5

/** Reads signed 16-bit samples, little-endian; silence if the file has none there. */
export async function readSoundPart(
  file: string,
  origin: SoundOrigin,
  part: { start: number; seconds: number },
): Promise<Uint8Array> {
  const { startSeconds, stream } = origin
  const samples = Buffer.alloc(Math.round(part.seconds * soundPartRate) * 2)
  let bytes = 0
  const seekTo = Math.max(0, part.start - runUpSeconds) + startSeconds
  await runTool({
    tool: 'ffmpeg',
    input: file,
    wallMs: 20_000,
    limits: { memoryBytes: 4 * 1024 ** 3, cpuSeconds: 30, fileBytes: 0 },
    args: (paths) => [
      ...['-v', 'error', '-nostdin', '-copyts', ...inputGuards, '-threads', '1'],
      // The filters cut to the sample, so the seek need only come before.
      ...(part.start > runUpSeconds ? ['-noaccurate_seek', '-ss', seekTo.toFixed(6)] : []),
      ...['-i', paths.input, '-vn', '-sn', '-dn', '-map', `0:${stream}`],
      ...['-af', filters(startSeconds, part), '-f', 's16le', 'pipe:1'],
    ],
    pipes: {
      1(chunk) {
        bytes += chunk.copy(samples, bytes)
      },
    },
  })
  return samples
}

/** A little more on both sides, for the resampler's edges. */
const spareSeconds = 0.1

function filters(startSeconds: number, { start, seconds }: { start: number; seconds: number }) {
  const firstSample = Math.round(start * soundPartRate)
  const spare = Math.min(firstSample, Math.round(spareSeconds * soundPartRate))
  const end = spare + Math.round(seconds * soundPartRate)
  const from = (firstSample - spare) / soundPartRate
  return [
    `asetpts=PTS-${(startSeconds + from).toFixed(7)}/TB`,
    `atrim=start=0:end=${(start - from + seconds + spareSeconds).toFixed(6)}`,
    // Begins with silence if the sound begins later, so that samples are counted from here. By
    // default, the filter lets gaps below a tenth of a second shift all later sound.
    `aresample=${soundPartRate}:async=1:first_pts=0:min_hard_comp=0.02`,
    `aformat=s16:${soundPartRate}:mono`,
    `atrim=start_sample=${spare}:end_sample=${end}`,
  ].join(',')
}
