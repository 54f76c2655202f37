/** Files, addresses and items to exports: `analyse`, `quote` and `export`. */
import { access, constants, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { extractorIds, fullAnalysis } from '../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../domain/money/catalogue.ts'
import { exportFormats } from '../../domain/export-formats.ts'
import type { ExportFormat } from '../../domain/export-formats.ts'
import { readFlags, speechOptions, WrongFlag } from '../../domain/job-options.ts'
import type { JobOptions } from '../../domain/job-options.ts'
import type { CutIndex, JobInput, Uploadable } from '../cutindex.ts'
import { openFile } from '../files.ts'
import { writeWhole } from './key-file.ts'
import { makeFolder } from './make-folder.ts'
import { exitCodeOf } from './output.ts'
import type { Output } from './output.ts'
import { UsageError } from './usage.ts'

export interface Order {
  extractors: ExtractorId[]
  formats: ExportFormat[]
  options: JobOptions
  out: string | undefined
  maxUsd: number | undefined
  parallel: number
}

export interface Run {
  client: CutIndex
  order: Order
  output: Output
  signal: AbortSignal
}

export async function analyseAll(
  { client, order, output, signal }: Run,
  names: readonly string[],
): Promise<number> {
  const files = [...new Set(names)]
  refuseSameNames(files, order)
  if (order.out !== undefined) await makeFolder(order.out)
  return forEach(files, { parallel: order.parallel, output, signal }, async (name) => {
    const input = await inputOf(name)
    const place = placeOf(name, order)
    // Fails before anything is paid for.
    if (order.formats.length > 0) await access(place.folder, constants.W_OK)
    const job = await client.jobs.run(input, {
      extractors: order.extractors,
      ...order.options,
      maxUsd: order.maxUsd,
      signal,
      onProgress: (progress) => output.progress(name, progress),
    })
    const written = await writeExports(client, { jobId: job.id, ...place }, order.formats)
    const value = {
      name,
      job_id: job.id,
      status: job.status,
      cost_usd: job.cost_usd,
      files: written,
    }
    const text = `${name}: ${job.status}, charged $${job.cost_usd}, job ${job.id}`
    output.result([text, ...written].join('\n  '), value)
  })
}

/** Folder and name for the exports of a file, an address or an item. */
function placeOf(name: string, { out }: Order): { folder: string; target: string } {
  const isRemote = /^https?:/.test(name)
  const target = isRemote ? new URL(name).pathname.split('/').at(-1) : basename(name)
  return { folder: out ?? (isRemote ? '.' : dirname(name)), target: target || 'export' }
}

/** Two files of one name would overwrite each other's exports. */
function refuseSameNames(names: readonly string[], order: Order): void {
  const byPath = new Map<string, string>()
  for (const name of order.formats.length > 0 ? names : []) {
    const { folder, target } = placeOf(name, order)
    const path = join(folder, target)
    const other = byPath.get(path)
    if (other !== undefined) {
      const problem = `The exports of ${other} and ${name} would have one name.`
      throw new UsageError(`${problem} Analyse them one after the other, into two folders.`)
    }
    byPath.set(path, name)
  }
}

export async function quoteAll(
  { client, order, output, signal }: Run,
  names: readonly string[],
): Promise<number> {
  return forEach(names, { parallel: 1, output, signal }, async (name) => {
    const input = await inputOf(name)
    const about =
      'url' in input
        ? { content_url: input.url }
        : 'contentId' in input
          ? { content_id: input.contentId }
          : { content_id: await uploaded(client, input, { name, output, signal }) }
    const body = { ...about, workflow: order.extractors.join(','), ...order.options }
    const { quote } = await client.api.quoteJob({ body }, { signal })
    const text = `${name}: at most $${quote.total_usd} for ${quote.seconds} s; $${quote.available_usd} is available`
    output.result(text, { name, ...quote })
  })
}

async function uploaded(
  client: CutIndex,
  file: Uploadable,
  { name, output, signal }: { name: string; output: Output; signal: AbortSignal },
): Promise<string> {
  const item = await client.content.upload(file, {
    signal,
    onProgress: (sent, total) =>
      output.progress(name, { phase: 'uploading', share: total ? sent / total : 1 }),
  })
  return item.id
}

export async function exportAll(
  { client, order, output, signal }: Run,
  ids: readonly string[],
): Promise<number> {
  if (order.formats.length === 0) throw new UsageError('Name the formats: --export fcpxml,srt')
  if (order.out !== undefined) await makeFolder(order.out)
  const taken = new Set<string>()
  return forEach([...new Set(ids)], { parallel: order.parallel, output, signal }, async (id) => {
    const { job } = await client.api.getJob({ params: { id } }, { signal })
    const name = fileNameOf(job.content_name)
    // Jobs of one file, or of two that have one name, do not overwrite each other's exports.
    const target = taken.has(name) ? `${name}.${id.slice(0, 8)}` : name
    taken.add(name)
    const place = { jobId: id, target, folder: order.out ?? '.' }
    const files = await writeExports(client, place, order.formats)
    output.result(files.join('\n'), { job_id: id, files })
  })
}

/** Runs the work for each name, a few at a time; one that fails does not stop the others. */
async function forEach(
  names: readonly string[],
  { parallel, output, signal }: { parallel: number; output: Output; signal: AbortSignal },
  work: (name: string) => Promise<void>,
): Promise<number> {
  const waiting = [...names]
  const codes: number[] = []
  const runner = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (signal.aborted) return
      try {
        await work(name)
      } catch (error) {
        output.problem(name, error)
        codes.push(exitCodeOf(error))
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, names.length) }, runner))
  if (signal.aborted) return 130
  const [first] = codes
  if (first === undefined) return 0
  return codes.length === names.length && codes.every((code) => code === first) ? first : 6
}

