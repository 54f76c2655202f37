/**
 * Hard cuts and gradual changes of real edited clips, by family, beside two peers, and how many cuts
 * of a score are true. The clips have no licence of their own and lie wherever they were put.
 */
import { access } from 'node:fs/promises'
import path from 'node:path'
import type { FindingsOf, ShotChange } from '../../domain/findings/findings.ts'
import { adaptiveFrames } from './adaptive-peer.ts'
import { addTally, cutTally, f1, gradualTally, scdetFrames } from './cut-truth.ts'
import type { Tally } from './cut-truth.ts'

export interface RealClip {
  kind: string[]
  /** How many of its frames were looked at, from the first. */
  frames: number
  cuts: number[]
  /** First and last blended frame. */
  gradual: { type: string; start: number; end: number }[]
  /** Inclusive ranges in which a report counts neither way. */
  ignore: [number, number][]
}

const binWidth = 0.2
/** The standard error of a share of fewer cuts than this can be above .05. */
const minBinCuts = 100

export async function benchRealShots(
  clips: Record<string, RealClip>,
  clipFolder: string,
  shotsOf: (file: string) => Promise<FindingsOf<'shots'>>,
): Promise<void> {
  const totals = new Map<string, Map<string, Tally>>()
  const bins = Array.from({ length: 1 / binWidth }, () => ({ cuts: 0, scores: 0, real: 0 }))
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
    const { changes, candidates } = await shotsOf(file)
    const tallies = {
      ours: cutsTally(clip, startsOf(changes.filter((one) => one.type === 'cut'))),
      scdet: cutsTally(clip, await scdetFrames(file)),
      adaptive: cutsTally(clip, await adaptiveFrames(file)),
      gradual: softTally(clip, changes),
    }
    for (const { type, start_frame: frame, score } of candidates) {
      if (type !== 'cut' || isUnknown(clip, frame)) continue
      const bin = bins[Math.min(bins.length - 1, Math.floor(score / binWidth))]!
      bin.cuts++
      bin.scores += score
      bin.real += Number(isCut(clip, frame))
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
  for (const [index, { cuts, scores, real }] of bins.entries()) {
    if (cuts === 0) continue
    const ends = [index, index + 1].map((edge) => (edge * binWidth).toFixed(1)).join(' to ')
    const few = cuts < minBinCuts ? ' (too few to tell .05)' : ''
    console.log(
      `score ${ends}: ${cuts} cuts, ${(scores / cuts).toFixed(3)} on average, ` +
        `${(real / cuts).toFixed(3)} are true${few}`,
    )
  }
}

function startsOf(changes: readonly ShotChange[]): number[] {
  return changes.map((one) => one.start_frame)
}

function cutsTally(clip: RealClip, frames: readonly number[]): Tally {
  const counted = frames.filter((frame) => !isUnknown(clip, frame))
  return cutTally({ cuts: clip.cuts, gradual: [] }, counted)
}

function isCut(clip: RealClip, frame: number): boolean {
  return clip.cuts.some((cut) => Math.abs(cut - frame) <= 1)
}

function isUnknown(clip: RealClip, frame: number): boolean {
  return !isCut(clip, frame) && isIgnored(clip, frame, frame)
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

function isIgnored({ ignore, frames }: RealClip, from: number, to: number): boolean {
  if (from >= frames) return true
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
