/** Runs `npm run -s analyse`; started by analyse-command.ts. */
import { constants } from 'node:fs'
import { access, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { extractorIds } from '../domain/money/catalogue.ts'
import type { ExtractorId } from '../domain/money/catalogue.ts'
import { ExportOptions } from '../contract/footage/export-options.ts'
import { exportFormats } from '../domain/export-formats.ts'
import type { ExportFormat } from '../domain/export-formats.ts'
import { Findings } from '../domain/findings/findings.ts'
import type { Media } from '../domain/findings/findings.ts'
import { nameSpeakers } from '../domain/findings/speakers.ts'
import {
  flagTypes,
  projectOptions,
  rangeOptions,
  readFlags,
  speechOptions,
  usageLines,
} from '../domain/job-options.ts'
import type { PlacedOptions } from '../domain/job-options.ts'
import { analyse } from './analyse.ts'
import type { AnalyseResult } from './analyse.ts'
import { extractors } from './extractors/registry.ts'
import { isolationState } from './tools/isolate.ts'

/** Options of a job that the command takes too. */
const jobFlags = { ...rangeOptions, ...speechOptions, ...projectOptions }
const usage = `Usage: npm run -s analyse -- FILE [options]
  --extractors A,B    ${extractorIds.join(', ')} (default: all)
  --export FORMAT     ${exportFormats.join(', ')}
  --json              findings as JSON (the default prints a summary)
  --dir FOLDER        keep thumbnails, proxy and waveform there
  --audio-track N     hear this track, counted from 1 (default: all are compared)
  --model FOLDER      transcribe with this ONNX Whisper
${usageLines(jobFlags)}
  --help              these lines
`

/** Returns the exit code: 1 if something failed or nothing was done, 2 for wrong arguments. */
export async function runCommand(words: string[]): Promise<number> {
  if (words.includes('--help')) {
    process.stdout.write(usage)
    return 0
  }
  const options = readOptions(words)
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n\n${usage}`)
    return 2
  }
  const stats = await stat(options.file).catch(() => null)
  if (!stats?.isFile()) {
    const why = stats ? 'is not a file' : 'does not exist or cannot be read'
    process.stderr.write(`${options.file} ${why}.\n`)
    return 2
  }
  const workDir = await folderFor(options.dir)
  if (workDir === null) {
    process.stderr.write(`${options.dir} is no folder that can be written to.\n`)
    return 2
  }
  if ((await isolationState()) === 'unlocked') {
    process.stderr.write('WARNING: media tools are not isolated here. Use only files you trust.\n')
  }
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  try {
    const result = await analyse({
      file: options.file,
      extractors: options.extractors,
      workDir,
      in: options.in,
      out: options.out,
      audioTrack: options.audioTrack,
      params: { transcription: options.transcription },
      signal: stop.signal,
      onProgress: progressLine(),
      onFault: (id, fault) => void process.stderr.write(`${id}: ${fault}\n`),
    })
    if (process.stderr.isTTY) process.stderr.write('\n')
    for (const [id, outcome] of Object.entries(result.outcomes)) {
      if (outcome.status !== 'done') {
        process.stderr.write(`${id}: ${outcome.status} (${outcome.code}). ${outcome.message}\n`)
      }
    }
    if (!result.media) return 1
    const missed = missedWish(result.media, options)
    if (missed !== null) process.stderr.write(`${missed}\n`)
    if (!(await print(result, options))) return 1
    const states = Object.values(result.outcomes).map((outcome) => outcome.status)
    return states.includes('failed') || !states.includes('done') ? 1 : 0
  } finally {
    if (options.dir === undefined) await rm(workDir, { recursive: true, force: true })
  }
}

/** Returns the folder, created if missing; null if it cannot be written. */
async function folderFor(dir: string | undefined): Promise<string | null> {
  if (dir === undefined) return await mkdtemp(path.join(os.tmpdir(), 'analyse-'))
  try {
    await mkdir(dir, { recursive: true })
    await access(dir, constants.W_OK)
    return (await stat(dir)).isDirectory() ? dir : null
  } catch {
    return null
  }
}

/** Names an option that the media cannot meet, and what was done instead. */
function missedWish({ duration, audio }: Media, { in: start, audioTrack }: Options): string | null {
  if (start !== undefined && start >= duration) {
    return `The media ends at ${duration.toFixed(3)} s: only its last frame was looked at.`
  }
  if (audioTrack === undefined || audio.length === 0 || audioTrack < audio.length) return null
  const count = audio.length === 1 ? 'is 1 audio track' : `are ${audio.length} audio tracks`
  return `There ${count}: the first was heard.`
}

interface Options {
  file: string
  extractors: ExtractorId[]
  export?: ExportFormat
  json: boolean
  dir?: string
  in?: number
  out?: number
  audioTrack?: number
  transcription: PlacedOptions & { modelFolder?: string }
}

function readOptions(words: string[]): Options | string {
  let parsed, set: PlacedOptions
  try {
    parsed = parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        extractors: { type: 'string' },
        export: { type: 'string' },
        json: { type: 'boolean', default: false },
        dir: { type: 'string' },
        'audio-track': { type: 'string' },
        model: { type: 'string' },
        ...flagTypes(jobFlags),
      },
    })
    set = readFlags(jobFlags, parsed.values)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  const { values, positionals } = parsed
  const [file, ...more] = positionals
  if (!file || more.length > 0) return 'Name one file.'
  const known = extractors.map((extractor) => extractor.id)
  const wanted = values.extractors?.split(',') ?? known
  const unknown = wanted.find((id) => !known.includes(id as ExtractorId))
  if (unknown !== undefined) return `There is no extractor "${unknown}".`
  const format = exportFormats.find((format) => format === values.export)
  if (values.export !== undefined && !format) return `There is no export "${values.export}".`
  const { in: start, out: end, ...speech } = set
  if ((end ?? Infinity) <= (start ?? 0)) return 'in comes before out.'
  const track = values['audio-track'] === undefined ? undefined : Number(values['audio-track'])
  if (track !== undefined && !(Number.isInteger(track) && track >= 1)) {
    return 'Audio tracks are counted from 1.'
  }
  return {
    file,
    extractors: wanted as ExtractorId[],
    export: format,
    json: values.json,
    dir: values.dir,
    in: start,
    out: end,
    // If nobody chose a track, the engine compares all of them.
    audioTrack: track === undefined ? undefined : track - 1,
    transcription: {
      modelFolder: values.model === undefined ? undefined : path.resolve(values.model),
      ...speech,
    },
  }
}

/** Returns whether there was something to print. */
async function print(result: AnalyseResult, options: Options): Promise<boolean> {
  const findings = nameSpeakers(Findings.parse({ ...result.findings, media: result.media }))
  if (options.export === undefined) {
    process.stdout.write(options.json ? `${JSON.stringify(findings)}\n` : summary(findings))
    return true
  }
  // The exporters bring an XML library along; most runs do without.
  const { exportFile, ExportRefused } = await import('./export.ts')
  const source = { name: path.basename(options.file), path: path.resolve(options.file) }
  try {
    const { body } = exportFile({
      findings,
      format: options.export,
      source,
      options: ExportOptions.parse({}),
    })
    process.stdout.write(body)
    return true
  } catch (error) {
    if (!(error instanceof ExportRefused)) throw error
    process.stderr.write(`${error.message}\n`)
    return false
  }
}

function summary(findings: Findings): string {
  const { media, shots, transcription, talking, cutpoints, ffprobe, thumbnail } = findings
  const lines = [
    `${media.kind}, ${media.duration.toFixed(3)} s, ${media.frames} frames at ${media.frame_rate}`,
    `timecode ${media.start_timecode ?? 'none'}${media.reel ? `, reel ${media.reel}` : ''}`,
  ]
  for (const note of ffprobe?.conform ?? []) lines.push(`${note.severity}: ${note.message}`)
  for (const change of shots?.changes ?? []) {
    const frames = [change.start_frame, change.end_frame].join('–')
    lines.push(`${change.type} ${change.start.toFixed(3)} s, frames ${frames}, ${change.score}`)
  }
  if (transcription) lines.push(`${transcription.language ?? '?'}: ${transcription.text}`)
  if (talking) lines.push(`speech in ${talking.speech.length} parts, ${talking.faces.length} faces`)
  if (cutpoints) lines.push(`${cutpoints.points.length} cut points`)
  if (thumbnail) lines.push(`${thumbnail.stills.length} stills`)
  return `${lines.join('\n')}\n`
}

function progressLine() {
  let last = -1
  return ({ overall }: { overall: number }): void => {
    const percent = Math.floor(overall * 100)
    if (percent === last) return
    last = percent
    if (process.stderr.isTTY) process.stderr.write(`\r${percent} %`)
    else if (percent % 10 === 0) process.stderr.write(`${percent} %\n`)
  }
}
