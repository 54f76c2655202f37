import * as z from 'zod'
import { defineEndpoints } from '../define-endpoints.ts'
import { limitOf } from '../fields.ts'
import { Id } from '../../domain/fields.ts'
import { passageKinds } from '../../domain/money/catalogue.ts'

export const SearchHit = z
  .object({
    job_id: Id,
    content_id: Id.nullable(),
    content_name: z.string(),
    kind: z.enum([...passageKinds, 'name']),
    start_frame: z.int().meta({ description: 'Of a document’s text, the page, from 0.' }),
    end_frame: z.int(),
    start: z.number(),
    timecode: z.string(),
    text: z.string(),
    highlights: z.array(z.tuple([z.int(), z.int()])).meta({
      description: 'Character ranges of `text` that match.',
    }),
    passage_start_frame: z
      .int()
      .optional()
      .meta({ description: 'Where the sentence or finding begins that holds the hit.' }),
    passage_timecodes: z
      .object({ in: z.string(), out: z.string(), length: z.string(), seconds: z.number() })
      .optional()
      .meta({
        description: 'From where that begins to the end of the hit, in a moment of a clip.',
      }),
    still_url: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'A signed address of a still of it, that an <img> can open.' }),
  })
  .meta({ id: 'SearchHit' })
export type SearchHit = z.infer<typeof SearchHit>

export const searchEndpoints = defineEndpoints('Jobs', 'key', {
  search: {
    method: 'GET',
    path: '/search',
    summary: 'Search transcripts and findings of the whole library',
    scope: 'search',
    query: z.strictObject({
      q: z.string().trim().min(1).max(200),
      limit: limitOf(20),
      content_id: Id.optional(),
      project_id: Id.optional(),
    }),
    reply: z.object({
      hits: z.array(SearchHit),
      total: z.int(),
      more: z.boolean().optional().meta({
        description:
          'Whether more passages match than the 500 newest, which are counted and ranked.',
      }),
    }),
  },
})
