import * as z from 'zod'
import { clipMarks } from '../../domain/clip-marks.ts'
import { extractorIds } from '../../domain/money/catalogue.ts'
import { defineEndpoints } from '../define-endpoints.ts'
import { exportFormats } from '../../domain/export-formats.ts'
import { Cursor, Done, limitOf, NextCursor, Timestamp } from '../fields.ts'
import { Id } from '../../domain/fields.ts'
import { Media } from '../../domain/findings/findings.ts'

const Rating = z
  .int()
  .min(clipMarks.reject)
  .max(clipMarks.best)
  .meta({ description: '-1: rejected, 0: not rated, 1 to 5.' })
const Keyword = z.string().trim().min(1).max(clipMarks.keywordLength)
const Keywords = z.array(Keyword).max(clipMarks.keywords)
const RatingLimit = z.coerce.number().int().min(clipMarks.reject).max(clipMarks.best)
const BinId = Id.nullable()
  .optional()
  .meta({ description: 'A bin of that project; null or missing: of none.' })

export const ContentItem = z
  .object({
    id: Id,
    file_name: z.string(),
    canonical_url: z.string(),
    content_type: z.enum(['upload', 'youtube', 'url']),
    file_size: z.int().nullable().meta({ description: 'Bytes.' }),
    created_at: Timestamp,
    last_used_at: Timestamp,
    media: Media.nullable(),
    mime_type: z.string().nullable(),
    check: z
      .object({
        state: z.enum(['ready', 'checking', 'unreachable', 'not_media', 'refused']),
        message: z.string().nullable(),
      })
      .meta({ description: 'Result of reading the file or the address.' }),
    project_id: Id.nullable(),
    bin_id: Id.nullable(),
    rating: Rating,
    keywords: Keywords,
    analysis: z
      .array(
        z.object({
          extractor: z.enum(extractorIds),
          state: z.enum(['running', 'done', 'skipped', 'failed']),
          progress: z.number().min(0).max(1),
          job_id: Id,
          message: z.string().nullable(),
          count: z.int().nullable().meta({
            description: 'Words, shots or people that were found; null for other extractors.',
          }),
        }),
      )
      .meta({ description: 'Extractors that were run on it; a missing one never was.' }),
    thumbnail_url: z
      .string()
      .nullable()
      .meta({ description: 'A signed address that an <img> can open.' }),
  })
  .meta({ id: 'ContentItem' })
export type ContentItem = z.infer<typeof ContentItem>
/** Where an item is: in a project or none, and there in a bin or none. */
export type Place = Pick<ContentItem, 'project_id' | 'bin_id'>

/** Which items a list shows, and in what order. */
export const ContentFilter = z.strictObject({
  q: z.string().max(200).optional().meta({ description: 'Part of the name.' }),
  project_id: z
    .union([Id, z.literal('none')])
    .optional()
    .meta({ description: 'In this project; `none`: in no project.' }),
  bin_id: z
    .union([Id, z.literal('none')])
    .optional()
    .meta({ description: 'In this bin; `none`: in no bin.' }),
  below: z
    .enum(['yes', 'no'])
    .optional()
    .meta({ description: 'With the bins in that bin (`yes`, unless it says `no`).' }),
  min_rating: RatingLimit.optional().meta({ description: 'From 0 on: without the rejected.' }),
  max_rating: RatingLimit.optional(),
  keyword: Keyword.optional(),
  type: z.enum(['upload', 'youtube', 'url']).optional(),
  kind: z.enum(['video', 'audio', 'image', 'document', 'other']).optional(),
  rate: z.string().max(20).optional().meta({ description: 'Frame rate.', example: '25' }),
  analysed: z.enum(['yes', 'no', 'running', 'failed']).optional(),
  speech: z.enum(['yes', 'no']).optional().meta({ description: 'Has a transcript with words.' }),
  added_from: Timestamp.optional(),
  added_to: Timestamp.optional(),
  sort: z.enum(['added', 'name', 'length', 'size', 'used']).optional(),
  order: z.enum(['asc', 'desc']).optional(),
})
export type ContentFilter = z.infer<typeof ContentFilter>

