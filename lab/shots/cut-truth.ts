/** Shot changes against the truth, and those of ffmpeg's own detector as the peer. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

export interface Tally {
  hit: number
  extra: number
  missed: number
}

/** Cuts are first frames of new shots; the frames to ignore are ambiguous. */
export interface Truth {
  cuts: number[]
  gradual: { type?: string; start: number; end: number }[]
  ignore?: number[]
}

export function cutTally(clip: Truth, found: readonly number[]): Tally {
  const left = new Set(clip.cuts)
  let extra = 0
  for (const frame of found) {
    const near = [...left].find((cut) => Math.abs(cut - frame) <= 1)
    if (near !== undefined) left.delete(near)
    else if (!isIgnored(clip, frame)) extra++
  }
  return { hit: clip.cuts.length - left.size, extra, missed: left.size }
}

function isIgnored(clip: Truth, frame: number): boolean {
  return (clip.ignore ?? []).some((one) => Math.abs(one - frame) <= 2)
}

export function gradualTally(
  clip: Truth,
  found: readonly { type: string; start: number; end: number }[],
): Tally & { typed: number } {
  const left = new Set(clip.gradual)
  let extra = 0
  let typed = 0
  for (const one of found) {
    const over = [...left].find((truth) => one.start < truth.end && one.end > truth.start)
    if (!over) extra++
    else if (left.delete(over) && over.type === one.type) typed++
  }
  return { hit: clip.gradual.length - left.size, extra, missed: left.size, typed }
}

/** The frames that ffmpeg's own scene detector reports, at its usual threshold. */
export async function scdetFrames(file: string): Promise<number[]> {
  const filter = 'scdet=t=10,metadata=mode=print:key=lavfi.scd.time:file=-'
  const args = ['-v', 'error', '-nostdin', '-i', file, '-map', '0:v:0', '-vf', filter]
  const passthrough = ['-fps_mode', 'passthrough', '-f', 'null', '/dev/null']
  const { stdout } = await execute('ffmpeg', [...args, ...passthrough], { maxBuffer: 64 << 20 })
  return [...stdout.matchAll(/^frame:(\d+)/gm)].map((match) => Number(match[1]))
}

export function addTally(a: Tally | undefined, b: Tally): Tally {
  return {
    hit: (a?.hit ?? 0) + b.hit,
    extra: (a?.extra ?? 0) + b.extra,
    missed: (a?.missed ?? 0) + b.missed,
  }
}

/** 1 where there was nothing to find and nothing was. */
export function f1({ hit, extra, missed }: Tally): number {
  return hit + extra + missed === 0 ? 1 : (2 * hit) / (2 * hit + extra + missed)
}
