/**
 * The package's door: `new CutIndex({ apiKey })`. Runs wherever there is fetch: Node 20, Deno, Bun
 * and browsers. Files of a disk come in through `cutindex/files`.
 */
import { api as endpoints } from '../contract/api.ts'
import type { Api, ApiClient } from '../contract/api.ts'
import type { ContentItem } from '../contract/footage/content.ts'
import { addressOf, CallError } from '../contract/endpoint.ts'
import type { Arguments, Endpoint } from '../contract/endpoint.ts'
import type { Job, ListedJob } from '../contract/footage/jobs.ts'
import type { SearchHit } from '../contract/footage/search.ts'
import { uniqueId } from '../domain/unique-id.ts'
import { createClient, errorOf, readJson } from './create-client.ts'
import type { Attempt } from './create-client.ts'
import { withAdvice } from './error.ts'
import { createAttempt } from './retry.ts'
import { runJob, waitForJob } from './run-job.ts'
import type { JobInput, RunOptions } from './run-job.ts'
import { sendBytes, sendBytesBy } from './send-bytes.ts'
import type { SendBytes } from './send-bytes.ts'
import type { Uploadable } from './source.ts'
import { uploadFile } from './upload.ts'
import type { UploadOptions } from './upload.ts'

export { CutIndexError, JobFailed } from './error.ts'
export { TooExpensive } from './run-job.ts'
export type { JobInput, RunOptions, RunProgress } from './run-job.ts'
export type { Uploadable, UploadSource } from './source.ts'
export type { UploadOptions } from './upload.ts'
export { verifyWebhook } from './verify-webhook.ts'

export interface CutIndexOptions {
  /** `ci_live_…`, from Profile, Security, API keys. */
  apiKey: string
  baseUrl?: string
  /** How often a call is repeated after a lost connection or a busy service; 5 by default. */
  maxRetries?: number
  /** For one attempt of a call; two minutes by itself. */
  timeoutMs?: number
  fetch?: typeof fetch
}

/** Calls whose answer is no JSON: exports, downloads, files, event streams. */
type RawName = {
  [Name in keyof Api]: Api[Name] extends { rawReply: object } ? Name : never
}[keyof Api]

/** An export as it came, with the name that the service gives it. */
export interface ExportedFile {
  name: string
  type: string
  data: Blob
}

export class CutIndex {
  /** Every endpoint, by name. Creating calls carry an Idempotency-Key by themselves. */
  readonly api: ApiClient
  #base: string
  #apiKey: string
  #maxRetries: number
  #fetch: typeof fetch
  #sendBytes: SendBytes
  #timeoutMs: number
  #attempt: Attempt

