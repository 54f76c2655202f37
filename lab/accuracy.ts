/**
 * `npm run lab -- accuracy FOLDER [shots] [speech] [voices]`: how right the engine is on clips
 * with known truth, beside peers on the same clips. The folder holds `shots/manifest.json`,
 * `speech/manifest.json` and `voices/truth.rttm`.
 * `shots-real=CLIPS` measures the clips of `shots-real/manifest.json`, which lie in CLIPS, and
 * `edited=CLIPS` those of edited-clips.json; `rates=CLIPS` brings the first ones to other frame rates,
 * by mixing frames, and measures these; `shots-cost=CLIPS` says what finding the shots of each file
 * in CLIPS costs beside decoding it.
 */
import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { analyse } from '../engine/analyse.ts'
import type { ExtractorId } from '../domain/money/catalogue.ts'
import type { Findings } from '../domain/findings/findings.ts'
import { addTally, cutTally, f1, gradualTally, scdetFrames } from './shots/cut-truth.ts'
import type { Tally } from './shots/cut-truth.ts'
import { convertClips } from './shots/other-rates.ts'
import type { RatedClip } from './shots/other-rates.ts'
import { benchShotCosts, printShotCost } from '../scripts/bench/engine/shot-cost.ts'
import { benchRealShots } from './shots/real-shots.ts'
import type { RealClip } from './shots/real-shots.ts'
import { countErrors, spokenWords, writtenWords } from './speech/words.ts'

export async function run(args: string[]): Promise<void> {
  const [folder, ...parts] = args
  if (!folder) {
    console.log('Name a folder with clips and truth: npm run lab -- accuracy FOLDER [part …]')
    return
  }
  const wants = (part: string): boolean => parts.length === 0 || parts.includes(part)
  await benchClipsOf('shots-real', path.join(folder, 'shots-real/manifest.json'), parts)
  await benchClipsOf('edited', path.join(import.meta.dirname, 'edited-clips.json'), parts)
  await benchOtherRates(path.join(folder, 'shots-real/manifest.json'), parts)
  const costly = parts.find((one) => one.startsWith('shots-cost='))
  if (costly) await benchShotCosts(costly.slice('shots-cost='.length))
  if (wants('shots')) await benchShots(path.join(folder, 'shots'))
  if (wants('speech')) await benchSpeech(path.join(folder, 'speech'))
  if (wants('voices')) await benchVoices(path.join(folder, 'voices'))
}

async function benchClipsOf(name: string, truth: string, parts: readonly string[]): Promise<void> {
  const part = parts.find((one) => one.startsWith(`${name}=`))
  if (part === undefined) return
  const clips = await readJson<Record<string, RealClip>>(truth)
  await benchRealShots(clips, part.slice(name.length + 1), shotsOf)
}

