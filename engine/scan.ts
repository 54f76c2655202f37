/**
 * The exact times of a stream's frames without decoding them: the packets' integer pts, sorted, with
 * what the edit list hides left out. Reading packets costs about a hundredth of a decode.
 */
import { inputGuards, runTool } from './ffmpeg.ts'

export interface Scan {
  /** In presentation order. */
  pts: Float64Array
  /** How long the last one stays, in ticks. */
  lastTicks: number | undefined
  /** Packets that the edit list hides. */
  hidden: number
  /** False where time ran out, or where packets carry no pts. */
  complete: boolean
}

export interface ScanInput {
  file: string
  stream: number
  wallMs?: number
  signal?: AbortSignal
}

/** Six hours at 240 frames per second. */
const maxPackets = 6 * 3600 * 240

export async function scanPackets(input: ScanInput): Promise<Scan> {
  let kept = new Float64Array(4096)
  let count = 0
  let hidden = 0
  let missing = 0
  let last = { pts: -Infinity, ticks: undefined as number | undefined }
  let rest = ''
  const take = (line: string): void => {
    const [ptsText = '', ticksText = '', flags = ''] = line.split(',')
    if (flags === '') return
    if (flags.includes('D')) {
      hidden++
      return
    }
    const pts = Number.parseInt(ptsText, 10)
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
    kept[count++] = pts
    const ticks = Number.parseInt(ticksText, 10)
    if (pts > last.pts) last = { pts, ticks: ticks > 0 ? ticks : undefined }
  }
  const outcome = await runTool({
    tool: 'ffprobe',
    input: input.file,
    wallMs: input.wallMs ?? 120_000,
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
        for (const line of lines) take(line)
      },
    },
  })
  const pts = kept.slice(0, count).sort()
  const complete = outcome.end === 'done' && missing === 0 && count > 0 && count < maxPackets
  return { pts: withoutRepeats(pts), lastTicks: last.ticks, hidden, complete }
}

/** Two fields of one frame share a pts. */
function withoutRepeats(pts: Float64Array): Float64Array {
  let count = 0
  for (let index = 0; index < pts.length; index++) {
    if (index === 0 || pts[index] !== pts[index - 1]) pts[count++] = pts[index] ?? 0
  }
  return pts.slice(0, count)
}
