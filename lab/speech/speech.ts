/**
 * `npm run lab -- speech FOLDER [part ...] [--language=en] [--against=CHECKOUT]`: how well speech, silence and
 * mouths are found on clips with known truth. FOLDER has `speech/manifest.json` (file, ref), `voices/truth.rttm`,
 * `silence/*.json` (intervals of speech) and `faces/*.mp4`. CPU time, not the clock on the wall, so
 * that a busy machine gives the same figures.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod'
import type { FindingsOf } from '../../domain/findings/findings.ts'
import { createClock } from '../../engine/time/clock.ts'
import { findTalking } from '../../engine/extractors/talking.ts'
import { pictureSize } from '../../engine/faces/picture.ts'
import { recogniseFaces } from '../../engine/faces/recognise-faces.ts'
import { createFaceTracker } from '../../engine/faces/tracker.ts'
import { readLevels } from '../../engine/speech/voice/levels.ts'
import type { Seconds } from '../../engine/speech/voice/vad.ts'
import { benchCost, benchEdges, benchLong } from './speech-long.ts'
import { decode, hearVoice, median, percent, print, readReferences, write } from './speech-sound.ts'
import type { Sound } from './speech-sound.ts'
import { countErrors, spokenWords, writtenWords } from './words.ts'

const runFile = promisify(execFile)
const parts = [
  'wer',
  'long',
  'edges',
  'cost',
  'starts',
  'empty',
  'voice',
  'silence',
  'lips',
] as const
type Part = (typeof parts)[number]

/** Runs all parts where none is named. */
export async function run(args: string[]): Promise<void> {
  const [folder, ...rest] = args.filter((arg) => !arg.startsWith('--'))
  if (!folder) throw new Error('Usage: npm run lab -- speech FOLDER [part ...]')
  const chosen = rest.length > 0 ? parts.filter((part) => rest.includes(part)) : parts
  const language = args.find((arg) => arg.startsWith('--language='))?.slice(11)
  const against = args.find((arg) => arg.startsWith('--against='))?.slice(10)
  const work = await mkdtemp(path.join(os.tmpdir(), 'bench-speech-'))
  const bench: Record<Part, () => Promise<void>> = {
    wer: () => benchWords(folder, work, language),
    long: () => benchLong({ folder, work, language }),
    edges: () => benchEdges({ folder, work, language }),
    cost: () => benchCost({ folder, work, language }, against),
    starts: () => benchStarts(folder, work),
    empty: () => benchEmpty(work),
    voice: () => benchVoice(folder, work),
    silence: () => benchSilence(folder, work),
    lips: () => benchLips(folder, work),
  }
  try {
    for (const part of chosen) await bench[part]()
  } finally {
    await rm(work, { recursive: true })
  }
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
  const lines = (await readFile(path.join(folder, 'voices/truth.rttm'), 'utf8')).trim().split('\n')
  const truth = Map.groupBy(
    lines.map((line) => line.split(/\s+/)),
    (fields) => fields[1]!,
  )
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
      const start = Number(turn[3])
      said.fill(1, Math.round(start * 100), Math.round((start + Number(turn[4])) * 100))
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

/** What the talking extractor finds without a picture. */
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
  let found = 0
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
      found++
      edges.push(Math.abs(hit.start - gap.start), Math.abs(hit.end - gap.end))
    }
    wrong += silence.filter((span) => !gaps.some((gap) => shared(gap, span) > 0.5)).length
  }
  print('silences found', `${found} of ${total}`, {
    false: wrong,
    edge: `${(median(edges) * 1000).toFixed(0)} ms`,
  })
}

/** Each clip as it is, then with its sound muted or moved. */
async function benchLips(folder: string, work: string): Promise<void> {
  const names = (await readdir(path.join(folder, 'faces'))).filter((name) => name.endsWith('.mp4'))
  for (const name of names.sort()) {
    const clip = path.join(folder, 'faces', name)
    const sound = await decode(['-i', clip], work).catch(() => null)
    const { faces, cpuSeconds, rate, frames } = await watch(clip, work)
    const seconds = frames / rate
    const clock = createClock({
      rate: { num: BigInt(Math.round(rate * 1000)), den: 1000n },
      frames,
    })
    const flap = async (samples: Int16Array | null) => {
      if (!samples) return told(await findTalking({ clock, faces }))
      const audioFile = path.join(work, 'moved.s16')
      await writeFile(audioFile, new Uint8Array(samples.buffer, 0, samples.byteLength))
      const vad = await hearVoice(samples)
      const input = { clock, faces, vad, audioFile, samples: samples.length }
      return told(await findTalking(input))
    }
    const row: Record<string, string> = { cpu: `${(cpuSeconds / seconds).toFixed(2)} × real time` }
    if (sound) {
      const { samples } = sound
      row['untouched'] = await flap(samples)
      row['muted'] = await flap(new Int16Array(samples.length))
      for (const late of [0.3, 0.5, 1, 2, 3]) {
        row[`${late} s late`] = await flap(moved(samples, late * 16_000))
        row[`${late} s early`] = await flap(moved(samples, -late * 16_000))
      }
    } else row['no sound track'] = await flap(null)
    print(`lip flap ${name}`, `${seconds.toFixed(1)} s`, row)
  }
}

async function watch(clip: string, work: string) {
  const { stdout } = await runFile('ffprobe', [
    ...['-v', 'error', '-select_streams', 'v', '-show_entries', 'stream=r_frame_rate'],
    ...['-of', 'csv=p=0', clip],
  ])
  const [num = 25, den = 1] = stdout.trim().split('/').map(Number)
  const rate = num / den
  const step = Math.max(1, Math.round(rate / 12.5))
  const fit = `scale=${pictureSize}:${pictureSize}:force_original_aspect_ratio=decrease`
  const file = path.join(work, 'faces.rgb')
  await runFile('ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', clip, '-fps_mode', 'passthrough', '-vf'],
    `select=not(mod(n\\,${step})),${fit},pad=${pictureSize}:${pictureSize}:(ow-iw)/2:(oh-ih)/2`,
    ...['-pix_fmt', 'rgb24', '-f', 'rawvideo', file],
  ])
  const rgb = await readFile(file)
  const size = pictureSize * pictureSize * 3
  const tracker = createFaceTracker()
  for (let at = 0; (at + 1) * size <= rgb.length; at++) {
    await tracker.push(rgb.subarray(at * size, (at + 1) * size), at * step)
  }
  const faces = recogniseFaces(await tracker.finish())
  const frames = Math.floor(rgb.length / size) * step
  return { faces, cpuSeconds: tracker.cpuSeconds(), rate, frames }
}

function moved(samples: Int16Array, by: number): Int16Array<ArrayBuffer> {
  return Int16Array.from(samples, (_, at) => samples[at - by] ?? 0)
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

/** Seconds of lip flap, and the delay where one is told. */
function told({ lip_flap: spans, sound_delay_seconds: delay }: FindingsOf<'talking'>): string {
  const seconds = spans.reduce((sum, { start, end }) => sum + end - start, 0)
  return `${seconds.toFixed(1)} s${typeof delay === 'number' ? ` (${delay} s late)` : ''}`
}
