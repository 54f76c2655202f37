/**
 * Sync by sound: 2 to 16 recordings of one scene on one clock.
 *
 * An item's sample at `t` seconds sounds at `offset + t · (1 + drift_ppm ÷ 1,000,000)` of its
 * group's reference, whose own offset is zero. Items that were placed by hand keep what the sound
 * said in `found_offset`; those that belong to no group have their best guess there.
 */
import * as z from 'zod'
import { syncLimits, syncPrice } from '../../domain/money/catalogue.ts'
import { SourcePictures } from './cuts.ts'
import { defineEndpoints } from '../define-endpoints.ts'
import { typesOfExports } from '../media-types.ts'
import { ExportOptions } from './export-options.ts'
import { Cursor, Done, limitOf, NextCursor, Timestamp, Usd } from '../fields.ts'
import { syncExportFormats } from '../../domain/export-formats.ts'
import { Id } from '../../domain/fields.ts'
import { Fraction, Media } from '../../domain/findings/findings.ts'
import { JobStatus, mediaRefusals } from './jobs.ts'
import { toUsd } from '../../domain/money/money.ts'
import { refusalCodes } from '../refusal.ts'

const seconds = Fraction.meta({ description: 'Exact seconds; may be negative.' })

export const SyncItem = z
  .object({
    content_id: Id,
    name: z.string(),
    offline: z.boolean().meta({ description: 'The clip was deleted since.' }),
    media: Media,
    group: z.int().nullable().meta({ description: 'Counted from 0; null: it is alone.' }),
    reference: z.boolean().meta({ description: 'The others of its group are placed by it.' }),
    method: z.enum(['sound', 'timecode', 'hand']).nullable(),
    offset: seconds.nullable().meta({
      description: 'Second of the reference at which it begins; null: not placed.',
    }),
    found_offset: seconds.nullable().meta({
      description:
        'As it was found, before it was moved by hand; of an item alone, the best guess.',
    }),
    drift_ppm: z.number().nullable().meta({
      description: 'How much slower its clock is; null where the overlap is too short to tell.',
    }),
    confidence: z.number().min(0).max(1).nullable(),
    next: z.number().min(0).max(1).nullable().meta({
      description: 'The next best place, as a part of the best.',
    }),
    curve: z.array(z.number()).meta({
      description: 'Correlation around the offset, 4 ms apart, the offset in the middle.',
    }),
    timecode_offset: seconds.nullable().meta({
      description: 'Where its start timecode would place it.',
    }),
    reason: z.string().nullable().meta({ description: 'Why it is alone.' }),
    seconds: z.int().meta({ description: 'Seconds that are charged for it.' }),
    waveform: z.string().meta({
      description:
        'Highest levels from 0 to 255 over its whole length, as base64. While a sync runs it is ' +
        'here as soon as the sound of the item was read.',
    }),
    pictures: SourcePictures,
    job_id: Id.nullable().meta({ description: 'The job whose review shows the clip.' }),
  })
  .meta({ id: 'SyncItem' })
export type SyncItem = z.infer<typeof SyncItem>

const Name = z.string().trim().min(1, 'Please enter a name').max(200)

const summary = {
  id: Id,
  name: z.string(),
  status: JobStatus,
  progress: z.number().min(0).max(1),
  error: z.object({ code: z.enum(refusalCodes), message: z.string() }).nullable(),
  held_usd: Usd,
  cost_usd: Usd,
  price_version: z.string(),
  created_at: Timestamp,
  started_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
}

export const SyncSummary = z
  .object({
    ...summary,
    item_count: z.int(),
    placed_count: z.int().meta({ description: 'Items that belong to a group.' }),
  })
  .meta({ id: 'SyncSummary' })
export type SyncSummary = z.infer<typeof SyncSummary>

export const Sync = z.object({ ...summary, items: z.array(SyncItem) }).meta({ id: 'Sync' })
export type Sync = z.infer<typeof Sync>

const ContentIds = z
  .array(Id)
  .min(syncLimits.minItems, `Choose at least ${syncLimits.minItems} items`)
  .max(syncLimits.maxItems, `Choose at most ${syncLimits.maxItems} items`)
  .refine((ids) => new Set(ids).size === ids.length, 'An item is named twice')

const QuoteId = z.string().regex(/^[\w-]{35}$/, 'Not the id of a quote')

export const SyncQuote = z
  .object({
    id: QuoteId.meta({ description: 'Give it to `POST /syncs` with the same items.' }),
    expires_at: Timestamp,
    lines: z.array(
      z.object({
        content_id: Id,
        name: z.string(),
        seconds: z.int(),
        usd: Usd,
        applies: z.boolean().meta({ description: 'False: it has no sound, and costs nothing.' }),
      }),
    ),
    usd_per_second: Usd,
    seconds: z.int(),
    total_usd: Usd,
    available_usd: Usd,
    sufficient: z.boolean(),
    price_version: z.string(),
  })
  .meta({ id: 'SyncQuote' })
export type SyncQuote = z.infer<typeof SyncQuote>

