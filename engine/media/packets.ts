/**
 * The exact times of a stream's frames without decoding them: the packets' integer pts, sorted,
 * with what the edit list hides left out. Reading packets costs about a hundredth of a decode.
 */
import { inputGuards, runTool } from '../tools/run.ts'

export interface Scan {
  /** Timestamps in presentation order; after a restart of the clock they continue from before. */
  pts: Float64Array
  /** The pts of key frames, in presentation order. */
  keys: Float64Array
  /** Packets with a pts, of which several may share one. */
  shown: number
  /** Duration of the last frame, in ticks. */
  lastTicks: number | undefined
  /** Packets that the edit list hides. */
  hidden: number
  /** False if time ran out or if packets have no pts. */
  complete: boolean
  /**
   * True if the stream starts with a key frame and none is shown before it, so that all frames can
   * be decoded. Otherwise only a decoder knows which frame is the first.
   */
  startsWithKey: boolean
  /** Ticks added in total after each restart of the clock. */
  restarts: number[]
}

export interface ScanInput {
  file: string
  stream: number
  /** A larger step back in the timestamps is a restart of the clock; see `scanOf`. */
  backTicks?: number | undefined
  wallMs: number
  signal?: AbortSignal
}

/** A packet as ffprobe prints it; a pts that is missing is NaN. */
export interface Packet {
  pts: number
  ticks: number
  flags: string
}

/** Six hours at 240 frames per second. */
const maxPackets = 6 * 3600 * 240

export async function scanPackets(input: ScanInput): Promise<Scan> {
  const collected = createCollector(input.backTicks)
  let rest = ''
  const outcome = await runTool({
    tool: 'ffprobe',
    input: input.file,
    wallMs: input.wallMs,
    signal: input.signal,
    limits: { memoryBytes: 4 * 1024 ** 3, fileBytes: 0 },
    args: (paths) => [
      ...['-v', 'quiet', ...inputGuards, '-select_streams', String(input.stream)],
      ...['-show_entries', 'packet=pts,duration,flags', '-of', 'csv=p=0', paths.input],
    ],
    pipes: {
      1(chunk) {
        const lines = (rest + chunk.toString('latin1')).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const [pts = '', ticks = '', flags = ''] = line.split(',')
          if (flags === '') continue
          collected.take({
            pts: Number.parseInt(pts, 10),
            ticks: Number.parseInt(ticks, 10),
            flags,
          })
        }
      },
    },
  })
  return collected.finish(outcome.end === 'done')
}

/**
 * Like `scanPackets`, from packets of one stream that were read before. A clock that steps back by
 * more than `backTicks` has restarted, as in recordings that were concatenated byte by byte.
 */
export function scanOf(packets: readonly Packet[], backTicks?: number): Scan {
  const collected = createCollector(backTicks)
  for (const packet of packets) collected.take(packet)
  return collected.finish(true)
}

function createCollector(backTicks = Infinity) {
  let kept = new Float64Array(4096)
  let count = 0
  let hidden = 0
  let missing = 0
  let keyPts: number | undefined
  const keys: number[] = []
  let last = { pts: -Infinity, ticks: undefined as number | undefined }
  const runs: Run[] = []
  return {
    take({ pts, ticks, flags }: Packet): void {
      keyPts ??= flags.includes('K') ? pts : NaN
      if (flags.includes('D')) {
        hidden++
        return
      }
      if (!Number.isSafeInteger(pts)) {
        missing++
        return
      }
      if (count >= maxPackets) return
      if (count === kept.length) {
        const grown = new Float64Array(count * 2)
        grown.set(kept)
        kept = grown
      }
      if (runs.length === 0 || pts < last.pts - backTicks) {
        runs.push({ first: count, firstKey: keys.length, low: pts, end: pts })
        last = { pts: -Infinity, ticks: undefined }
      }
      kept[count++] = pts
      if (flags.includes('K')) keys.push(pts)
      if (pts > last.pts) last = { pts, ticks: ticks > 0 ? ticks : undefined }
      const run = runs.at(-1)!
      run.low = Math.min(run.low, pts)
      run.end = Math.max(run.end, pts + Math.max(1, ticks || 1))
    },
    finish(isWhole: boolean): Scan {
      const all = kept.slice(0, count)
      const allKeys = Float64Array.from(keys)
      const restarts = offsetsOf(runs)
      for (const [at, offset] of restarts.entries()) {
        const [run, next] = [runs[at + 1]!, runs[at + 2]]
        shift(all.subarray(run.first, next?.first), offset)
        shift(allKeys.subarray(run.firstKey, next?.firstKey), offset)
      }
      const pts = withoutRepeats(all.sort())
      return {
        pts,
        restarts,
        keys: allKeys.sort(),
        shown: count,
        lastTicks: last.ticks,
        hidden,
        complete: isWhole && missing === 0 && count > 0 && count < maxPackets,
        startsWithKey: missing === 0 && (pts[0] ?? NaN) >= (keyPts ?? NaN),
      }
    },
  }
}

/** Packets between two restarts of the clock. */
interface Run {
  first: number
  firstKey: number
  low: number
  end: number
}

/** Each run after a restart continues where the run before it ends. */
function offsetsOf(runs: readonly Run[]): number[] {
  let offset = 0
  return runs.slice(1).map((run, at) => (offset += runs[at]!.end - run.low))
}

function shift(values: Float64Array, by: number): void {
  for (let at = 0; at < values.length; at++) values[at]! += by
}

/** Two fields of one frame share a pts. */
function withoutRepeats(pts: Float64Array): Float64Array {
  let count = 0
  for (let index = 0; index < pts.length; index++) {
    if (index === 0 || pts[index] !== pts[index - 1]) pts[count++] = pts[index] ?? 0
  }
  return pts.slice(0, count)
}
