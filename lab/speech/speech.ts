/**
 * `npm run lab -- speech FOLDER [part ...] [--language=en]`: how well words, speech and silence are
 * recognised on clips with known truth. FOLDER has `speech/manifest.json` (file, ref),
 * `voices/truth.rttm` and `silence/*.json` (intervals of speech). CPU time, not wall time: a busy
 * machine gives the same figures.
 */
import { readFile, readdir, mkdtempDisposable } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import * as z from 'zod'
import type { FindingsOf } from '../../domain/findings/findings.ts'
import { createClock } from '../../engine/time/clock.ts'
import { findTalking } from '../../engine/extractors/find-talking.ts'
import { readLevels } from '../../engine/speech/voice/levels.ts'
import type { Seconds } from '../../engine/speech/voice/vad.ts'
import { benchEdges, benchLong } from './speech-long.ts'
import { median, percent, print } from '../print.ts'
import { readTurns } from '../sound.ts'
import { decode, readReferences, write } from './speech-sound.ts'
import type { Sound } from './speech-sound.ts'
import { countErrors, spokenWords, writtenWords } from './words.ts'

const parts = ['wer', 'long', 'edges', 'starts', 'empty', 'voice', 'silence'] as const
type Part = (typeof parts)[number]

/** Runs all parts where none is named. */
export async function run(args: string[]): Promise<void> {
  const [folder, ...rest] = args.filter((arg) => !arg.startsWith('--'))
  if (!folder) throw new Error('Usage: npm run lab -- speech FOLDER [part ...]')
  const chosen = rest.length > 0 ? parts.filter((part) => rest.includes(part)) : parts
  const language = args.find((arg) => arg.startsWith('--language='))?.slice(11)
  await using scratch = await mkdtempDisposable(path.join(os.tmpdir(), 'bench-speech-'))
  const work = scratch.path
  const bench: Record<Part, () => Promise<void>> = {
    wer: () => benchWords(folder, work, language),
    long: () => benchLong({ folder, work, language }),
    edges: () => benchEdges({ folder, work, language }),
    starts: () => benchStarts(folder, work),
    empty: () => benchEmpty(work),
    voice: () => benchVoice(folder, work),
    silence: () => benchSilence(folder, work),
  }
  for (const part of chosen) await bench[part]()
}

async function benchWords(folder: string, work: string, language?: string): Promise<void> {
  const list = await readReferences(folder)
  let wrong = 0
  let total = 0
  let wrongLetters = 0
  let totalLetters = 0
  let heard = 0
  let used = 0
  for (const { file, ref } of list) {
    const sound = await decode(['-i', path.join(folder, 'speech', file)], work)
    const { findings, cpuSeconds } = await write(sound, language)
    const said = spokenWords(ref)
    const errors = countErrors(said, spokenWords(findings.text))
    wrong += errors
    total += said.length
    const spelled = writtenWords(ref)
    wrongLetters += countErrors(spelled, writtenWords(findings.text))
    totalLetters += spelled.length
    const seconds = sound.samples.length / 16_000
    heard += seconds
    used += cpuSeconds
    print(`  ${file}`, `${errors}/${said.length} wrong, ${seconds.toFixed(0)} s`, {
      cpu: cpuSeconds,
      times: findings.word_times,
    })
  }
  const heardLanguage = language === undefined ? 'language heard' : `language given (${language})`
  print('word error rate', `${percent(wrong / total)} (${wrong} of ${total})`, {
    language: heardLanguage,
  })
  print(
    '  letter by letter',
    `${percent(wrongLetters / totalLetters)} (${wrongLetters} of ${totalLetters})`,
  )
  print('real time per core', `${(heard / used).toFixed(2)} ×, a model loaded for each clip`)
}

/** The starts of utterances are known exactly; the nearest word should begin there. */
async function benchStarts(folder: string, work: string): Promise<void> {
  const file = path.join(folder, 'silence/speech-clean')
  const sound = await decode(['-i', `${file}.flac`], work)
  const { findings, cpuSeconds } = await write(sound)
  const truth = await readIntervals(`${file}.json`)
  const errors = truth.map(({ start }) =>
    Math.min(...findings.words.map((word) => Math.abs(word.start - start))),
  )
  const seconds = sound.samples.length / 16_000
  print('word starts, median error', `${(median(errors) * 1000).toFixed(0)} ms`, {
    within_40_ms: errors.filter((error) => error <= 0.04).length,
    of: errors.length,
  })
  print('real time per core', `${(seconds / cpuSeconds).toFixed(2)} × (${seconds.toFixed(0)} s)`)
}

