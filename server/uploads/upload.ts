/** `POST /content/upload`: multipart, one file in the field `file`, streamed and never held. */
import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { requirePlace } from '../projects/place.ts'
import type { Verb } from '../ground/verb.ts'
import { cleanFileName } from '../content/file-name.ts'
import { boundaryOf, broken, readFilePart } from './multipart.ts'
import { receiveFile, refuseFullDisk, tooLarge } from './receive.ts'
import { reserveRoom } from './reserve-room.ts'
import type { ReservedRoom } from './reserve-room.ts'
import { storeUpload } from './store-upload.ts'
import { uploadsOf } from './state.ts'

/** Bytes that the form adds to the file: boundaries, headers, a few small fields. */
const formBytes = 64 * 1024
/** How long a refused client may go on sending before the connection is closed. */
const drainMs = 5000

export const uploadContent: Verb<'uploadContent'> = async (
  ctx,
  actor,
  { query },
  { request, once },
) => {
  const { maxUploadBytes } = ctx.config.limits
  const reserveBytes = ctx.config.diskReserveBytes
  const chunks = chunksOf(request.raw, () =>
    uploadsOf(ctx).chunks.run(actor.accountId, () => setImmediate()),
  )
  let room: ReservedRoom | null = null
  const place = { project_id: query.project_id ?? null, bin_id: query.bin_id ?? null }
  try {
    await ctx.db.transaction().execute((trx) => requirePlace(trx, actor.accountId, place))
    const delimiter = boundaryOf(request.headers['content-type'] ?? '')
    const length = request.headers['content-length']
    const minBytes = Number(length ?? 0) - formBytes
    if (minBytes > maxUploadBytes) throw tooLarge(maxUploadBytes)
    await refuseFullDisk(ctx, Math.max(0, minBytes))
    const maxBytes = length === undefined ? null : Number(length)
    const reserved = await reserveRoom(ctx, actor.accountId, { minBytes, maxBytes })
    room = reserved
    const content = await readFilePart(chunks, { delimiter, field: 'file' }, (part) =>
      storeUpload(
        ctx,
        {
          actor,
          fileName: cleanFileName(part.fileName, 'untitled'),
          mimeType: cleanMimeType(part.mimeType),
          place,
          room: reserved,
        },
        (path) =>
          receiveFile(reserved.fill(part.body), path, { maxBytes: maxUploadBytes, reserveBytes }),
        once,
      ),
    )
    return { content }
  } finally {
    await chunks.return(undefined)
    drain(request.raw)
    await room?.release()
  }
}

/**
 * The request's bytes, each chunk in its turn: fifty uploads at once would fill every round of the
 * event loop with fifty chunks, and all other requests would wait several rounds. Whoever stops
 * reading leaves the connection open, for the answer.
 */
async function* chunksOf(
  request: IncomingMessage,
  turn: () => Promise<void>,
): AsyncGenerator<Buffer, undefined> {
  try {
    const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
    for await (const chunk of chunks) {
      await turn()
      yield chunk
    }
    return undefined
  } catch {
    throw broken()
  }
}

/** Drains the rest of a body: a browser reads the answer after sending. */
function drain(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  request.resume()
  const timer = setTimeout(() => request.destroy(), drainMs)
  request.once('close', () => clearTimeout(timer))
}

function cleanMimeType(text: string): string | null {
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(text) ? text.toLowerCase() : null
}
