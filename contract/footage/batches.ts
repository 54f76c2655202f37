/** Batches: many jobs placed at once, all of them or none. */
import * as z from 'zod'
import { extractorIds, maxBatchItems } from '../../domain/money/catalogue.ts'
import { defineEndpoints } from '../define-endpoints.ts'
import { limitOf, Timestamp, Usd } from '../fields.ts'
import { Id } from '../../domain/fields.ts'
import { JobStatus } from './jobs.ts'
import { refusalCodes } from '../refusal.ts'
import { jobOptions } from '../../domain/job-options.ts'
import { optionFields } from './option-fields.ts'

const Refused = z.object({ code: z.enum(refusalCodes), message: z.string() })

export const BatchQuote = z
  .object({
    items: z.array(
      z.object({
        content_id: Id,
        name: z.string().nullable().meta({ description: 'Null: there is no such item.' }),
        seconds: z.int(),
        usd: Usd,
        lines: z.array(
          z.object({
            extractor: z.enum(extractorIds),
            usd: Usd,
            reused: z.boolean().meta({ description: 'A stored result answers, at no cost.' }),
            skipped: z
              .string()
              .nullable()
              .meta({ description: 'Why it does not apply; not charged.' }),
          }),
        ),
        refused: Refused.nullable().meta({ description: 'Why this item is left out.' }),
      }),
    ),
    total_usd: Usd,
    available_usd: Usd,
    sufficient: z.boolean(),
    price_version: z.string(),
  })
  .meta({ id: 'BatchQuote' })
export type BatchQuote = z.infer<typeof BatchQuote>

export const Batch = z
  .object({
    id: Id,
    workflow: z.string().meta({ description: 'Comma-joined extractor ids.' }),
    status: z.enum(['running', 'completed', 'canceled']),
    progress: z.number().min(0).max(1),
    held_usd: Usd,
    cost_usd: Usd,
    jobs: z.array(
      z.object({
        id: Id,
        content_id: Id.nullable(),
        content_name: z.string(),
        status: JobStatus,
        partial: z.boolean(),
        progress: z.number().min(0).max(1),
        seconds: z.int().meta({ description: 'Seconds of media.' }),
        cost_usd: Usd,
        error: Refused.nullable(),
      }),
    ),
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: 'Batch' })
export type Batch = z.infer<typeof Batch>

const batchRequest = z.strictObject({
  content_ids: z.array(Id).min(1, 'Please select at least one item').max(maxBatchItems),
  workflow: z.string().max(200).meta({ example: 'ffprobe,shots,transcription' }),
  ...optionFields(jobOptions),
})
export type BatchRequest = z.infer<typeof batchRequest>

const BatchReply = z.object({ batch: Batch })
const exampleBody = {
  content_ids: ['3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34'],
  workflow: 'ffprobe,shots,transcription',
}

export const batchEndpoints = defineEndpoints('Jobs', 'key', {
  quoteBatch: {
    method: 'POST',
    path: '/jobs/batch/quote',
    summary: 'What a batch would cost',
    description:
      'Free; nothing is stored. Items that cannot be analysed are named with the reason.',
    scope: 'jobs:read',
    changesNothing: true,
    body: batchRequest,
    reply: z.object({ quote: BatchQuote }),
    example: { body: exampleBody },
  },
  createBatch: {
    method: 'POST',
    path: '/jobs/batch',
    summary: 'Analyse many items at once',
    record: 'Analysed a batch of clips',
    description:
      'Places the holds and jobs of all items that can be analysed in one transaction, or none. Items that were left out are named in `refused`.',
    scope: 'jobs:write',
    body: batchRequest,
    reply: BatchReply.extend({
      refused: z.array(Refused.extend({ content_id: Id, name: z.string().nullable() })),
    }),
    status: 201,
    creates: true,
    refusals: ['insufficient_credit', 'spend_limit', 'unsupported_source'],
    example: { body: exampleBody },
  },
  listBatches: {
    method: 'GET',
    path: '/batches',
    summary: 'Batches, newest first',
    scope: 'jobs:read',
    query: z.strictObject({
      limit: limitOf(5, 20),
      cursor: z.string().max(200).optional(),
      running: z.enum(['true', 'false']).optional(),
    }),
    reply: z.object({ batches: z.array(Batch), next_cursor: z.string().nullable() }),
  },
  getBatch: {
    method: 'GET',
    path: '/batches/{id}',
    summary: 'One batch with the state of its jobs',
    scope: 'jobs:read',
    reply: BatchReply,
  },
  cancelBatch: {
    method: 'POST',
    path: '/batches/{id}/cancel',
    summary: 'Cancel the jobs of a batch that have not ended',
    description: 'Extractors that have finished are charged, as for a single job.',
    scope: 'jobs:write',
    reply: BatchReply,
    refusals: ['conflict'],
  },
})
