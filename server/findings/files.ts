/** Pictures, proxy and waveform of a job, for a screen that opens addresses by itself. */
import { extname } from 'node:path'
import { fileMediaTypes } from '../../contract/media-types.ts'
import { sendObject } from '../content/send-object.ts'
import { issueTicket } from '../ground/ticket.ts'
import type { Verb } from '../ground/verb.ts'
import { notFound } from '../ground/refusal.ts'
import { readJob } from '../jobs/read.ts'
import { noteFindings } from '../jobs/reads.ts'

/** How long somebody may stay on one result without reloading the page. */
const ticketSeconds = 4 * 3600

export const createFileTicket: Verb<'createFileTicket'> = async (ctx, actor, input) => {
  const { id } = input.params
  const { accountId } = actor
  await readJob(ctx.db, { id, accountId })
  const { ticket, expiresAt } = await issueTicket(ctx, actor, {
    scope: 'job-files',
    objectId: id,
    lifeSeconds: ticketSeconds,
  })
  return { ticket, expires_at: expiresAt.toISOString() }
}

export const getJobFile: Verb<'getJobFile'> = async (ctx, actor, input, exchange) => {
  const file = await ctx.db
    .selectFrom('jobs as j')
    .innerJoin('job_extractors as e', 'e.job_id', 'j.id')
    .innerJoin('job_result_files as f', 'f.result_id', 'e.result_id')
    .select(['f.storage_key', 'f.bytes', 'e.extractor', 'j.finished_at'])
    .where('j.id', '=', input.params.id)
    .where('j.account_id', '=', actor.accountId)
    .where('f.name', '=', input.params.name)
    .executeTakeFirst()
  if (!file) throw notFound('The file')
  if (file.finished_at === null && !(await noteFindings(ctx, input.params.id, [file.extractor]))) {
    throw notFound('The file')
  }
  await sendObject(ctx, exchange, {
    key: file.storage_key,
    sizeBytes: file.bytes,
    // A result's files never change, so the key names the bytes.
    etag: file.storage_key,
    headers: {
      'content-type': fileMediaTypes[extname(input.params.name)] ?? 'application/octet-stream',
      'content-disposition': 'inline',
      'cache-control': 'private, max-age=86400, immutable',
      'cross-origin-resource-policy': 'same-site',
    },
  })
}