async function benchOtherRates(truth: string, parts: readonly string[]): Promise<void> {
  const part = parts.find((one) => one.startsWith('rates='))
  if (part === undefined) return
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cutindex-rates-'))
  try {
    const clips = await readJson<Record<string, RatedClip>>(truth)
    const converted = await convertClips(clips, part.slice('rates='.length), folder)
    await benchRealShots(converted, folder, shotsOf)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function shotsOf(file: string): Promise<NonNullable<Findings['shots']>> {
  const { shots } = await findingsOf(file, 'shots')
  if (!shots) throw new Error(`${file}: no shots were found`)
  return shots
}

interface ShotClip {
  file: string
  fps: string
  cuts: number[]
  gradual: { type: string; start: number; end: number }[]
  ignore?: number[]
  kind: 'real' | 'synthetic'
}

async function benchShots(folder: string): Promise<void> {
  const clips = await readJson<ShotClip[]>(path.join(folder, 'manifest.json'))
  const totals = new Map<string, Tally>()
  let typed = 0
  for (const clip of clips) {
    const file = path.join(folder, clip.file)
    const { shots } = await findingsOf(file, 'shots')
    const changes = shots?.changes ?? []
    const cuts = changes.filter((one) => one.type === 'cut').map((one) => one.start_frame)
    const soft = changes
      .filter((one) => one.type !== 'cut')
      .map((one) => ({ type: one.type as string, start: one.start_frame, end: one.end_frame }))
    const peer = await scdetFrames(file)
    const ours = cutTally(clip, cuts)
    const theirs = cutTally(clip, peer)
    const gradual = gradualTally(clip, soft)
    typed += gradual.typed
    const theirGradual = gradualTally(
      clip,
      peer
        .filter((frame) => clip.gradual.some((one) => frame >= one.start && frame < one.end))
        .map((frame) => ({ type: 'cut', start: frame, end: frame + 1 })),
    )
    for (const [name, tally] of [
      [`${clip.kind} cuts, ours`, ours],
      [`${clip.kind} cuts, scdet`, theirs],
      [`${clip.kind} gradual, ours`, gradual],
      [`${clip.kind} gradual, scdet`, theirGradual],
    ] as const) {
      totals.set(name, addTally(totals.get(name), tally))
    }
    const all = f1(addTally(ours, gradual))
    const peerAll = f1(addTally(theirs, theirGradual))
    console.log(
      `${clip.kind} ${clip.file}: cuts F1 ${show(f1(ours))} (scdet ${show(f1(theirs))}), ` +
        `gradual ${gradual.hit}/${clip.gradual.length} +${gradual.extra} false, ` +
        `all ${show(all)} (scdet ${show(peerAll)})`,
    )
    await printShotCost(file)
  }
  for (const [name, tally] of totals) {
    console.log(
      `${name}: F1 ${show(f1(tally))} (${tally.hit} hit, ${tally.extra} false, ${tally.missed} missed)`,
    )
  }
  console.log(`types of gradual changes right: ${typed}`)
}

interface SpeechClip {
  id: string
  file: string
  ref: string
  seconds: number
}

async function benchSpeech(folder: string): Promise<void> {
  const clips = await readJson<SpeechClip[]>(path.join(folder, 'manifest.json'))
  const written = { wrong: 0, words: 0 }
  const spoken = { wrong: 0, words: 0 }
  for (const clip of clips) {
    const { transcription } = await findingsOf(path.join(folder, clip.file), 'transcription')
    const found = transcription?.text ?? ''
    const wanted = writtenWords(clip.ref)
    const errors = countErrors(wanted, writtenWords(found))
    written.wrong += errors
    written.words += wanted.length
    const said = spokenWords(clip.ref)
    spoken.wrong += countErrors(said, spokenWords(found))
    spoken.words += said.length
    console.log(`${clip.id}: ${errors} of ${wanted.length} words wrong`)
  }
  const rate = ({ wrong, words }: typeof written): string => show((100 * wrong) / words)
  console.log(`word error rate: ${rate(spoken)} % as spoken, ${rate(written)} % letter by letter`)
}

async function benchVoices(folder: string): Promise<void> {
  const truth = await readFile(path.join(folder, 'truth.rttm'), 'utf8')
  const byFile = new Map<string, { start: number; end: number }[]>()
  for (const line of truth.trim().split('\n')) {
    const [, name = '', , start, length] = line.split(/\s+/)
    const span = { start: Number(start), end: Number(start) + Number(length) }
    byFile.set(name, [...(byFile.get(name) ?? []), span])
  }
  let missed = 0
  let invented = 0
  let spoken = 0
  for (const [name, spans] of byFile) {
    const file = path.join(folder, `${name}.flac`)
    const { talking, media } = await findingsOf(file, 'talking')
    const ours = talking?.speech ?? []
    for (let at = 0; at < (media?.duration ?? 0); at += 0.01) {
      const real = spans.some((span) => at >= span.start && at < span.end)
      const heard = ours.some((span) => at >= span.start && at < span.end)
      spoken += Number(real)
      missed += Number(real && !heard)
      invented += Number(heard && !real)
    }
  }
  const percent = (part: number): string => show((100 * part) / spoken)
  console.log(
    `speech: missed ${percent(missed)} %, false alarm ${percent(invented)} %, ` +
      `together ${percent(missed + invented)} %`,
  )
}

async function findingsOf(file: string, extractor: ExtractorId): Promise<Partial<Findings>> {
  await access(file)
  const workDir = await mkdtemp(path.join(os.tmpdir(), 'accuracy-'))
  try {
    const { findings, outcomes } = await analyse({ file, extractors: [extractor], workDir })
    const outcome = outcomes[extractor]
    if (outcome?.status !== 'done') throw new Error(`${file}: ${JSON.stringify(outcome)}`)
    return findings
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

async function readJson<Value>(file: string): Promise<Value> {
  return JSON.parse(await readFile(file, 'utf8')) as Value
}

function show(value: number): string {
  return value.toFixed(3)
}
