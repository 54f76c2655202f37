/**
 * Decodes the sound of a file once: mono, 8 kHz, into a file of samples. A media tool takes longer
 * to start (.13 s of CPU) than to decode ten seconds of sound, so where the media is known already,
 * one run gives the sound and the time of the first picture (`readKnownSound`).
 */
import { closeSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Media } from '../../domain/findings/findings.ts'
import { scanOf } from '../media/packets.ts'
import type { Packet } from '../media/packets.ts'
import type { MediaDetails } from '../probe.ts'
import { inputGuards, runTool } from '../tools/run.ts'
import { soundInFile, soundRate } from './sound.ts'
import type { Sound } from './sound.ts'

export interface OpenSound extends Sound {
  close: () => void
}

interface SoundFile {
  file: string
  /** File for the samples. */
  to: string
  maxSeconds: number
}

/**
 * Reads the sound; null if nothing can be decoded. Sample 0 is the start of frame 0, as in every
 * analysis.
 */
export async function readSound(
  input: SoundFile & { details: MediaDetails },
  signal?: AbortSignal,
): Promise<OpenSound | null> {
  const { details, to, maxSeconds } = input
  if (!details.audio) return null
  const start = details.video?.startSeconds ?? details.audio.startSeconds
  const samples = await decode(
    input,
    {
      before: ['-copyts'],
      stream: String(details.audio.index),
      filters: `asetpts=PTS-${start.toFixed(7)}/TB,atrim=end=${maxSeconds.toFixed(6)},`,
    },
    signal,
  )
  return samples === 0 ? null : openSound(to, { first: 0, samples })
}

/**
 * Containers whose packets all lie on one clock, so that the tool's own start of the file (the
 * earliest of its streams) can be the origin; transport streams may jump.
 */
const plainContainers = /^(?:mov,|matroska,|mxf$|wav$|w64$|flac$|aiff$|caf$)/
/** More than any codec reorders. */
const firstPackets = 40
/** Sound that runs before the picture for longer than this is looked at by the probe. */
const maxLeadSeconds = 60

/**
 * The same in one run, for media that was probed before; null where the run leaves a doubt: the
 * caller probes then.
 */
export async function readKnownSound(
  input: SoundFile & { media: Media },
  signal?: AbortSignal,
): Promise<OpenSound | null> {
  const { media, to, maxSeconds } = input
  if (!plainContainers.test(media.container ?? '')) return null
  const hasVideo = media.kind === 'video'
  let printed = ''
  const samples = await decode(
    input,
    {
      before: [],
      stream: 'a:0',
      filters: '',
      beside: hasVideo
        ? [
            ...['-map', '0:V:0', '-c', 'copy', '-copyinkf', '-copypriorss', '1'],
            ...['-frames:v', String(firstPackets), '-f', 'framecrc', 'pipe:3'],
          ]
        : [],
      onBeside: (text) => (printed += text),
    },
    signal,
  )
  const start = hasVideo ? firstFrame(printed) : 0
  if (samples === 0 || start === null || start < 0 || start > maxLeadSeconds) return null
  const first = Math.round(start * soundRate)
  const length = Math.min(samples - first, Math.ceil(maxSeconds * soundRate))
  return length <= 0 ? null : openSound(to, { first, samples: length })
}

/** Seconds from the start of the file to its first picture; null where only a decoder knows it. */
function firstFrame(printed: string): number | null {
  const [, num, den] = /^#tb 0: (\d+)\/(\d+)$/m.exec(printed) ?? []
  const packets = printed.split('\n').flatMap((line): Packet[] => {
    const [stream, , pts, ticks] = line.split(',')
    if (stream !== '0') return []
    // Flags are printed where a packet is more or less than a key picture.
    const bits = Number(/, F=(0x[\dA-F]+)/.exec(line)?.[1] ?? 1)
    const letters = `${bits & 1 ? 'K' : '_'}${bits & 4 ? 'D' : '_'}`
    return [{ pts: Number(pts), ticks: Number(ticks), flags: letters }]
  })
  const scan = scanOf(packets)
  if (!scan.complete || !scan.startsWithKey || !num || !den) return null
  return (scan.pts[0]! * Number(num)) / Number(den)
}

interface Decode {
  before: string[]
  stream: string
  filters: string
  /** A second output of the same run, at pipe 3. */
  beside?: string[]
  onBeside?: (text: string) => void
}

/** Number of samples written; 0 if nothing could be decoded in time. */
async function decode(
  { file, to, maxSeconds }: SoundFile,
  { before, stream, filters, beside = [], onBeside }: Decode,
  signal?: AbortSignal,
): Promise<number> {
  const maxBytes = (Math.ceil(maxSeconds) + maxLeadSeconds) * soundRate * 2
  // By itself the filter stretches the sound over gaps below a tenth of a second.
  const resample = `${filters}aresample=${soundRate}:async=1:first_pts=0:min_hard_comp=0.02`
  const target = await open(to, 'w')
  let bytes = 0
  try {
    const outcome = await runTool({
      tool: 'ffmpeg',
      input: file,
      wallMs: 60_000 + maxSeconds * 1000,
      signal,
      limits: { memoryBytes: 4 * 1024 ** 3 },
      args: (paths) => [
        ...['-v', 'error', '-nostdin', ...before, ...inputGuards, '-threads', '1'],
        ...['-t', (maxSeconds + maxLeadSeconds).toFixed(3), '-i', paths.input, '-vn', '-sn', '-dn'],
        ...['-map', `0:${stream}`, '-af', `${resample},aformat=s16:${soundRate}:mono`],
        ...['-flush_packets', '0', '-f', 's16le', 'pipe:1', ...beside],
      ],
      pipes: {
        async 1(chunk) {
          const part = chunk.subarray(0, maxBytes - bytes)
          if (part.length === 0) return
          await target.write(part)
          bytes += part.length
        },
        3: (chunk) => onBeside?.(chunk.toString()),
      },
    })
    signal?.throwIfAborted()
    // A file that ends in rubbish still has the sound before it.
    return outcome.end === 'timeout' ? 0 : bytes >> 1
  } finally {
    await target.close()
  }
}

function openSound(file: string, part: { first: number; samples: number }): OpenSound {
  const fd = openSync(file, 'r')
  return { ...soundInFile(fd, part), close: () => closeSync(fd) }
}
