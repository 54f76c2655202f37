import * as z from 'zod'
import { extractorIds, extractors } from '../../domain/money/catalogue.ts'
import { defineEndpoints } from '../define-endpoints.ts'
import { ExportOptions } from './export-options.ts'
import { exportFormats } from '../../domain/export-formats.ts'
import { fileMediaTypes, typesOfExports } from '../media-types.ts'
import { Cursor, Done, limitOf, NextCursor, Timestamp, Usd } from '../fields.ts'
import { Id } from '../../domain/fields.ts'
import { Findings, Media } from '../../domain/findings/findings.ts'
import { Quote, QuoteId } from './quotes.ts'
import { refusalCodes } from '../refusal.ts'
import { jobOptions } from '../../domain/job-options.ts'
import { optionFields, shownFields } from './option-fields.ts'

export const jobStatuses = [
  'queued',
  'processing',
  'running',
  'completed',
  'failed',
  'canceled',
] as const
export const JobStatus = z.enum(jobStatuses)
export type JobStatus = z.infer<typeof JobStatus>

const Cause = z.object({ code: z.enum(refusalCodes), message: z.string() })

export const JobExtractor = z
  .object({
    id: z.enum(extractorIds),
    status: z.enum(['waiting', 'running', 'done', 'skipped', 'failed', 'reused']),
    progress: z.number().min(0).max(1),
    cost_usd: Usd,
    warning: z.string().nullable(),
    error: Cause.nullable(),
  })
  .meta({ id: 'JobExtractor' })

export const Job = z
  .object({
    id: Id,
    status: JobStatus,
    content_url: z.string(),
    created_at: Timestamp,
    workflow: z.string().meta({ description: 'Comma-joined extractor ids.' }),
    content_id: Id.nullable(),
    content_name: z.string(),
    progress: z.number().min(0).max(1),
    extractors: z.array(JobExtractor),
    partial: z.boolean(),
    error: Cause.nullable(),
    held_usd: Usd,
    cost_usd: Usd,
    price_version: z.string(),
    media: Media.nullable(),
    ...shownFields(),
    seconds: z.number().nullable().meta({ description: 'Seconds that were charged.' }),
    retry_of: Id.nullable(),
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
    parts_left: z.int().min(0).nullable().optional().meta({
      description:
        'While a film is analysed in parts: how many are still to be measured. 0 while they are joined.',
    }),
  })
  .meta({ id: 'Job' })
export type Job = z.infer<typeof Job>

/** A list leaves out what the file is made of, which is most of a job's bytes. */
export const ListedJob = Job.omit({ media: true }).meta({ id: 'ListedJob' })
export type ListedJob = z.infer<typeof ListedJob>

const workflowText = `Comma-joined extractor ids: ${extractors
  .map(({ id, name }) => `${id} (${name})`)
  .join(', ')}.`

const jobRequest = {
  content_url: z.string().trim().min(1, 'Please enter a content URL').max(2000).optional(),
  content_id: Id.optional(),
  workflow: z
    .string()
    .max(200)
    .meta({ example: 'ffprobe,shots,transcription', description: workflowText }),
  ...optionFields(jobOptions),
}

const seconds = z.number().min(0)

export const HeardPart = z
  .object({
    part: z.int().min(0),
    start: seconds,
    end: seconds,
    paragraphs: z.array(z.object({ start: seconds, end: seconds, text: z.string() })),
  })
  .meta({ id: 'HeardPart', description: 'In seconds of the media.' })
export type HeardPart = z.infer<typeof HeardPart>

const JobReply = z.object({ job: Job })
const file = z.string().regex(/^[\w][\w.-]{0,99}$/)

/** Refusals of the media that a job or a sync is to analyse. */
export const mediaRefusals = [
  'not_found',
  'unsupported_source',
  'fetch_failed',
  'probe_failed',
  'too_long',
  'too_large',
] as const

