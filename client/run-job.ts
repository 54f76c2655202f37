/** A job from what it shall look at to its end. */
import type { ApiClient } from '../contract/api.ts'
import { extractors as catalogue } from '../contract/catalogue.ts'
import type { ExtractorId } from '../contract/catalogue.ts'
import type { ContentItem } from '../contract/content.ts'
import type { Job } from '../contract/jobs.ts'
import { speechSettingsOf } from '../contract/speech.ts'
import type { SpeechSettings } from '../contract/speech.ts'
import { JobFailed } from './error.ts'
import { pause, reasonOf } from './retry.ts'
import type { Uploadable } from './source.ts'
import type { UploadOptions } from './upload.ts'

/** A file, a public address, or an item of the library. */
export type JobInput = Uploadable | { url: string } | { contentId: string }

export interface RunOptions extends SpeechSettings {
  /** What to run; the full analysis where nothing is named. */
  extractors?: readonly ExtractorId[]
  /** Seconds. */
  in?: number
  out?: number
  /** Refuse where the quote is above this. */
  maxUsd?: number
  /** Stops the upload, or cancels the job. */
  signal?: AbortSignal
  onProgress?: (progress: RunProgress) => void
  /** The same key never makes a second job. */
  idempotencyKey?: string
}

export interface RunProgress {
  phase: 'uploading' | 'queued' | 'processing' | 'running' | 'completed'
  /** From 0 to 1, of this phase. */
  share: number
  job?: Job
}

/** The quote is above what the caller allows. Nothing was created. */
export class TooExpensive extends Error {
  totalUsd: number

  constructor(totalUsd: number, maxUsd: number) {
    super(`This costs up to $${totalUsd}, above the limit of $${maxUsd}. Nothing was started.`)
    this.name = 'TooExpensive'
    this.totalUsd = totalUsd
  }
}

export async function runJob(
  api: ApiClient,
  upload: (file: Uploadable, options: UploadOptions) => Promise<ContentItem>,
  input: JobInput,
  options: RunOptions,
): Promise<Job> {
  const { signal, onProgress } = options
  const about = await contentOf(upload, input, options)
  const request = {
    ...about,
    workflow: (options.extractors ?? catalogue.map(({ id }) => id)).join(','),
    in: options.in,
    out: options.out,
    ...speechSettingsOf(options),
  }
  if (options.maxUsd !== undefined) {
    const { quote } = await api.quoteJob({ body: request }, { signal })
    if (quote.total_usd > options.maxUsd) throw new TooExpensive(quote.total_usd, options.maxUsd)
  }
  const { idempotencyKey } = options
  const { job } = await api.createJob({ body: request }, { signal, idempotencyKey })
  try {
    return await waitForJob(api, job.id, { signal, onProgress })
  } catch (error) {
    if (signal?.aborted) await api.cancelJob({ params: { id: job.id } }).catch(() => undefined)
    throw error
  }
}

async function contentOf(
  upload: (file: Uploadable, options: UploadOptions) => Promise<ContentItem>,
  input: JobInput,
  { signal, onProgress }: RunOptions,
): Promise<{ content_url: string } | { content_id: string }> {
  if ('url' in input) return { content_url: input.url }
  if ('contentId' in input) return { content_id: input.contentId }
  const item = await upload(input, {
    signal,
    onProgress: (sent, total) =>
      onProgress?.({ phase: 'uploading', share: total ? sent / total : 1 }),
  })
  return { content_id: item.id }
}

const firstPauseMs = 250
const maxPauseMs = 2000

/** Asks until the job has ended; throws `JobFailed` where it has no findings then. */
export async function waitForJob(
  api: Pick<ApiClient, 'getJob'>,
  id: string,
  { signal, onProgress }: Pick<RunOptions, 'signal' | 'onProgress'> = {},
): Promise<Job> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 1.5)) {
    if (signal?.aborted) throw reasonOf(signal)
    const { job } = await api.getJob({ params: { id } }, { signal })
    const { status } = job
    if (status === 'failed' || status === 'canceled') throw new JobFailed(job)
    onProgress?.({ phase: status, share: job.progress, job })
    if (status === 'completed') return job
    await pause(pauseMs, signal)
  }
}
