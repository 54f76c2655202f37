/** Shot changes against the truth, and those of ffmpeg's own detector as the peer. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

export interface Tally {
  hit: number
  extra: number
  missed: number
}

export interface Truth {
  /** Families that the clip belongs to. */
  kind: string[]
  /** Number of frames that were looked at, from the first. */
  frames: number
  /** First frames of new shots. */
  cuts: number[]
  /** First and last blended frame. */
  gradual: { type: string; start: number; end: number }[]
  /** Inclusive ranges in which a report counts neither way. */
  ignore: [number, number][]
}

export function cutTally(clip: Truth, reported: readonly number[]): Tally {
  const left = new Set(clip.cuts)
  let extra = 0
  for (const frame of reported) {
    const near = [...left].find((cut) => Math.abs(cut - frame) <= 1)
    if (near !== undefined) left.delete(near)
    else if (isCut(clip, frame) || !isIgnored(clip, frame, frame)) extra++
  }
  return { hit: clip.cuts.length - left.size, extra, missed: left.size }
}

export function isCut(clip: Truth, frame: number): boolean {
  return clip.cuts.some((cut) => Math.abs(cut - frame) <= 1)
}

export function isIgnored({ ignore, frames }: Truth, from: number, to: number): boolean {
  return from >= frames || ignore.some(([first, last]) => from <= last && to >= first)
}

/** A reported change ends before its `end`. */
export function gradualTally(
  clip: Truth,
  reported: readonly { start: number; end: number }[],
): Tally {
  const left = new Set(clip.gradual)
  let extra = 0
  for (const { start, end } of reported) {
    const covers = (truth: Truth['gradual'][number]) => start <= truth.end && end > truth.start
    const change = [...left].find(covers)
    if (change) left.delete(change)
    else if (clip.gradual.some(covers) || !isIgnored(clip, start, end)) extra++
  }
  return { hit: clip.gradual.length - left.size, extra, missed: left.size }
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

/** 1 where there was nothing to find and nothing was reported. */
export function f1({ hit, extra, missed }: Tally): number {
  return hit + extra + missed === 0 ? 1 : (2 * hit) / (2 * hit + extra + missed)
}