export async function inputOf(name: string): Promise<JobInput> {
  if (/^https?:\/\//.test(name)) return { url: name }
  if (/^[\da-f]{8}-[\da-f-]{27}$/.test(name)) return { contentId: name }
  const info = await stat(name).catch(() => null)
  if (info?.isDirectory()) {
    const advice = `Name its files, or run "cutindex watch ${name} --once".`
    throw new UsageError(`${name} is a folder. ${advice}`, 5)
  }
  if (!info?.isFile()) throw new UsageError(`There is no file ${name}.`, 5)
  return openFile(name)
}

/** Beside the file, under its whole name: clip.mov.fcpxml never meets clip.mp4.fcpxml. */
export async function writeExports(
  client: CutIndex,
  { jobId, target, folder }: { jobId: string; target: string; folder: string },
  formats: readonly ExportFormat[],
): Promise<string[]> {
  const files: string[] = []
  for (const format of formats) {
    const { name, data } = await client.jobs.export(jobId, { format })
    const isPlain = extname(name) === `.${format}`
    const path = join(folder, `${target}${isPlain ? '' : `.${format}`}${extname(name)}`)
    await writeWhole(path, new Uint8Array(await data.arrayBuffer()))
    files.push(path)
  }
  return files
}

/** A name from the service as a file name: in one folder, without control characters. */
function fileNameOf(name: string): string {
  // oxlint-disable-next-line no-control-regex -- that is what is looked for
  return name.replaceAll(/[\u0000-\u001F\u007F/\\]/g, '_').replace(/^\.+/, '') || 'export'
}

export function orderOf(values: {
  extractors?: string
  export?: string
  [flag: string]: string | boolean | undefined
  out?: string
  'max-usd'?: string
  parallel?: string
}): Order {
  const extractors = listOf(values.extractors, extractorIds, 'extractor')
  const formats = listOf(values.export, exportFormats, 'export format')
  const subtitles = formats.find((format) => format === 'srt' || format === 'vtt')
  if (subtitles && extractors.length > 0 && !extractors.includes('transcription')) {
    throw new UsageError(`--export ${subtitles} needs transcription among the --extractors.`)
  }
  return {
    extractors: extractors.length > 0 ? extractors : [...fullAnalysis],
    formats,
    options: optionsFrom(values),
    out: values.out,
    maxUsd: values['max-usd'] === undefined ? undefined : numberOf(values['max-usd'], '--max-usd'),
    parallel: Math.max(1, Math.min(16, numberOf(values.parallel ?? '4', '--parallel'))),
  }
}

function optionsFrom(flags: Parameters<typeof readFlags>[1]): JobOptions {
  try {
    return readFlags(speechOptions, flags)
  } catch (error) {
    throw error instanceof WrongFlag ? new UsageError(error.message) : error
  }
}

export function numberOf(text: string, name: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
    throw new UsageError(`${name} takes a number, not "${text}".`)
  }
  return value
}

function listOf<Known extends string>(
  text: string | undefined,
  known: readonly Known[],
  what: string,
): Known[] {
  const names = (text ?? '').split(',').filter(Boolean)
  return names.map((name) => {
    const match = known.find((id) => id === name.trim())
    if (!match) throw new UsageError(`No ${what} "${name}". Known are: ${known.join(', ')}.`)
    return match
  })
}
