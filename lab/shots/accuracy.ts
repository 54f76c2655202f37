/**
 * `npm run lab -- accuracy FOLDER [shots] [shots-real=CLIPS] [edited=CLIPS] [rates=CLIPS]`: how
 * right cuts and gradual changes are, by family, beside two peers on the same clips, and how many
 * cuts of a score are true. The folder holds `shots/` with its manifest and
 * `shots-real/manifest.json`, whose clips lie in CLIPS; `edited` takes those of edited-clips.json;
 * `rates` brings the real ones to other frame rates by mixing frames.
 */
import { readFile, mkdtempDisposable } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { analyse } from '../../engine/analyse.ts'
import type { FindingsOf, ShotChange } from '../../domain/findings/findings.ts'
import { adaptiveFrames } from './adaptive-peer.ts'
import { addTally, cutTally, f1, gradualTally, isCut, isIgnored, scdetFrames } from './cut-truth.ts'
import type { Tally, Truth } from './cut-truth.ts'
import { convertClips } from './other-rates.ts'
import type { RatedClip } from './other-rates.ts'

const binWidth = 0.2
/** The standard error of a share of fewer cuts than this can be above .05. */
const minBinCuts = 100

export async function run(args: string[]): Promise<void> {
  const [folder, ...parts] = args
  if (!folder) {
    console.log('Name a folder with clips and truth: npm run lab -- accuracy FOLDER [part …]')
    return
  }
  const clipsOf = (name: string): string | undefined =>
    parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1)
  const realTruth = path.join(folder, 'shots-real/manifest.json')
  const [real, edited, rates] = [clipsOf('shots-real'), clipsOf('edited'), clipsOf('rates')]
  if (real) await benchClips(await readJson(realTruth), real)
  if (edited) {
    await benchClips(await readJson(path.join(import.meta.dirname, 'edited-clips.json')), edited)
  }
  if (rates) await benchOtherRates(await readJson(realTruth), rates)
  if (parts.length === 0 || parts.includes('shots')) {
    const shots = path.join(folder, 'shots')
    await benchClips(sharedTruth(await readJson(path.join(shots, 'manifest.json'))), shots)
  }
}

interface SharedClip {
  file: string
  frames: number
  cuts: number[]
  /** The last frame is the one after. */
  gradual: Truth['gradual']
  ignore?: number[]
  kind: string
}

/** The shared clips name single frames to ignore, give or take two. */
function sharedTruth(clips: readonly SharedClip[]): Record<string, Truth> {
  return Object.fromEntries(
    clips.map(({ file, kind, ignore = [], gradual, ...truth }) => [
      file,
      {
        ...truth,
        kind: [kind],
        gradual: gradual.map((change) => ({ ...change, end: change.end - 1 })),
        ignore: ignore.map((frame): [number, number] => [frame - 2, frame + 2]),
      },
    ]),
  )
}

async function benchOtherRates(clips: Record<string, RatedClip>, from: string): Promise<void> {
  await using scratch = await mkdtempDisposable(path.join(os.tmpdir(), 'cutindex-rates-'))
  const folder = scratch.path
  await benchClips(await convertClips(clips, from, folder), folder)
}

async function benchClips(clips: Record<string, Truth>, folder: string): Promise<void> {
  const totals = new Map<string, Map<string, Tally>>()
  const bins = Array.from({ length: 1 / binWidth }, () => ({ cuts: 0, scores: 0, real: 0 }))
  for (const [name, clip] of Object.entries(clips)) {
    const file = path.join(folder, name)
    if (!existsSync(file)) {
      console.log(`${name}: not in ${folder}, left out`)
      continue
    }
    const { changes, candidates } = await shotsOf(file)
    const tallies = {
      ours: cutTally(clip, startsOf(changes.filter((change) => change.type === 'cut'))),
      scdet: cutTally(clip, await scdetFrames(file)),
      adaptive: cutTally(clip, await adaptiveFrames(file)),
      gradual: gradualTally(
        clip,
        changes
          .filter((change) => change.type !== 'cut')
          .map((change) => ({ start: change.start_frame, end: change.end_frame })),
      ),
    }
    for (const { type, start_frame: frame, score } of candidates) {
      const isReal = isCut(clip, frame)
      if (type !== 'cut' || (!isReal && isIgnored(clip, frame, frame))) continue
      const bin = bins[Math.min(bins.length - 1, Math.floor(score / binWidth))]!
      bin.cuts++
      bin.scores += score
      bin.real += Number(isReal)
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
    const few = cuts < minBinCuts ? ' (too few to know within .05)' : ''
    console.log(
      `score ${ends}: ${cuts} cuts, ${(scores / cuts).toFixed(3)} on average, ` +
        `${(real / cuts).toFixed(3)} are true${few}`,
    )
  }
}

async function shotsOf(file: string): Promise<FindingsOf<'shots'>> {
  await using scratch = await mkdtempDisposable(path.join(os.tmpdir(), 'accuracy-'))
  const workDir = scratch.path
  const { findings, outcomes } = await analyse({ file, extractors: ['shots'], workDir })
  if (!findings.shots) throw new Error(`${file}: ${JSON.stringify(outcomes.shots)}`)
  return findings.shots
}

function startsOf(changes: readonly ShotChange[]): number[] {
  return changes.map((change) => change.start_frame)
}

function showTallies(tallies: ReadonlyMap<string, Tally>): string {
  return [...tallies]
    .map(([who, tally]) => {
      const { hit, extra, missed } = tally
      return `${who} F1 ${f1(tally).toFixed(3)} (${hit} hit, ${extra} false, ${missed} missed)`
    })
    .join('; ')
}

async function readJson<Value>(file: string): Promise<Value> {
  return JSON.parse(await readFile(file, 'utf8')) as Value
}
