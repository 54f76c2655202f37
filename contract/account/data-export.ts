/** "Download my data": an archive that a task makes, and the link to it that an e-mail brings. */
import * as z from 'zod'
import { defineEndpoints } from '../define-endpoints.ts'
import { Timestamp } from '../fields.ts'
import { Id } from '../../domain/fields.ts'

const DataExport = z
  .object({
    id: Id,
    status: z.enum(['queued', 'ready', 'expired', 'failed']).meta({
      description: 'Failed: it could not be made; ask again.',
    }),
    created_at: Timestamp,
    expires_at: Timestamp.nullable(),
    url: z.string().nullable().meta({ description: 'For whoever has it, until it expires.' }),
  })
  .meta({ id: 'DataExport' })

export const dataExportEndpoints = defineEndpoints('Accounts', 'session', {
  requestDataExport: {
    method: 'POST',
    path: '/user/data-export',
    summary: 'Request a copy of the account’s data',
    description:
      'A zip of JSON and CSV and the list of originals, made in the background. Its link comes by e-mail and lives for a day. While one is being made, or was made within the last hour, that one is answered.',
    reply: z.object({ data_export: DataExport }),
    status: 202,
  },
  getDataExport: {
    method: 'GET',
    path: '/user/data-export',
    summary: 'The last archive that was asked for',
    reply: z.object({ data_export: DataExport.nullable() }),
  },
  downloadDataExport: {
    method: 'GET',
    path: '/user/data-exports/{id}/file',
    summary: 'Download the archive',
    description: 'The link of the e-mail; its token is the right to read this one file.',
    auth: 'anyone',
    query: z.strictObject({ token: z.string().min(1).max(300) }),
    rawReply: { contentType: 'application/zip', description: 'The archive.' },
  },
})
