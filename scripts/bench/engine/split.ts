/**
 * `npm run bench -- split [minutes [extractors [longer minutes]]]`: what it costs to take a film
 * apart, and what it brings. The same film is analysed in one go and in parts as workers run them;
 * fails where the findings differ. Work that is done once for a film runs again on a longer one,
 * with the signals of the first one's parts repeated, which separates the cost of a start from the
 * cost that grows. A simulation with those times says how long two hours take on 1, 4, 16 and 64
 * workers of one core.
 */
import { mkdir, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fullAnalysis } from '../../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../../domain/money/catalogue.ts'
import { analyse } from '../../../engine/analyse.ts'
import { groupWindows, lengthOf } from '../../../engine/parts/group-speech.ts'
import { speechSegments } from '../../../engine/parts/plan-film.ts'
import type { Seconds } from '../../../engine/speech/voice/vad.ts'
import { cpuSoFar, runCounted } from '../cpu.ts'
import { makeLoop, segmentSeconds } from './repeat-parts.ts'
import { inOrder, runApart, runGrowing } from './run-parts.ts'
import type { GrowingTimes, PartTimes } from './run-parts.ts'
import { print } from '../figures.ts'

const simulatedMinutes = 120
const maxCpuRatio = 1.1
const minEfficiency = 0.8

if (import.meta.main) await measure(process.argv.slice(2))

export async function run(args: string[]): Promise<void> {
  const show = (text: string): void => void process.stdout.write(text)
  await runCounted(process.execPath, [import.meta.filename, ...args], {}, show)
}

async function measure([
  wantedMinutes = '6',
  wanted = fullAnalysis.join(','),
  longMinutes = '30',
]: string[]): Promise<void> {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'bench-split-'))
  const folder = scratch.path
  const { file, minutes } = await makeLoop(folder, Number(wantedMinutes))
  const order = { file, extractors: wanted.split(',') as ExtractorId[], segmentSeconds }
  const begun = await cpuSoFar()
  const whole = await analyse({ ...order, workDir: join(folder, 'whole'), parts: 1 })
  const unsplit = (await cpuSoFar()) - begun
  const { times, groups, findings } = await runApart(order, join(folder, 'apart'))
  if (JSON.stringify(findings) !== JSON.stringify(inOrder(whole.findings))) {
    throw new Error('The findings differ.')
  }
  console.log(`${minutes.toFixed(1)} min in one go: ${unsplit.toFixed(1)} s of processor time`)
  console.log(`in ${countParts(times)} parts: ${describe(times)}`)
  print('split ÷ in one go', total(times) / unsplit, { max: maxCpuRatio })
  const place = join(folder, 'long')
  await mkdir(place)
  const long = await makeLoop(place, Number(longMinutes))
  const growing = await runGrowing(
    { ...order, file: long.file },
    place,
    join(folder, 'apart', 'shared'),
  )
  console.log(`once for ${long.minutes.toFixed(1)} min: ${describeGrowing(growing)}`)
  const scaled = scale({ minutes, times, groups }, { minutes: long.minutes, times: growing })
  console.log(`once for ${simulatedMinutes} min, reckoned: ${describeGrowing(scaled)}`)
  for (const workers of [1, 4, 16, 64]) {
    const { wall, efficiency } = simulate(scaled, workers)
    const limit = workers === 16 ? ` (limit ${minEfficiency})` : ''
    const length = `${(wall / 60).toFixed(1)} min for ${simulatedMinutes} min of film`
    console.log(`${workers} workers: ${length}, efficiency ${efficiency.toFixed(2)}${limit}`)
  }
}

/**
 * Frames and speech of the longer film are like those that were recorded; its speech is grouped as
 * the engine does it. Work that is done once has a cost to begin with and one for each minute, both
 * from the two lengths that were measured.
 */
export function scale(
  short: { minutes: number; times: PartTimes; groups: Seconds[][] },
  long: { minutes: number; times: GrowingTimes },
): PartTimes {
  const factor = simulatedMinutes / short.minutes
  const { frames } = short.times
  const grow = (name: keyof GrowingTimes): number => {
    const more = long.times[name] - short.times[name]
    const each = Math.max(0, more) / (long.minutes - short.minutes)
    return long.times[name] + each * (simulatedMinutes - long.minutes)
  }
  return {
    prepare: grow('prepare'),
    sound: grow('sound'),
    proxy: grow('proxy'),
    voices: grow('voices'),
    analyseFrames: grow('analyseFrames'),
    join: grow('join'),
    frames: Array.from(
      { length: Math.round(frames.length * factor) },
      (_, at) => frames[at % frames.length]!,
    ),
    speech: speechOf(short),
  }
}

