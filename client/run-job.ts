/** A job from what it shall look at to its end. */
import type { ApiClient } from '../contract/api.ts'
import { fullAnalysis } from '../domain/money/catalogue.ts'
import type { ExtractorId } from '../domain/money/catalogue.ts'
import type { ContentItem } from '../contract/footage/content.ts'
import type { Job } from '../contract/footage/jobs.ts'
import { optionsOf } from '../domain/job-options.ts'
import type { JobOptions } from '../domain/job-options.ts'
import { CallError } from '../contract/endpoint.ts'
import { JobFailed } from './error.ts'
import { pause, reasonOf } from './retry.ts'
import type { Uploadable } from './source.ts'
import type { UploadOptions } from './upload.ts'

/** A file, a public address, or an item of the library. */
export type JobInput = Uploadable | { url: string } | { contentId: string }

export interface RunOptions extends JobOptions {
  /** The full analysis where nothing is named. */
  extractors?: readonly ExtractorId[]
  /** Refuse where the quote is above this. */
  maxUsd?: number
  /** Stops the upload, or cancels the job. */
  signal?: AbortSignal
  onProgress?: (progress: RunProgress) => void
  /** Within a day the same key makes no second job. */
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
    workflow: (options.extractors ?? fullAnalysis).join(','),
    ...optionsOf(options),
  }
  const quoted =
    options.maxUsd === undefined ? {} : await quoteWithin(api, request, options.maxUsd, signal)
  // Each quote has another id, and the same key must come with the same call.
  const body = options.idempotencyKey === undefined ? { ...request, ...quoted } : request
  const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID()
  const cancel = async (id: string): Promise<void> => {
    await api.cancelJob({ params: { id } }).catch(() => undefined)
  }
  const { job } = await api
    .createJob({ body }, { signal, idempotencyKey })
    .catch(async (error: unknown) => {
      if (signal?.aborted) await cancelUnseen(api, { body, idempotencyKey }, cancel)
      throw error
    })
  try {
    return await waitForJob(api, job.id, { signal, onProgress })
  } catch (error) {
    if (signal?.aborted) await cancel(job.id)
    throw error
  }
}

type Request = Parameters<ApiClient['quoteJob']>[0]['body']

/** The job costs at most what this quote says. */
export async function quoteWithin(
  api: Pick<ApiClient, 'quoteJob'>,
  body: Request,
  maxUsd: number,
  signal?: AbortSignal,
): Promise<{ quote_id: string }> {
  const { quote } = await api.quoteJob({ body }, { signal })
  if (quote.total_usd > maxUsd) throw new TooExpensive(quote.total_usd, maxUsd)
  return { quote_id: quote.id }
}

const unseenMs = 10_000
const askAgainMs = 500

/**
 * Stopping the call does not stop the service, which may place the job all the same. The same call
 * again answers with that job, or places one that is canceled before it starts.
 */
async function cancelUnseen(
  api: Pick<ApiClient, 'createJob'>,
  { body, idempotencyKey }: { body: Request & { quote_id?: string }; idempotencyKey: string },
  cancel: (id: string) => Promise<void>,
): Promise<void> {
  const signal = AbortSignal.timeout(unseenMs)
  while (!signal.aborted) {
    try {
      const { job } = await api.createJob({ body }, { signal, idempotencyKey })
      return await cancel(job.id)
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'in_flight') return
      await new Promise((resolve) => setTimeout(resolve, askAgainMs))
    }
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
