/**
 * `npm run lab -- text [part ...] [--slates=200] [--seed=1] [--set=test|tune] [--films=FOLDER]
 * [--keep=FOLDER] [--alone]`: how well text and slates are read. Slates and lower thirds are made,
 * so every letter and frame is known; FOLDER has films without slates. Beside the extractor stands
 * the baseline: one frame a second, nothing merged; --alone leaves it out.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import type { FindingsOf } from '../../domain/findings/findings.ts'
import { analyse } from '../../engine/analyse.ts'
import { createTextReader } from '../../engine/text/reader.ts'
import { readSlate } from '../../engine/text/read-slate.ts'
import type { TextReading } from '../../engine/text/text-process.ts'
import { chromiumPath } from '../../scripts/chromium.ts'
import { cpuOf } from '../../scripts/bench/cpu.ts'
import { median, print } from '../print.ts'
import { capitalFonts, handwriting } from './made-fonts.ts'
import type { FontSet } from './made-fonts.ts'
import { makeSlate } from './made-slates.ts'
import type { MadeSlate } from './made-slates.ts'
import { makeTitledFilm } from './made-titles.ts'
import type { Title } from './made-titles.ts'
import { fieldNames } from './slate-page.ts'
import type { FieldName } from './slate-page.ts'

const execute = promisify(execFile)
const parts = ['slates', 'titles', 'none'] as const

interface Options {
  work: string
  count: number
  seed: number
  set: FontSet
  films: string | null
  /** Without the baseline, which takes as long again. */
  isAlone: boolean
}

export async function run(args: string[]): Promise<void> {
  const option = (name: string): string | undefined =>
    args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
  const named = parts.filter((part) => args.includes(part))
  const kept = option('keep')
  const work = kept ?? (await mkdtemp(path.join(os.tmpdir(), 'bench-text-')))
  await mkdir(work, { recursive: true })
  const options: Options = {
    work,
    count: Number(option('slates') ?? 200),
    seed: Number(option('seed') ?? 1),
    set: option('set') === 'tune' ? 'tune' : 'test',
    films: option('films') ?? null,
    isAlone: args.includes('--alone'),
  }
  const browser = await chromium.launch({ executablePath: chromiumPath() })
  try {
    for (const part of named.length > 0 ? named : parts) {
      if (part === 'slates') await benchSlates(browser, options)
      else if (part === 'titles') await benchTitles(browser, options)
      else await benchNone(options)
    }
  } finally {
    await browser.close()
    if (!kept) await rm(work, { recursive: true })
  }
}

type Text = FindingsOf<'text'>

async function findText(file: string, work: string): Promise<Text> {
  const { findings, outcomes } = await analyse({
    file,
    extractors: ['text'],
    workDir: path.join(work, 'out'),
  })
  if (!findings.text) throw new Error(`${file}: ${JSON.stringify(outcomes.text)}`)
  return findings.text
}