const emptySources: Record<string, string> = {
  'white noise': 'anoisesrc=d=20:c=white:a=0.3',
  'pink noise': 'anoisesrc=d=20:c=pink:a=0.5',
  'brown noise': 'anoisesrc=d=20:c=brown:a=0.5',
  silence: 'anullsrc=d=20:r=16000',
  hum: 'aevalsrc=0.3*sin(2*PI*50*t)+0.1*sin(2*PI*150*t):d=20',
  chords:
    'aevalsrc=0.2*(sin(2*PI*262*t)+sin(2*PI*330*t)+sin(2*PI*392*t))*(0.6+0.4*sin(2*PI*2*t)):d=20',
  arpeggio:
    'aevalsrc=0.4*sin(2*PI*220*pow(2\\,floor(mod(4*t\\,8))/12*2)*t)*exp(-3*mod(4*t\\,1)/4):d=20',
}

async function benchEmpty(work: string): Promise<void> {
  let invented = 0
  for (const [name, source] of Object.entries(emptySources)) {
    const { findings } = await write(await decode(['-f', 'lavfi', '-i', source], work))
    invented += findings.words.length
    if (findings.words.length > 0) print(`  ${name}`, findings.text)
  }
  print('invented words', `${invented} on ${Object.keys(emptySources).length} clips without speech`)
}

/** Labelled speech that is this much quieter than the rest of its clip is a pause within a turn. */
const pauseDecibels = 12

async function benchVoice(folder: string, work: string): Promise<void> {
  const truth = await readTurns(path.join(folder, 'voices/truth.rttm'))
  let missed = 0
  let pauses = 0
  let invented = 0
  let total = 0
  for (const [name, turns] of truth) {
    const { file, samples, vad } = await decode(
      ['-i', path.join(folder, `voices/${name}.flac`)],
      work,
    )
    const said = new Uint8Array(Math.ceil(samples.length / 160))
    const heard = new Uint8Array(said.length)
    for (const turn of turns) {
      said.fill(1, Math.round(turn.start * 100), Math.round(turn.end * 100))
    }
    const { speech } = await listen({ file, samples, vad })
    for (const { start, end } of speech) {
      heard.fill(1, Math.round(start * 100), Math.round(end * 100))
    }
    const levels = await readLevels(file, { samples: samples.length })
    const usual = median([...levels.filter((_, at) => said[at] && heard[at])])
    for (const [at, is] of said.entries()) {
      total += is
      if (is && !heard[at]) missed++
      if (is && !heard[at] && levels[at]! < usual - pauseDecibels) pauses++
      if (!is && heard[at]) invented++
    }
  }
  print('speech missed + false', percent((missed + invented) / total), {
    missed: percent(missed / total),
    'of it in pauses': percent(pauses / total),
    false: percent(invented / total),
  })
}

/** Runs the talking extractor on sound alone. */
function listen({ file, samples, vad }: Sound): Promise<FindingsOf<'talking'>> {
  const clock = createClock({
    rate: { num: 25n, den: 1n },
    frames: Math.ceil(samples.length / 640),
  })
  return findTalking({ clock, vad, audioFile: file, samples: samples.length })
}

async function benchSilence(folder: string, work: string): Promise<void> {
  const names = (await readdir(path.join(folder, 'silence'))).filter((name) =>
    name.endsWith('.json'),
  )
  let matched = 0
  let total = 0
  let wrong = 0
  const edges: number[] = []
  for (const name of names.sort()) {
    const base = path.join(folder, 'silence', name.slice(0, -5))
    const sound = await decode(['-i', `${base}.flac`], work)
    const { silence } = await listen(sound)
    const gaps = gapsBetween(await readIntervals(`${base}.json`), sound.samples.length / 16_000)
    for (const gap of gaps.filter(({ start, end }) => end - start >= 0.3)) {
      total++
      const hit = silence.find((span) => isNear(span.start, gap.start) && isNear(span.end, gap.end))
      if (!hit) continue
      matched++
      edges.push(Math.abs(hit.start - gap.start), Math.abs(hit.end - gap.end))
    }
    wrong += silence.filter((span) => !gaps.some((gap) => shared(gap, span) > 0.5)).length
  }
  print('silences found', `${matched} of ${total}`, {
    false: wrong,
    edge: `${(median(edges) * 1000).toFixed(0)} ms`,
  })
}

async function readIntervals(file: string): Promise<Seconds[]> {
  const pairs = z.array(z.tuple([z.number(), z.number()]))
  return pairs
    .parse(JSON.parse(await readFile(file, 'utf8')))
    .map(([start, end]) => ({ start, end }))
}

function gapsBetween(spans: Seconds[], duration: number): Seconds[] {
  const edges = [0, ...spans.flatMap(({ start, end }) => [start, end]), duration]
  return Array.from({ length: edges.length / 2 }, (_, index) => ({
    start: edges[index * 2]!,
    end: edges[index * 2 + 1]!,
  }))
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.2
}

/** The part of the second that the first covers. */
function shared(a: Seconds, b: Seconds): number {
  return (Math.min(a.end, b.end) - Math.max(a.start, b.start)) / (b.end - b.start)
}
