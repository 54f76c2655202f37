/** Uploads in pieces that go on after a lost connection (tus 1.0). */
import * as z from 'zod'
import { defineEndpoints } from '../define-endpoints.ts'

const nextBytes = {
  contentType: 'application/offset+octet-stream',
  schema: { type: 'string', format: 'binary' },
  mayBeEmpty: true,
  isUpload: true,
} as const

export const resumableEndpoints = defineEndpoints('Content', 'key', {
  createResumableUpload: {
    method: 'POST',
    path: '/content/resumable',
    summary: 'Start a resumable upload (tus 1.0)',
    description: '`Upload-Metadata` takes `filename`, `filetype`, `project_id` and `bin_id`.',
    scope: 'content:write',
    headers: {
      'Tus-Resumable': '`1.0.0`',
      'Upload-Length': 'The size of the file in bytes.',
      'Upload-Metadata': 'Names with their values in base64, joined by commas.',
    },
    rawBody: nextBytes,
    rawReply: { contentType: 'text/plain', description: 'The upload’s address in `Location`.' },
    status: 201,
    refusals: [
      'malformed',
      'not_found',
      'too_large',
      'duplicate',
      'limit_reached',
      'unsupported_type',
      'precondition_failed',
      'storage_full',
    ],
  },
  continueResumableUpload: {
    method: 'PATCH',
    path: '/content/resumable/{id}',
    summary: 'Send the next bytes of a resumable upload',
    description:
      'After the last byte `Content-Location` names the item. Where it is missing, the item is still being made: send an empty PATCH at the end to ask again. 423 with `Retry-After`: another request holds the upload.',
    scope: 'content:write',
    changesNothing: true,
    params: z.object({ id: z.string().max(100) }),
    headers: {
      'Tus-Resumable': '`1.0.0`',
      'Upload-Offset': 'Where these bytes begin: the offset that was reached.',
    },
    rawBody: nextBytes,
    rawReply: { contentType: 'text/plain', description: 'The offset reached, in `Upload-Offset`.' },
    status: 204,
    refusals: [
      'malformed',
      'gone',
      'conflict',
      'duplicate',
      'too_large',
      'too_long',
      'unsupported_type',
      'precondition_failed',
      'locked',
      'storage_full',
    ],
  },
  getResumableUpload: {
    method: 'HEAD',
    path: '/content/resumable/{id}',
    summary: 'How far a resumable upload has come',
    description:
      '423 with `Retry-After`: its pieces are being joined, or another request holds it.',
    scope: 'content:write',
    params: z.object({ id: z.string().max(100) }),
    headers: { 'Tus-Resumable': '`1.0.0`' },
    rawReply: { contentType: 'text/plain', description: 'The offset reached, in `Upload-Offset`.' },
    refusals: ['gone', 'precondition_failed', 'locked', 'storage_full'],
  },
  cancelResumableUpload: {
    method: 'DELETE',
    path: '/content/resumable/{id}',
    summary: 'Give up a resumable upload',
    scope: 'content:write',
    params: z.object({ id: z.string().max(100) }),
    headers: { 'Tus-Resumable': '`1.0.0`' },
    rawReply: { contentType: 'text/plain', description: 'Nothing.' },
    status: 204,
    refusals: ['gone', 'precondition_failed', 'locked'],
  },
})