async function benchSlates(browser: Browser, options: Options): Promise<void> {
  const { count, seed, set, work, isAlone } = options
  const right: Record<string, number> = {}
  const printed: Record<string, number> = {}
  const add = (list: Record<string, number>, name: string, by = 1) =>
    (list[name] = (list[name] ?? 0) + by)
  const claps: (number | null)[] = []
  let [readSlates, extra, hidden, plainRight] = [0, 0, 0, 0]
  const unlabelled = { all: 0, right: 0 }
  for (let at = 0; at < count; at++) {
    const board = await makeSlate(browser, { seed: seed + at, set, folder: work })
    const { slates } = await findText(board.file, work)
    const slate = slates[0]
    readSlates += Number(slate !== undefined)
    extra += Math.max(0, slates.length - 1)
    hidden += board.covered.length
    const plain = isAlone ? {} : plainFields(await readPlain(board.file))
    for (const field of fieldNames) {
      const truth = board.fields[field]
      if (truth === undefined) continue
      const isRight = sameField(slate?.[field]?.text, truth)
      if (board.unlabelled.includes(field)) {
        unlabelled.all++
        unlabelled.right += Number(isRight)
        continue
      }
      const hand = board.font === handwriting ? 'all written by hand' : 'all in print'
      for (const name of ['all', hand, field, `font ${board.font}`, `layout ${board.layout}`]) {
        add(printed, name)
        add(right, name, Number(isRight))
      }
      plainRight += Number(sameField(plain[field], truth))
      if (!isRight) print(`  ${label(board)}`, `${field}: ${truth}, read ${slate?.[field]?.text}`)
    }
    const clap = slate?.clap ? slate.clap.frame - board.clapFrame : null
    claps.push(clap)
    if (clap === null || Math.abs(clap) > 1) {
      print(`  ${label(board)}`, `clap ${board.clapFrame}, found ${slate?.clap?.frame}`)
    }
  }
  for (const [name, all] of Object.entries(printed).toSorted(([a], [b]) => a.localeCompare(b))) {
    print(
      `fields right, ${name}`,
      `${((right[name] ?? 0) / all).toFixed(3)} (${right[name]} of ${all})`,
    )
  }
  const near = claps.filter((clap) => clap !== null && Math.abs(clap) <= 1).length
  print('claps within a frame', `${near} of ${count}`)
  print(
    'slates found',
    `${readSlates} of ${count}, ${extra} found twice, ${set} set from seed ${seed}`,
  )
  print('fields under a hand, not counted', String(hidden))
  print('fields without their label, not counted', `${unlabelled.right} of ${unlabelled.all} right`)
  if (!isAlone) print('baseline, fields right', (plainRight / (printed['all'] ?? 1)).toFixed(3))
}

function label({ seed, font, layout, tilt }: MadeSlate): string {
  return `${seed} ${font}, ${layout}, ${tilt}°`
}

/** Case and the marks between numbers do not matter. */
function sameField(read: string | undefined, truth: string): boolean {
  const plain = (text: string): string => text.toUpperCase().replaceAll(/[\s:;./-]+/g, ' ')
  return read !== undefined && plain(read) === plain(truth)
}

/** One picture a second, each read on its own. */
async function readPlain(file: string): Promise<TextReading[]> {
  const size = { width: 1280, height: 720 }
  const reader = createTextReader({ ...size, framesPerSecond: 25, step: 25, readAll: true })
  const bytes = size.width * size.height
  const filters = `fps=1,scale=${size.width}:${size.height},format=gray`
  const { stdout } = await execute(
    'ffmpeg',
    ['-v', 'error', '-i', file, '-vf', filters, '-f', 'rawvideo', 'pipe:1'],
    { encoding: 'buffer', maxBuffer: 2 ** 31 - 1 },
  )
  for (let at = 0; (at + 1) * bytes <= stdout.length; at++) {
    await reader.push(new Uint8Array(stdout.subarray(at * bytes, (at + 1) * bytes)), at * 25)
  }
  const { readings } = await reader.finish()
  plainCpu = reader.cpuSeconds()
  return readings
}

let plainCpu = 0

/** The first picture that shows a value wins. */
function plainFields(readings: TextReading[]): Partial<Record<FieldName, string>> {
  const fields: Partial<Record<FieldName, string>> = {}
  for (const { lines } of readings) {
    const slate = readSlate(lines)
    for (const field of fieldNames) fields[field] ??= slate.fields[field]?.text
  }
  return fields
}