export const jobEndpoints = defineEndpoints('Jobs', 'key', {
  quoteJob: {
    method: 'POST',
    path: '/jobs/quote',
    summary: 'What a job would cost',
    description: 'Free; nothing is stored. A job never costs more than its quote.',
    scope: 'jobs:read',
    changesNothing: true,
    body: z.strictObject(jobRequest),
    reply: z.object({ quote: Quote }),
    refusals: [...mediaRefusals],
    example: {
      body: { content_url: 'https://media.example.com/interview.mov', workflow: 'shots' },
    },
  },
  createJob: {
    method: 'POST',
    path: '/jobs',
    summary: 'Create a job',
    description: 'Reserves the quoted credit; what is not used is returned when the job ends.',
    scope: 'jobs:write',
    body: z.strictObject({
      ...jobRequest,
      quote_id: QuoteId.optional().meta({
        description: 'Refuses (409) where the price is above the quote, or the quote has expired.',
      }),
    }),
    reply: JobReply,
    status: 201,
    creates: true,
    refusals: ['conflict', 'insufficient_credit', 'spend_limit', ...mediaRefusals],
    example: {
      body: {
        content_url: 'https://media.example.com/interview.mov',
        workflow: 'ffprobe,shots,transcription',
      },
    },
  },
  listJobs: {
    method: 'GET',
    path: '/jobs',
    summary: 'Jobs, newest first',
    description: 'A job of the list has no `media`; `GET /jobs/{id}` returns it.',
    scope: 'jobs:read',
    query: z.strictObject({
      limit: limitOf(20),
      cursor: Cursor,
      status: z
        .string()
        .max(100)
        .optional()
        .meta({ description: 'Comma-joined statuses.', example: 'queued,running' }),
      extractor: z.enum(extractorIds).optional(),
      content_id: Id.optional(),
      q: z.string().max(200).optional().meta({ description: 'Part of the content’s name.' }),
    }),
    reply: z.object({
      jobs: z.array(ListedJob),
      next_cursor: NextCursor,
      in_progress: z.int().meta({ description: 'Jobs of the account that have not ended.' }),
    }),
  },
  getJob: {
    method: 'GET',
    path: '/jobs/{id}',
    summary: 'One job with its progress and cost',
    scope: 'jobs:read',
    reply: JobReply,
  },
  cancelJob: {
    method: 'POST',
    path: '/jobs/{id}/cancel',
    summary: 'Cancel a job',
    description:
      'Extractors that have finished are charged. Of the others, the share that was read before its ' +
      'end is charged (`transcript-so-far`) and, once the job has run longer than its media lasts, ' +
      'the share that is done; never more than was held.',
    scope: 'jobs:write',
    reply: JobReply,
    refusals: ['conflict'],
  },
  retryJob: {
    method: 'POST',
    path: '/jobs/{id}/retry',
    summary: 'Run a job again as a new one',
    scope: 'jobs:write',
    reply: JobReply,
    status: 201,
    creates: true,
    refusals: [
      'conflict',
      'insufficient_credit',
      'spend_limit',
      'unsupported_source',
      'fetch_failed',
      'probe_failed',
      'too_long',
      'too_large',
    ],
  },
  deleteJob: {
    method: 'DELETE',
    path: '/jobs/{id}',
    summary: 'Delete an ended job with its findings and files',
    scope: 'jobs:write',
    reply: Done,
    refusals: ['conflict'],
  },
  getJobResults: {
    method: 'GET',
    path: '/jobs/{id}/results',
    summary: 'Findings, whole or of one extractor',
    description: 'While a job runs, the extractors that have finished are here already.',
    scope: 'jobs:read',
    query: z.strictObject({
      extractor: z.enum(extractorIds).optional(),
      corrected: z.stringbool().optional().meta({
        description: 'With the corrections that were saved; else as they were found.',
      }),
      from_frame: z.coerce.number().int().min(0).optional().meta({
        description: 'For long media: only what reaches into the frames from here …',
      }),
      to_frame: z.coerce.number().int().min(1).optional().meta({
        description: '… to before here. Indexes such as `first_word` still count from the start.',
      }),
    }),
    reply: z.object({ results: Findings.partial({ media: true }) }),
  },
  getTranscriptSoFar: {
    method: 'GET',
    path: '/jobs/{id}/transcript-so-far',
    summary: 'What was heard of a film that is still being analysed',
    description:
      'A film of four minutes or more is heard in parts; those that are done are here, in the order ' +
      'of the film. It is a preview: speakers, final times and the spelling of numbers come with the ' +
      'findings, and nothing is here once the job has ended. Ask again when `parts_left` of the job ' +
      'changes. What is read here is charged by its share of the speech if the job is canceled or its ' +
      'content is deleted. An account that read words of two jobs within a day whose transcription ' +
      'then failed, which costs nothing, sees words at the end only.',
    scope: 'jobs:read',
    query: z.strictObject({
      from_part: z.coerce.number().int().min(0).max(10_000).optional().meta({
        description: 'Only this part and later ones.',
      }),
    }),
    reply: z.object({
      parts: z.int().min(0).meta({ description: 'How many there are; 0: none yet.' }),
      heard: z.array(HeardPart),
    }),
  },
  exportJob: {
    method: 'GET',
    path: '/jobs/{id}/export',
    summary: 'A file for editing software',
    auth: 'ticket',
    scope: 'jobs:read',
    ticket: 'job-files',
    query: z.strictObject({
      format: z.enum(exportFormats),
      ticket: z.string().max(500).optional(),
      ...ExportOptions.shape,
    }),
    rawReply: { contentType: typesOfExports(exportFormats), description: 'The file.' },
    refusals: ['conflict'],
  },
  createFileTicket: {
    method: 'POST',
    path: '/jobs/{id}/file-ticket',
    summary: 'A ticket for this job’s files and exports',
    description: 'For addresses that a browser opens by itself: pictures, video, downloads.',
    scope: 'jobs:read',
    changesNothing: true,
    reply: z.object({ ticket: z.string(), expires_at: Timestamp }),
    status: 201,
  },
  getJobFile: {
    method: 'GET',
    path: '/jobs/{id}/files/{name}',
    summary: 'A thumbnail, sprite, proxy or waveform',
    description: 'Byte ranges are honoured.',
    auth: 'ticket',
    scope: 'jobs:read',
    ticket: 'job-files',
    params: z.object({ id: Id, name: file }),
    query: z.strictObject({ ticket: z.string().max(500).optional() }),
    rawReply: { contentType: Object.values(fileMediaTypes), description: 'The bytes of the file.' },
    refusals: ['range_not_satisfiable'],
  },
  watchJob: {
    method: 'GET',
    path: '/jobs/{id}/events',
    summary: 'A job’s changes as server-sent events',
    scope: 'jobs:read',
    rawReply: {
      contentType: 'text/event-stream',
      description: '`job` events with a Job each, until it has ended or an hour has passed.',
    },
  },
  watchAccount: {
    method: 'GET',
    path: '/events',
    summary: 'The account’s changes as server-sent events',
    scope: 'jobs:read',
    rawReply: {
      contentType: 'text/event-stream',
      description:
        '`job`, `deleted` (the id of a job), `batch` and `balance` events of the whole account; the stream ends after an hour and can be opened again. A key gets `balance` with the scope `billing:read`.',
    },
  },
})
