import * as z from 'zod'
import { defineEndpoints } from '../define-endpoints.ts'
import { Cursor, limitOf, NextCursor, Timestamp } from '../fields.ts'
import { Id } from '../../domain/fields.ts'

export const AuditEntry = z
  .object({
    id: z.string(),
    action: z.string().meta({ description: 'The name of the call.', example: 'createApiKey' }),
    summary: z.string().meta({ description: 'The call in words.', example: 'Create a key' }),
    object_id: z.string().nullable().meta({
      description: 'The created, changed or deleted object; several ids with commas between.',
    }),
    actor: z.object({
      kind: z.enum(['session', 'key']),
      id: Id,
      name: z.string().nullable().meta({ description: 'Of a key that still exists.' }),
    }),
    mode: z.enum(['live', 'test']).meta({ description: 'Whether a test key was used.' }),
    address: z.string(),
    at: Timestamp,
    is_done: z.boolean().meta({
      description:
        'False: the call is under way, or it was interrupted and may have changed something.',
    }),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof AuditEntry>

export const auditEndpoints = defineEndpoints('Accounts', 'session', {
  listAudit: {
    method: 'GET',
    path: '/user/audit',
    summary: 'Who changed what, newest first',
    description:
      'Every call that changed something: by whom, from where and when. Kept for a year.',
    query: z.strictObject({ limit: limitOf(50), cursor: Cursor }),
    reply: z.object({ entries: z.array(AuditEntry), next_cursor: NextCursor }),
  },
})