export const SyncExportOptions = ExportOptions.pick({
  title: true,
  full_reel: true,
  media_path: true,
  fcpxml_version: true,
}).extend({
  angle: Id.optional().meta({ description: 'For an EDL, which holds one angle: its clip.' }),
  group: z.coerce.number().int().min(0).max(15).default(0),
  correct_drift: z
    .string()
    .max(700)
    .regex(/^(none|[\da-f-]{36}(,[\da-f-]{36}){0,15})$/, 'Name ids of items, or none')
    .optional()
    .meta({
      description:
        'Comma-joined items whose clocks are corrected, or `none`. Where it is missing: those that ' +
        'drift by half a frame and more. XML and OTIO retime them; FCPXML and EDL cannot carry it.',
    }),
})
export type SyncExportOptions = z.output<typeof SyncExportOptions>

const exampleIds = ['3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34', '7a1d5e02-93b4-4c68-8f10-2b6e4d9c0a57']

const SyncReply = z.object({ sync: Sync })

export const syncEndpoints = defineEndpoints('Syncs', 'key', {
  quoteSync: {
    method: 'POST',
    path: '/syncs/quote',
    summary: 'What a sync would cost',
    description: `$${toUsd(syncPrice.microsPerSecond)} for each second of each item with sound. Free; nothing is stored.`,
    scope: 'jobs:read',
    changesNothing: true,
    body: z.strictObject({ content_ids: ContentIds }),
    reply: z.object({ quote: SyncQuote }),
    refusals: [...mediaRefusals],
    example: { body: { content_ids: exampleIds } },
  },
  createSync: {
    method: 'POST',
    path: '/syncs',
    summary: 'Sync recordings by their sound',
    description:
      'Finds which items were recorded together, their offsets and the drift of their clocks. ' +
      'Reserves the quoted credit and charges it only if the sync succeeds.',
    scope: 'jobs:write',
    body: z.strictObject({
      content_ids: ContentIds,
      name: Name.optional(),
      quote_id: QuoteId.optional().meta({
        description: 'Refuses (409) where the price is above the quote, or the quote has expired.',
      }),
    }),
    reply: SyncReply,
    status: 201,
    creates: true,
    refusals: ['conflict', 'insufficient_credit', 'spend_limit', ...mediaRefusals],
    example: { body: { content_ids: exampleIds } },
  },
  listSyncs: {
    method: 'GET',
    path: '/syncs',
    summary: 'Syncs, newest first',
    scope: 'jobs:read',
    query: z.strictObject({ limit: limitOf(20), cursor: Cursor }),
    reply: z.object({ syncs: z.array(SyncSummary), next_cursor: NextCursor }),
  },
  getSync: {
    method: 'GET',
    path: '/syncs/{id}',
    summary: 'One sync with its items',
    scope: 'jobs:read',
    reply: SyncReply,
  },
  updateSync: {
    method: 'PUT',
    path: '/syncs/{id}',
    summary: 'Rename a sync, or place its items by hand',
    description:
      'Each item that is named begins at the given second of its group’s reference; null puts it ' +
      'back to where the sound placed it. The others stay. Where no sound matched, the first item ' +
      'that is placed becomes the reference, at zero.',
    scope: 'jobs:write',
    body: z.strictObject({
      name: Name.optional(),
      items: z
        .array(
          z.strictObject({
            content_id: Id,
            offset: Fraction.nullable(),
            group: z.int().min(0).max(15).optional().meta({
              description: 'For an item that is alone: the group that it joins. Default 0.',
            }),
          }),
        )
        .max(syncLimits.maxItems)
        .optional(),
    }),
    reply: SyncReply,
    refusals: ['conflict'],
    example: { body: { items: [{ content_id: exampleIds[1], offset: '151/25' }] } },
  },
  cancelSync: {
    method: 'POST',
    path: '/syncs/{id}/cancel',
    summary: 'Cancel a sync',
    description: 'Nothing is charged.',
    scope: 'jobs:write',
    reply: SyncReply,
    refusals: ['conflict'],
  },
  deleteSync: {
    method: 'DELETE',
    path: '/syncs/{id}',
    summary: 'Delete an ended sync',
    scope: 'jobs:write',
    reply: Done,
    refusals: ['conflict'],
  },
  getSyncSound: {
    method: 'GET',
    path: '/syncs/{id}/sound',
    summary: 'A few seconds of an item’s sound',
    description:
      'One channel at 48 kHz whose first sample is at `start`; silence where the item has none.',
    scope: 'jobs:read',
    query: z.strictObject({
      content_id: Id,
      start: z.coerce.number().min(0).max(1_000_000).meta({
        description: 'Second of the item.',
        example: 0,
      }),
      seconds: z.coerce.number().min(0.01).max(syncLimits.maxSoundSeconds).meta({ example: 1 }),
    }),
    rawReply: { contentType: 'audio/wav', description: 'The sound.' },
    refusals: ['unsupported_source', 'no_audio', 'timeout'],
  },
  exportSync: {
    method: 'GET',
    path: '/syncs/{id}/export',
    summary: 'A group as a multicam clip or stacked tracks',
    description:
      'Items that belong to no group are left out; the header `X-Export-Notes` says which.',
    scope: 'jobs:read',
    query: z.strictObject({ format: z.enum(syncExportFormats), ...SyncExportOptions.shape }),
    rawReply: { contentType: typesOfExports(syncExportFormats), description: 'The file.' },
    refusals: ['conflict'],
  },
})
