/**
 * Hard cuts and gradual changes of real edited clips, by family, beside two peers. The truth lies in
 * `shots-real/manifest.json`; the clips have no licence of their own and lie wherever they were put.
 */
import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ShotChange } from '../../contract/findings.ts'
import { adaptiveFrames } from './adaptive-peer.ts'
import { addTally, cutTally, f1, gradualTally, scdetFrames } from './cut-truth.ts'
import type { Tally } from './cut-truth.ts'

interface RealClip {
  kind: string[]
  cuts: number[]
  /** First and last blended frame. */
  gradual: { type: string; start: number; end: number }[]
  /** Inclusive ranges in which a report counts neither way. */
  ignore: [number, number][]
}

export async function benchRealShots(
  folder: string,
  clipFolder: string,
  changesOf: (file: string) => Promise<readonly ShotChange[]>,
): Promise<void> {
  const text = await readFile(path.join(folder, 'manifest.json'), 'utf8')
  const clips = JSON.parse(text) as Record<string, RealClip>
  const totals = new Map<string, Map<string, Tally>>()
  for (const [name, clip] of Object.entries(clips)) {
    const file = path.join(clipFolder, name)
    const isThere = await access(file).then(
      () => true,
      () => false,
    )
    if (!isThere) {
      console.log(`${name}: not in ${clipFolder}, left out`)
      continue
    }
    const changes = await changesOf(file)
    const tallies = {
      ours: cutsTally(clip, startsOf(changes.filter((one) => one.type === 'cut'))),
      scdet: cutsTally(clip, await scdetFrames(file)),
      adaptive: cutsTally(clip, await adaptiveFrames(file)),
      gradual: softTally(clip, changes),
    }
    console.log(`${name}: ${showTallies(new Map(Object.entries(tallies)))}`)
    for (const family of ['all', ...clip.kind]) {
      const sums = totals.get(family) ?? new Map<string, Tally>()
      for (const [who, tally] of Object.entries(tallies)) {
        sums.set(who, addTally(sums.get(who), tally))
      }
      totals.set(family, sums)
    }
  }
  for (const [family, sums] of totals) console.log(`family ${family}: ${showTallies(sums)}`)
}

function startsOf(changes: readonly ShotChange[]): number[] {
  return changes.map((one) => one.start_frame)
}

function cutsTally(clip: RealClip, frames: readonly number[]): Tally {
  const isTrue = (frame: number): boolean => clip.cuts.some((cut) => Math.abs(cut - frame) <= 1)
  const counted = frames.filter((frame) => isTrue(frame) || !isIgnored(clip, frame, frame))
  return cutTally({ cuts: clip.cuts, gradual: [] }, counted)
}

function softTally(clip: RealClip, changes: readonly ShotChange[]): Tally {
  const gradual = clip.gradual.map((one) => ({ ...one, end: one.end + 1 }))
  const found = changes
    .filter((one) => one.type !== 'cut')
    .map((one) => ({ type: one.type as string, start: one.start_frame, end: one.end_frame }))
  const isTrue = (one: { start: number; end: number }): boolean =>
    gradual.some((truth) => one.start < truth.end && one.end > truth.start)
  const counted = found.filter((one) => isTrue(one) || !isIgnored(clip, one.start, one.end))
  return gradualTally({ cuts: [], gradual }, counted)
}

function isIgnored({ ignore }: RealClip, from: number, to: number): boolean {
  return ignore.some(([first, last]) => from <= last && to >= first)
}

function showTallies(tallies: ReadonlyMap<string, Tally>): string {
  return [...tallies]
    .map(([who, tally]) => {
      const { hit, extra, missed } = tally
      return `${who} F1 ${f1(tally).toFixed(3)} (${hit} hit, ${extra} false, ${missed} missed)`
    })
    .join('; ')
}
