import * as z from 'zod'
import { extractorIds } from '../../domain/money/catalogue.ts'
import { Timestamp, Usd } from '../fields.ts'
import { Media } from '../../domain/findings/findings.ts'

export const QuoteId = z.string().regex(/^[\w-]{35}$/, 'Not the id of a quote')

export const Quote = z
  .object({
    id: QuoteId.meta({
      description:
        'Give it to `POST /jobs` with the same request: the job never costs more than this quote.',
    }),
    expires_at: Timestamp,
    lines: z.array(
      z.object({
        extractor: z.enum(extractorIds),
        usd_per_second: Usd,
        seconds: z.int(),
        usd: Usd,
        reused: z.boolean().meta({ description: 'A stored result answers, at no cost.' }),
        applies: z.boolean().meta({ description: 'False: it will be skipped, at no cost.' }),
        skip_reason: z.string().nullable().meta({ description: 'Why it will be skipped.' }),
      }),
    ),
    seconds: z.int().meta({ description: 'Seconds that are counted, at most.' }),
    media_seconds: z.int().meta({
      description:
        'Length of what is analysed. Above 2 gigapixels a second (8K at 60 fps) a second counts ' +
        'proportionally more, and `seconds` is larger than this.',
    }),
    total_usd: Usd,
    available_usd: Usd,
    sufficient: z.boolean(),
    price_version: z.string(),
    media: Media.nullable(),
  })
  .meta({ id: 'Quote' })
export type Quote = z.infer<typeof Quote>