/** Fits a cost of the start and one for each second to the recorded lengths of groups. */
function speechOf({ minutes, times, groups }: Parameters<typeof scale>[0]): number[] {
  const lengths = groups.map(lengthOf)
  const { slope, start } = fitLine(lengths, times.speech)
  const windows = groups.flat()
  const repeated = Array.from({ length: Math.round(simulatedMinutes / minutes) }, (_, turn) =>
    windows.map((window) => ({
      start: window.start + turn * minutes * 60,
      end: window.end + turn * minutes * 60,
    })),
  ).flat()
  return groupWindows(repeated, speechSegments * segmentSeconds).map(
    (group) => start + slope * lengthOf(group),
  )
}

/** Neither part of a cost is below zero; groups of one length tell only the mean. */
function fitLine(lengths: number[], costs: number[]): { slope: number; start: number } {
  const [length, cost] = [lengths, costs].map((all) => sum(all) / Math.max(1, all.length))
  const spread = sum(lengths.map((item) => (item - length!) ** 2))
  const both = sum(lengths.map((item, at) => (item - length!) * (costs[at]! - cost!)))
  const each = cost! / Math.max(1, length!)
  const slope = spread > 0 ? Math.min(each, Math.max(0, both / spread)) : each
  return { slope, start: cost! - slope * length! }
}

/**
 * Each free worker takes the next part: the sound, the proxy's sound, frames, speech. Speech and
 * voices wait for the sound; its first group and the voices go before the frames that are left;
 * their analysis waits for everything but those and goes before the rest of the speech, as the
 * queue has it; the join waits for everything.
 */
export function simulate(times: PartTimes, workers: number): { wall: number; efficiency: number } {
  const free = Array.from({ length: workers }, () => times.prepare)
  const take = (seconds: number, from = 0): number => {
    const at = free.indexOf(Math.min(...free))
    free[at] = Math.max(free[at]!, from) + seconds
    return free[at]
  }
  const heard = take(times.sound)
  const speech = [...times.speech]
  let seen = Math.max(heard, times.proxy > 0 ? take(times.proxy) : 0)
  let isFirst = true
  for (const seconds of times.frames) {
    if (isFirst && speech.length > 0 && Math.min(...free) >= heard) {
      take(speech.shift()!)
      take(times.voices)
      isFirst = false
    }
    seen = Math.max(seen, take(seconds))
  }
  if (isFirst && times.voices > 0) take(times.voices, heard)
  // A worker that is free before all frames are seen hears speech.
  while (speech.length > 0 && Math.max(heard, Math.min(...free)) < seen)
    take(speech.shift()!, heard)
  if (times.analyseFrames > 0) take(times.analyseFrames, seen)
  for (const seconds of speech) take(seconds, heard)
  const wall = Math.max(...free) + times.join
  return { wall, efficiency: total(times) / workers / wall }
}

function countParts({ sound, proxy, voices, frames, speech }: PartTimes): number {
  const once = [sound, proxy, voices].filter((seconds) => seconds > 0)
  return once.length + frames.length + speech.length
}

function total({ frames, speech, ...once }: PartTimes): number {
  return sum([...Object.values(once), ...frames, ...speech])
}

function describe(times: PartTimes): string {
  const list = (values: number[]): string => values.map((value) => value.toFixed(1)).join(', ')
  const { frames, speech } = times
  return `frames ${list(frames)}; speech ${list(speech) || 'none'}; ${describeGrowing(times)}`
}

function describeGrowing({ proxy, join: joining, ...others }: GrowingTimes): string {
  const { prepare, sound, voices, analyseFrames } = others
  const named = {
    prepare,
    sound,
    'sound of the proxy': proxy,
    voices,
    analyseFrames,
    join: joining,
  }
  const each = Object.entries(named).map(([name, seconds]) => `${name} ${seconds.toFixed(1)}`)
  return `${each.join(', ')} s`
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
