import * as z from 'zod'
import { defineEndpoints } from './endpoint.ts'
import { Cursor, Done, Id, idParams, limitOf, NextCursor, Timestamp } from './fields.ts'
import { Media } from './findings.ts'

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
      .meta({ description: 'What a look at the file or the address told.' }),
    thumbnail_url: z
      .string()
      .nullable()
      .meta({ description: 'A signed address that an <img> can open.' }),
  })
  .meta({ id: 'ContentItem' })
export type ContentItem = z.infer<typeof ContentItem>

const ContentReply = z.object({ content: ContentItem })

export const contentEndpoints = defineEndpoints({
  listContent: {
    method: 'GET',
    path: '/content',
    tag: 'Content',
    summary: 'The library, newest first',
    auth: 'key',
    query: z.strictObject({ limit: limitOf(50), cursor: Cursor }),
    reply: z.object({ content: z.array(ContentItem), next_cursor: NextCursor }),
  },
  getContent: {
    method: 'GET',
    path: '/content/{id}',
    tag: 'Content',
    summary: 'One item of the library',
    auth: 'key',
    params: idParams,
    reply: ContentReply,
    refusals: ['not_found'],
  },
  uploadContent: {
    method: 'POST',
    path: '/content/upload',
    tag: 'Content',
    summary: 'Upload a file',
    description: 'Multipart with one field `file`. Streams to storage; probed at once, free.',
    auth: 'key',
    rawBody: {
      contentType: 'multipart/form-data',
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
      },
    },
    reply: ContentReply,
    status: 201,
    refusals: [
      'malformed',
      'duplicate',
      'too_large',
      'unsupported_type',
      'invalid',
      'too_long',
      'storage_full',
    ],
  },
  addReference: {
    method: 'POST',
    path: '/content/reference',
    tag: 'Content',
    summary: 'Add a URL to the library',
    auth: 'key',
    body: z.strictObject({
      url: z.string().trim().min(1, 'Please enter a URL').max(2000),
      name: z.string().trim().min(1).max(255).optional(),
    }),
    reply: ContentReply,
    status: 201,
    creates: true,
    refusals: ['duplicate', 'invalid', 'unsupported_source'],
    example: { body: { url: 'https://media.example.com/interview.mov', name: 'Interview A-cam' } },
  },
  deleteContent: {
    method: 'DELETE',
    path: '/content/{id}',
    tag: 'Content',
    summary: 'Delete an item',
    auth: 'key',
    params: idParams,
    reply: Done,
    refusals: ['not_found'],
  },
  createDownloadTicket: {
    method: 'POST',
    path: '/content/{id}/download-ticket',
    tag: 'Content',
    summary: 'An address for one download, valid for 60 seconds',
    auth: 'key',
    params: idParams,
    reply: z.object({ url: z.string(), expires_at: Timestamp }),
    status: 201,
    refusals: ['not_found'],
  },
  downloadContent: {
    method: 'GET',
    path: '/content/{id}/download',
    tag: 'Content',
    summary: 'The uploaded file',
    description: 'Uploads only. Byte ranges are honoured.',
    auth: 'ticket',
    ticket: 'download',
    params: idParams,
    query: z.strictObject({ ticket: z.string().max(500).optional() }),
    rawReply: { contentType: 'application/octet-stream', description: 'The bytes of the file.' },
    refusals: ['not_found', 'range_not_satisfiable'],
  },
  getContentThumbnail: {
    method: 'GET',
    path: '/content/{id}/thumbnail',
    tag: 'Content',
    summary: 'A still of the item',
    auth: 'ticket',
    ticket: 'thumbnail',
    params: idParams,
    query: z.strictObject({ ticket: z.string().max(500).optional() }),
    rawReply: { contentType: 'image/jpeg', description: 'A JPEG picture.' },
    refusals: ['not_found'],
  },
  createResumableUpload: {
    method: 'POST',
    path: '/content/resumable',
    tag: 'Content',
    summary: 'Start a resumable upload (tus 1.0)',
    auth: 'key',
    rawBody: { contentType: 'application/offset+octet-stream' },
    rawReply: { contentType: 'text/plain', description: 'The upload’s address in `Location`.' },
    status: 201,
    refusals: ['malformed', 'too_large', 'duplicate', 'unsupported_type'],
  },
  continueResumableUpload: {
    method: 'PATCH',
    path: '/content/resumable/{id}',
    tag: 'Content',
    summary: 'Send the next bytes of a resumable upload',
    auth: 'key',
    params: z.object({ id: z.string().max(100) }),
    rawBody: { contentType: 'application/offset+octet-stream' },
    rawReply: { contentType: 'text/plain', description: 'The offset reached, in `Upload-Offset`.' },
    status: 204,
    refusals: [
      'not_found',
      'gone',
      'conflict',
      'duplicate',
      'too_large',
      'too_long',
      'unsupported_type',
    ],
  },
  getResumableUpload: {
    method: 'HEAD',
    path: '/content/resumable/{id}',
    tag: 'Content',
    summary: 'How far a resumable upload has come',
    auth: 'key',
    params: z.object({ id: z.string().max(100) }),
    rawReply: { contentType: 'text/plain', description: 'The offset reached, in `Upload-Offset`.' },
    refusals: ['not_found', 'gone'],
  },
  cancelResumableUpload: {
    method: 'DELETE',
    path: '/content/resumable/{id}',
    tag: 'Content',
    summary: 'Give up a resumable upload',
    auth: 'key',
    params: z.object({ id: z.string().max(100) }),
    rawReply: { contentType: 'text/plain', description: 'Nothing.' },
    status: 204,
    refusals: ['not_found', 'gone'],
  },
})
