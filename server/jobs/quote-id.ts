/**
 * The id of a quote is the promise itself, signed: this account, this request, at most so much,
 * until then. Nothing is stored, and every process honours it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { optionsOf } from '../../domain/job-options.ts'
import type { JobOptions } from '../../domain/job-options.ts'
import type { Context } from '../ground/context.ts'
import { Refusal } from '../ground/refusal.ts'
import { signingKey } from '../ground/signing-key.ts'

/** The request: of a job its content and extractors, of a sync its items. */
interface JobRequest extends JobOptions {
  content_id?: string | undefined
  content_url?: string | undefined
  content_ids?: readonly string[] | undefined
  workflow: string
}

interface Promised {
  accountId: string
  request: JobRequest
  maxMicros: number
  expiresAt: Date
}

export const quoteLifeMs = 15 * 60_000
const headBytes = 10
const signatureBytes = 16

export async function quoteIdOf(ctx: Context, promised: Promised): Promise<string> {
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(Math.floor(promised.expiresAt.getTime() / 1000), 0)
  head.writeUIntBE(promised.maxMicros, 4, 6)
  return Buffer.concat([head, await signatureOf(ctx, head, promised)]).toString('base64url')
}

/** The ceiling for a job of this request, in micro-dollars. */
export async function readQuoteId(
  ctx: Context,
  id: string,
  request: { accountId: string; request: JobRequest },
): Promise<number> {
  const bytes = Buffer.from(id, 'base64url')
  const head = bytes.subarray(0, headBytes)
  const signature = bytes.subarray(headBytes)
  const expected = await signatureOf(ctx, head, request)
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
    const message = 'This quote is for another request. Please ask for a quote of this one.'
    throw new Refusal('conflict', message, { field: 'quote_id' })
  }
  if (ctx.now().getTime() >= head.readUInt32BE(0) * 1000) throw staleQuote()
  return head.readUIntBE(4, 6)
}

export function staleQuote(): Refusal {
  const message = 'This quote has expired, or the price has changed. Please ask for a new quote.'
  return new Refusal('conflict', message, { field: 'quote_id' })
}

async function signatureOf(
  ctx: Context,
  head: Buffer,
  { accountId, request }: { accountId: string; request: JobRequest },
): Promise<Buffer> {
  const { content_id: contentId, content_url: url, workflow } = request
  const about = [contentId ?? null, url ?? null, workflow, optionsOf(request)]
  const items = request.content_ids ?? []
  const statement = JSON.stringify([accountId, head.toString('hex'), ...about, ...items])
  const key = await signingKey(ctx, 'quote')
  return createHmac('sha256', key).update(statement).digest().subarray(0, signatureBytes)
}
