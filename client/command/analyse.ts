/** Files, addresses and items to exports: `analyse`, `quote` and `export`. */
import { extname, join } from 'node:path'
import { stat } from 'node:fs/promises'
import { extractorIds, fullAnalysis } from '../../contract/catalogue.ts'
import type { ExtractorId } from '../../contract/catalogue.ts'
import { exportFormats } from '../../contract/export-options.ts'
import type { ExportFormat } from '../../contract/export-options.ts'
import type { CutIndex, JobInput } from '../cutindex.ts'
import { openFile } from '../files.ts'
import { writeWhole } from './key-file.ts'
import { exitCodeOf } from './output.ts'
import type { Output } from './output.ts'
import { UsageError } from './usage.ts'

export interface Order {
  extractors: ExtractorId[]
  formats: ExportFormat[]
  out: string | undefined
  maxUsd: number | undefined
  parallel: number
}

export async function analyseAll(
  client: CutIndex,
  names: readonly string[],
  order: Order,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  return forEach(names, { parallel: order.parallel, output, signal }, async (name) => {
    const job = await client.jobs.run(await inputOf(name), {
      extractors: order.extractors,
      maxUsd: order.maxUsd,
      signal,
      onProgress: (progress) => output.progress(name, progress),
    })
    const isRemote = /^https?:/.test(name)
    const target = isRemote ? (new URL(name).pathname.split('/').at(-1) ?? 'export') : name
    const folder = order.out ?? (isRemote ? '.' : undefined)
    const files = await writeExports(client, { jobId: job.id, target, folder }, order.formats)
    const charged = `charged $${job.cost_usd}`
    const value = { name, job_id: job.id, status: job.status, cost_usd: job.cost_usd, files }
    output.result([`${name}: ${job.status}, ${charged}`, ...files].join('\n  '), value)
  })
}

export async function quoteAll(
  client: CutIndex,
  names: readonly string[],
  order: Order,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  return forEach(names, { parallel: 1, output, signal }, async (name) => {
    const input = await inputOf(name)
    const about =
      'url' in input
        ? { content_url: input.url }
        : 'contentId' in input
          ? { content_id: input.contentId }
          : { content_id: (await client.content.upload(input, { signal })).id }
    const body = { ...about, workflow: order.extractors.join(',') }
    const { quote } = await client.api.quoteJob({ body }, { signal })
    const text = `${name}: at most $${quote.total_usd} for ${quote.seconds} s; $${quote.available_usd} is available`
    output.result(text, { name, ...quote })
  })
}

export async function exportAll(
  client: CutIndex,
  ids: readonly string[],
  order: Order,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  if (order.formats.length === 0) throw new UsageError('Name the formats: --export fcpxml,srt')
  return forEach(ids, { parallel: order.parallel, output, signal }, async (id) => {
    const { job } = await client.api.getJob({ params: { id } }, { signal })
    const place = { jobId: id, target: job.content_name, folder: order.out ?? '.' }
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
  if (!(await stat(name).catch(() => null))?.isFile()) {
    throw new UsageError(`There is no file ${name}.`, 5)
  }
  return openFile(name)
}

/** Beside the file, under its whole name: clip.mov.fcpxml never meets clip.mp4.fcpxml. */
export async function writeExports(
  client: CutIndex,
  { jobId, target, folder }: { jobId: string; target: string; folder: string | undefined },
  formats: readonly ExportFormat[],
): Promise<string[]> {
  const files: string[] = []
  for (const format of formats) {
    const { name, data } = await client.jobs.export(jobId, { format })
    const base = folder === undefined ? target : join(folder, target.split(/[\\/]/).at(-1) ?? '')
    const isPlain = extname(name) === `.${format}`
    const path = `${base}${isPlain ? '' : `.${format}`}${extname(name)}`
    await writeWhole(path, new Uint8Array(await data.arrayBuffer()))
    files.push(path)
  }
  return files
}

export function orderOf(values: {
  extractors?: string
  export?: string
  out?: string
  'max-usd'?: string
  parallel?: string
}): Order {
  const extractors = listOf(values.extractors, extractorIds, 'extractor')
  return {
    extractors: extractors.length > 0 ? extractors : [...fullAnalysis],
    formats: listOf(values.export, exportFormats, 'export format'),
    out: values.out,
    maxUsd: values['max-usd'] === undefined ? undefined : numberOf(values['max-usd'], '--max-usd'),
    parallel: Math.max(1, Math.min(16, numberOf(values.parallel ?? '4', '--parallel'))),
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
    const match = known.find((one) => one === name.trim())
    if (!match) throw new UsageError(`No ${what} "${name}". Known are: ${known.join(', ')}.`)
    return match
  })
}