  constructor(options: CutIndexOptions) {
    // Anything else cannot stand in a header, and would look like a lost connection.
    if (!/^[\u0021-\u007E]+$/.test(options.apiKey ?? '')) {
      throw new TypeError(
        'new CutIndex({ apiKey }) needs an API key: ci_live_ and what follows it.',
      )
    }
    this.#base = (options.baseUrl ?? 'https://api.cutindex.com').replace(/\/+$/, '')
    this.#apiKey = options.apiKey
    this.#maxRetries = options.maxRetries ?? 5
    this.#fetch = options.fetch ?? ((...call) => fetch(...call))
    this.#sendBytes = options.fetch ? sendBytesBy(options.fetch) : sendBytes
    this.#timeoutMs = options.timeoutMs ?? 120_000
    const attempt = createAttempt({ maxRetries: this.#maxRetries, timeoutMs: this.#timeoutMs })
    this.#attempt = (call, send) => attempt(call, send).catch(rethrow)
    this.api = createClient(endpoints, {
      base: this.#base,
      token: () => this.#apiKey,
      withKey: (_request, call) => call(uniqueId()),
      attempt: this.#attempt,
      fetch: this.#fetch,
    })
  }

  readonly content = {
    /** Gives the item of the library, also where the same bytes were there before. */
    upload: (file: Uploadable, options: UploadOptions = {}): Promise<ContentItem> =>
      uploadFile(
        {
          base: this.#base,
          token: this.#apiKey,
          fetch: this.#fetch,
          sendBytes: this.#sendBytes,
          maxRetries: this.#maxRetries,
          timeoutMs: this.#timeoutMs,
          getContent: async (id) => (await this.api.getContent({ params: { id } })).content,
        },
        file,
        options,
      ).catch(rethrow),

    /** Every item, page by page as they are taken. */
    list: (query: Arguments<Api['listContent']>['query'] = {}): AsyncGenerator<ContentItem> =>
      pages((cursor) => this.api.listContent({ query: { ...query, cursor } }), 'content'),
  }

  readonly jobs = {
    /** Uploads what must be uploaded, creates the job and waits for its end. */
    run: (input: JobInput, options: RunOptions = {}): Promise<Job> =>
      runJob(this.api, this.content.upload, input, options),

    wait: (id: string, options: Pick<RunOptions, 'signal' | 'onProgress'> = {}): Promise<Job> =>
      waitForJob(this.api, id, options),

    list: (query: Arguments<Api['listJobs']>['query'] = {}): AsyncGenerator<ListedJob> =>
      pages((cursor) => this.api.listJobs({ query: { ...query, cursor } }), 'jobs'),

    export: async (
      id: string,
      options: Arguments<Api['exportJob']>['query'],
    ): Promise<ExportedFile> =>
      this.#read('exportJob', { params: { id }, query: options }, fileOf(options.format)),
  }

  readonly cuts = {
    export: async (
      id: string,
      options: Arguments<Api['exportCut']>['query'],
    ): Promise<ExportedFile> =>
      this.#read('exportCut', { params: { id }, query: options }, fileOf(options.format)),
  }

  readonly syncs = {
    export: async (
      id: string,
      options: Arguments<Api['exportSync']>['query'],
    ): Promise<ExportedFile> =>
      this.#read('exportSync', { params: { id }, query: options }, fileOf(options.format)),
  }

  /** Passages and findings of the whole library that match. */
  async search(
    text: string,
    options: { limit?: number; contentId?: string; signal?: AbortSignal } = {},
  ): Promise<SearchHit[]> {
    const query = { q: text, limit: options.limit, content_id: options.contentId }
    return (await this.api.search({ query }, { signal: options.signal })).hits
  }

  /** The address of a call, for links; it holds no key. */
  address<Name extends keyof Api>(name: Name, args: Arguments<Api[Name]>): string {
    return addressOf(this.#base, endpoints[name], args)
  }

  /** A call whose answer is no JSON, as a Response to read or to stream. */
  async open<Name extends RawName>(
    name: Name,
    args: Arguments<Api[Name]>,
    options: { signal?: AbortSignal } = {},
  ): Promise<Response> {
    return this.#read(name, args, (answer) => answer, options)
  }

  /** Reading the answer is part of the attempt: a body that breaks off is asked for again. */
  async #read<Name extends RawName, Read>(
    name: Name,
    args: Arguments<Api[Name]>,
    read: (answer: Response) => Read | Promise<Read>,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<Read> {
    const endpoint: Endpoint = endpoints[name]
    const input = args as { params?: Record<string, string>; query?: object; body?: object }
    const address = addressOf(this.#base, endpoint, input as Record<string, never>)
    const headers: Record<string, string> = { authorization: `Bearer ${this.#apiKey}` }
    if (input.body) headers['content-type'] = 'application/json'
    return this.#attempt({ name, endpoint, hasKey: false, signal }, async (attemptSignal) => {
      const { method } = endpoint
      const body = input.body && JSON.stringify(input.body)
      const signals = [signal, attemptSignal].filter((item) => item !== undefined)
      const init = { method, headers, body, signal: AbortSignal.any(signals) }
      const lost = (cause: unknown): never => {
        if (signal?.aborted) throw cause
        throw new CallError(0, { message: 'Network error. Please check your connection.' })
      }
      const answer = await this.#fetch(address, init).catch(lost)
      if (!answer.ok) throw errorOf(answer, readJson(await answer.text().catch(lost)))
      return Promise.resolve(read(answer)).catch(lost)
    })
  }
}

/** All items of a list, a page at a time. */
async function* pages<Field extends string, Item>(
  read: (cursor?: string) => Promise<{ next_cursor: string | null } & Record<Field, Item[]>>,
  field: Field,
): AsyncGenerator<Item> {
  let cursor: string | undefined
  do {
    const page: { next_cursor: string | null } & Record<Field, Item[]> = await read(cursor)
    yield* page[field]
    cursor = page.next_cursor ?? undefined
  } while (cursor)
}

function fileOf(format: string): (answer: Response) => Promise<ExportedFile> {
  return async (answer) => ({
    name: fileNameOf(answer) ?? `export.${format}`,
    type: answer.headers.get('content-type') ?? '',
    data: await answer.blob(),
  })
}

function fileNameOf(answer: Response): string | undefined {
  const header = answer.headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1]
  return encoded ? decodeURIComponent(encoded) : /filename="([^"]*)"/.exec(header)?.[1]
}

function rethrow(error: unknown): never {
  throw withAdvice(error)
}