const ContentIds = z.array(Id).min(1, 'Please select at least one item').max(500)
const ContentReply = z.object({ content: ContentItem })

export const contentEndpoints = defineEndpoints('Content', 'key', {
  listContent: {
    method: 'GET',
    path: '/content',
    summary: 'The library, newest first',
    scope: 'content:read',
    query: z.strictObject({ limit: limitOf(1000, 1000), cursor: Cursor, ...ContentFilter.shape }),
    reply: z.object({
      content: z.array(ContentItem),
      next_cursor: NextCursor,
      total: z.int().meta({ description: 'Items that match, on all pages.' }),
    }),
  },
  listContentIds: {
    method: 'GET',
    path: '/content/ids',
    summary: 'Ids and lengths of all items that match, in order',
    description: 'For selecting everything; at most 10,000.',
    scope: 'content:read',
    query: ContentFilter,
    reply: z.object({
      items: z.array(z.object({ id: Id, seconds: z.number().nullable() })),
      total: z.int(),
    }),
  },
  updateContent: {
    method: 'PATCH',
    path: '/content/{id}',
    summary: 'Rename an item, move it, rate it or set its keywords',
    description:
      'Fields that are missing stay as they are. An item that changes its project leaves its bin.',
    scope: 'content:write',
    body: z.strictObject({
      file_name: z.string().trim().min(1, 'Please enter a name').max(255).optional(),
      project_id: Id.nullable().optional(),
      bin_id: BinId,
      rating: Rating.optional(),
      keywords: Keywords.optional(),
    }),
    reply: ContentReply,
    example: { body: { file_name: 'Interview A-cam.mov' } },
  },
  moveContent: {
    method: 'POST',
    path: '/content/move',
    summary: 'Move items to a project or a bin, or out of any',
    scope: 'content:write',
    body: z.strictObject({ content_ids: ContentIds, project_id: Id.nullable(), bin_id: BinId }),
    reply: z.object({
      moved: z.int(),
      previous: z
        .array(
          z.object({
            project_id: Id.nullable(),
            bin_id: Id.nullable(),
            content_ids: z.array(Id),
          }),
        )
        .meta({ description: 'Where the items were, so that the move can be undone.' }),
    }),
    refusals: ['not_found'],
    example: {
      body: { content_ids: ['3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34'], project_id: null },
    },
  },
  markContent: {
    method: 'POST',
    path: '/content/mark',
    summary: 'Rate items, and add or remove keywords',
    scope: 'content:write',
    body: z.strictObject({
      content_ids: ContentIds,
      rating: Rating.optional(),
      add_keywords: Keywords.optional(),
      remove_keywords: Keywords.optional(),
    }),
    reply: z.object({ marked: z.int() }),
    example: {
      body: { content_ids: ['3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34'], rating: 4 },
    },
  },
  listKeywords: {
    method: 'GET',
    path: '/content/keywords',
    summary: 'Keywords in use, the most used first; at most 500',
    scope: 'content:read',
    reply: z.object({ keywords: z.array(z.object({ keyword: z.string(), count: z.int() })) }),
  },
  exportManyContent: {
    method: 'POST',
    path: '/content/export',
    summary: 'One file for each item, as a zip',
    description:
      'Each item’s findings in one format. Items that cannot be exported are named, with the reason, in a text file inside.',
    scope: 'jobs:read',
    changesNothing: true,
    body: z.strictObject({ content_ids: ContentIds, format: z.enum(exportFormats) }),
    rawReply: { contentType: 'application/zip', description: 'The files.' },
    refusals: ['not_found', 'conflict'],
    example: {
      body: { content_ids: ['3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34'], format: 'fcpxml' },
    },
  },
  deleteManyContent: {
    method: 'POST',
    path: '/content/delete',
    summary: 'Delete several items',
    scope: 'content:write',
    body: z.strictObject({ content_ids: ContentIds }),
    reply: z.object({ deleted: z.int() }),
    example: { body: { content_ids: ['3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34'] } },
  },
  getContent: {
    method: 'GET',
    path: '/content/{id}',
    summary: 'One item of the library',
    scope: 'content:read',
    reply: ContentReply,
  },
  uploadContent: {
    method: 'POST',
    path: '/content/upload',
    summary: 'Upload a file',
    description: 'Multipart with one field `file`. Streams to storage; probed at once, free.',
    scope: 'content:write',
    creates: true,
    query: z.strictObject({
      project_id: Id.optional().meta({ description: 'The project that it is added to.' }),
      bin_id: Id.optional().meta({ description: 'A bin of that project.' }),
    }),
    rawBody: {
      contentType: 'multipart/form-data',
      isUpload: true,
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'string', format: 'binary' } },
      },
    },
    reply: ContentReply,
    status: 201,
    refusals: [
      'malformed',
      'not_found',
      'duplicate',
      'too_large',
      'unsupported_type',
      'too_long',
      'storage_full',
    ],
  },
  addSample: {
    method: 'POST',
    path: '/content/sample',
    summary: 'Put the sample clip into the library',
    description:
      'A drawn clip of 23 seconds to try everything with. Adding it again changes nothing.',
    scope: 'content:write',
    reply: ContentReply,
    status: 201,
    refusals: ['too_large', 'storage_full'],
  },
  addReference: {
    method: 'POST',
    path: '/content/reference',
    summary: 'Add a URL to the library',
    scope: 'content:write',
    body: z.strictObject({
      url: z.string().trim().min(1, 'Please enter a URL').max(2000),
      name: z.string().trim().min(1).max(255).optional(),
    }),
    reply: ContentReply,
    status: 201,
    creates: true,
    refusals: ['duplicate', 'limit_reached', 'unsupported_source'],
    example: { body: { url: 'https://media.example.com/interview.mov', name: 'Interview A-cam' } },
  },
  deleteContent: {
    method: 'DELETE',
    path: '/content/{id}',
    summary: 'Delete an item',
    scope: 'content:write',
    reply: Done,
  },
  createDownloadTicket: {
    method: 'POST',
    path: '/content/{id}/download-ticket',
    summary: 'An address for one download, valid for 60 seconds',
    scope: 'content:read',
    changesNothing: true,
    reply: z.object({ url: z.string(), expires_at: Timestamp }),
    status: 201,
  },
  downloadContent: {
    method: 'GET',
    path: '/content/{id}/download',
    summary: 'The uploaded file',
    description: 'Uploads only. Byte ranges are honoured.',
    auth: 'ticket',
    scope: 'content:read',
    ticket: 'download',
    query: z.strictObject({ ticket: z.string().max(500).optional() }),
    rawReply: { contentType: 'application/octet-stream', description: 'The bytes of the file.' },
    refusals: ['range_not_satisfiable'],
  },
  createPlayTicket: {
    method: 'POST',
    path: '/content/{id}/play-ticket',
    summary: 'An address that plays the uploaded file, valid for four hours',
    scope: 'content:read',
    changesNothing: true,
    reply: z.object({ url: z.string(), expires_at: Timestamp }),
    status: 201,
  },
  playContent: {
    method: 'GET',
    path: '/content/{id}/play',
    summary: 'The uploaded file, for a player',
    description: 'Video and sound only. Byte ranges are honoured.',
    auth: 'ticket',
    scope: 'content:read',
    ticket: 'play',
    query: z.strictObject({ ticket: z.string().max(500).optional() }),
    rawReply: {
      contentType: ['video/*', 'audio/*', 'application/octet-stream'],
      description: 'The bytes of the file.',
    },
    refusals: ['range_not_satisfiable'],
  },
  getContentThumbnail: {
    method: 'GET',
    path: '/content/{id}/thumbnail',
    summary: 'A still of the item',
    auth: 'ticket',
    scope: 'content:read',
    ticket: 'thumbnail',
    query: z.strictObject({ ticket: z.string().max(500).optional() }),
    rawReply: { contentType: 'image/jpeg', description: 'A JPEG picture.' },
  },
})
