/** Sends a stored object, whole or the requested range; files of jobs too. */
import type { Readable } from 'node:stream'
import type { Context } from '../ground/context.ts'
import type { Exchange } from '../ground/verb.ts'
import { notFound, Refusal } from '../ground/refusal.ts'
import { storageFault } from '../storage/storage-fault.ts'
import { ObjectNotFound, StoreAway } from '../ground/storage.ts'
import type { ByteRange } from '../ground/storage.ts'

export interface SentObject {
  key: string
  sizeBytes: number
  /** Names the bytes, so that an interrupted download goes on only with the same ones. */
  etag: string
  headers: Record<string, string>
}

export async function sendObject(
  ctx: Context,
  { request, reply }: Exchange,
  object: SentObject,
): Promise<void> {
  const { sizeBytes } = object
  const etag = `"${object.etag}"`
  const isSame = (request.headers['if-range'] ?? etag) === etag
  const range = isSame ? readRange(request.headers.range, sizeBytes) : null
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${sizeBytes}`)
    throw new Refusal('range_not_satisfiable', 'The file has no such range of bytes.')
  }
  const body = await readObject(ctx, object.key, range ?? undefined)
  reply.headers({
    ...object.headers,
    // Whatever the bytes are, a browser that shows them runs nothing of them.
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    etag,
    'content-length': String(range ? range.last - range.first + 1 : sizeBytes),
    ...(range ? { 'content-range': `bytes ${range.first}-${range.last}/${sizeBytes}` } : {}),
  })
  await reply.status(range ? 206 : 200).send(body)
}

/** The bytes of an object, or a refusal that says whether it is gone or the store is away. */
export async function readObject(ctx: Context, key: string, range?: ByteRange): Promise<Readable> {
  return ctx.storage.read(key, range).catch((error: unknown) => {
    if (error instanceof ObjectNotFound) throw notFound('The file')
    if (error instanceof StoreAway) ctx.log.error({ err: error }, 'store away')
    throw storageFault(error)
  })
}

/** Null: send everything, as for a header that cannot be read or that names several ranges. */
export function readRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | null {
  const match = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? '')
  if (!match) return null
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return null
  if (from === '') {
    const count = Math.min(Number(to), sizeBytes)
    return count === 0 ? 'unsatisfiable' : { first: sizeBytes - count, last: sizeBytes - 1 }
  }
  const first = Number(from)
  if (to !== '' && Number(to) < first) return null
  const last = to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  return first >= sizeBytes ? 'unsatisfiable' : { first, last }
}
