/**
 * Reads ffprobe's report on a file. A media tool takes longer to start than to read a short clip,
 * so the packets of a small file are read in the same run.
 */
import * as z from 'zod'
import { inputGuards, runTool } from '../tools/run.ts'
import type { ToolEnd } from '../tools/run.ts'
import type { Packet } from './packets.ts'
import { hasKnownCodec } from './streams.ts'
import type { Stream } from './streams.ts'

export interface Report {
  format: z.infer<typeof Printed>['format']
  streams: Stream[]
  /** Every packet of a stream, by the stream's index; null where they were not all read. */
  packets: Map<number, Packet[]> | null
}

const wallMs = 30_000
const outputLimit = 8 * 1024 * 1024
/** Above this size a run for the packets alone costs little beside the reading. */
const smallFileBytes = 96 * 1024 * 1024
const maxPackets = 40_000

const Printed = z.object({
  format: z.looseObject({
    format_name: z.string(),
    duration: z.string().optional(),
    start_time: z.string().optional(),
    tags: z.record(z.string(), z.string()).optional(),
  }),
  streams: z.array(
    z.looseObject({
      index: z.int(),
      codec_type: z.string().optional(),
      codec_name: z.string().optional(),
      tags: z.record(z.string(), z.string()).optional(),
      disposition: z.record(z.string(), z.number()).optional(),
    }),
  ),
})

/** Reads on for streams that begin late, such as speech after eight seconds of black. */
const farther = ['-probesize', '200M', '-analyzeduration', '120M']

interface Options {
  size: number
  packets: boolean
  signal: AbortSignal | undefined
}

/** Reads the report; returns how the tool ended if it reports nothing. */
export async function readReport(
  file: string,
  options: Options,
): Promise<Report | Exclude<ToolEnd, 'done'>> {
  const report = await runProbe(file, options, [])
  if (typeof report === 'string' || !report.streams.some(isUnmet)) return report
  const second = await runProbe(file, options, farther)
  return typeof second === 'string' ? report : second
}

/** True if a track has no sample: a transport stream announces sound before it comes. */
function isUnmet(stream: Stream): boolean {
  return stream.codec_type === 'audio' && hasKnownCodec(stream) && !stream.channels
}

async function runProbe(
  file: string,
  options: Options,
  reach: readonly string[],
): Promise<Report | Exclude<ToolEnd, 'done'>> {
  const isSmall = options.packets && options.size <= smallFileBytes
  const packets = [
    ...['-show_entries', 'packet=stream_index,pts,duration,flags'],
    ...['-read_intervals', `%+#${maxPackets}`],
  ]
  let output = ''
  const outcome = await runTool({
    tool: 'ffprobe',
    input: file,
    wallMs,
    signal: options.signal,
    limits: { memoryBytes: 4 * 1024 ** 3, cpuSeconds: 30, fileBytes: 0 },
    args: (paths) => [
      ...['-v', 'error', ...inputGuards, ...reach, '-max_streams', '100'],
      ...(isSmall ? packets : []),
      ...['-show_format', '-show_streams', '-of', 'json=compact=1', paths.input],
    ],
    pipes: {
      1(chunk) {
        if (output.length < outputLimit) output += chunk.toString('utf8')
      },
    },
  })
  if (outcome.end === 'canceled' || outcome.end === 'timeout') return outcome.end
  const json = parseJson(output)
  const report = Printed.safeParse(json)
  if (outcome.end !== 'done' || !report.success) return 'failed'
  const { format, streams } = report.data
  // A count of our own reading is no property of the media.
  for (const stream of streams) delete stream.nb_read_packets
  return { format, streams, packets: isSmall ? packetsOf(json) : null }
}

/** Tens of thousands of small records that the tool itself wrote: read by hand, not by a schema. */
function packetsOf(json: unknown): Report['packets'] {
  const printed = (json as { packets?: unknown }).packets
  if (!Array.isArray(printed) || printed.length >= maxPackets) return null
  const byStream = new Map<number, Packet[]>()
  for (const line of printed as Record<string, unknown>[]) {
    const stream = Number(line.stream_index)
    const list = byStream.get(stream)
    const packet = {
      pts: Number(line.pts),
      ticks: Number(line.duration),
      flags: String(line.flags),
    }
    if (list) list.push(packet)
    else byStream.set(stream, [packet])
  }
  return byStream
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