async function benchTitles(browser: Browser, options: Options): Promise<void> {
  const { work, set, seed, isAlone } = options
  const film = await makeTitledFilm(browser, { folder: work, seed, set })
  const { lines, slates, frames_read: read } = await findText(film.file, work)
  const exact = film.titles.filter((title) => lines.some((line) => isTitle(line, title)))
  for (const title of film.titles) {
    if (exact.includes(title)) continue
    const near = lines.filter((line) => overlaps(line, title)).map(({ text }) => text)
    print(`  ${title.font}`, `"${title.text}", read ${JSON.stringify(near)}`)
  }
  const starts = exact.map((title) => {
    const line = lines.find((read) => isTitle(read, title))!
    return Math.max(
      Math.abs(line.start_frame - title.startFrame),
      Math.abs(line.end_frame - title.endFrame),
    )
  })
  const strange = lines.filter((line) => !film.titles.some((title) => overlaps(line, title)))
  const { length } = film.titles
  print('titles exact', `${(exact.length / length).toFixed(3)} (${exact.length} of ${length})`)
  print('ends of exact ones, frames off', `median ${median(starts)}, worst ${Math.max(...starts)}`)
  print(
    'lines found',
    `${lines.length}, ${strange.length} where none is printed; ${slates.length} slates`,
  )
  if (isAlone) return
  await benchBaselineTitles(film)
  const engine = ['engine/analyse-command.ts', film.file, '--dir', path.join(work, 'cpu')]
  const whole = await cpuOf('node', [...engine, '--extractors', 'text', '--json'])
  const shots = await cpuOf('node', [...engine, '--extractors', 'shots', '--json'])
  const per = (cpu: number): string => `${(cpu / film.seconds).toFixed(3)} × real time`
  print('CPU, text alone', `${per(whole)} (${read} pictures read in ${film.seconds} s)`)
  print('CPU, shots alone (decode and small frames)', per(shots))
  print('CPU, text beside shots', per(whole - shots))
  print('CPU, baseline without decoding', per(plainCpu))
}

/** Baseline: the same film at one frame a second, nothing merged. */
async function benchBaselineTitles({
  file,
  titles,
}: {
  file: string
  titles: Title[]
}): Promise<void> {
  const plain = await readPlain(file)
  const plainLines = plain.flatMap(({ lines, frame }) =>
    lines.map(({ text }) => ({ text, start_frame: frame, end_frame: frame + 1 })),
  )
  const plainExact = titles.filter((title) => plainLines.some((line) => isTitle(line, title)))
  const plainShare = (plainExact.length / titles.length).toFixed(3)
  print('baseline, titles exact', `${plainShare}, ${plainLines.length} lines`)
}

type Line = Pick<Text['lines'][number], 'text' | 'start_frame' | 'end_frame'>

function overlaps(line: Line, title: Title): boolean {
  return line.start_frame < title.endFrame && line.end_frame > title.startFrame
}

function isTitle(line: Line, title: Title): boolean {
  const printed = (text: string): string =>
    capitalFonts.includes(title.font) ? text.toUpperCase() : text
  return overlaps(line, title) && printed(line.text) === printed(title.text)
}

async function benchNone({ films, work }: Options): Promise<void> {
  if (!films) return print('films without slates', 'none given (--films=FOLDER)')
  const names = (await readdir(films, { recursive: true })).filter((name) =>
    /\.(mp4|mov|webm|ts|mkv)$/.test(name),
  )
  let [seconds, slates, lines] = [0, 0, 0]
  for (const name of names.toSorted()) {
    const { findings, outcomes } = await analyse({
      file: path.join(films, name),
      extractors: ['text'],
      workDir: path.join(work, 'out'),
    })
    const { text, media } = findings
    if (!text || !media) {
      print(`  ${name}`, JSON.stringify(outcomes.text))
      continue
    }
    seconds += media.duration
    slates += text.slates.length
    lines += text.lines.length
    const words = text.lines.slice(0, 6).map((line) => line.text)
    print(
      `  ${name}`,
      `${text.slates.length} slates, ${text.lines.length} lines ${words.join(' | ')}`,
    )
  }
  print(
    'films without slates',
    `${slates} slates, ${lines} lines in ${(seconds / 60).toFixed(1)} min`,
  )
}
