/** `POST /content/upload`: multipart, one file in the field `file`, streamed and never held. */
import busboy from 'busboy'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { ContentItem } from '../../contract/content.ts'
import type { Context } from '../context.ts'
import type { Exchange } from '../http/verb.ts'
import { Refusal } from '../refusal.ts'
import { cleanFileName } from './file-name.ts'
import { receiveFile, tooLarge } from './receive.ts'
import { refuseBeyondQuota, storeUpload } from './store-upload.ts'

/** What the multipart form adds to the file: boundaries, headers, a few small fields. */
const formBytes = 64 * 1024
/** How long a refused client may go on sending before the line is cut. */
const drainMs = 5000

export async function uploadContent(
  ctx: Context,
  actor: { accountId: string },
  _input: object,
  { request }: Exchange,
): Promise<{ content: ContentItem }> {
  const { maxUploadBytes } = ctx.config.limits
  try {
    const expectedBytes = Number(request.headers['content-length'] ?? 0) - formBytes
    if (expectedBytes > maxUploadBytes) throw tooLarge(maxUploadBytes)
    await refuseBeyondQuota(ctx, ctx.db, actor.accountId, Math.max(0, expectedBytes))
    const content = await readFilePart(request.raw, (stream, part) =>
      storeUpload(
        ctx,
        {
          accountId: actor.accountId,
          fileName: cleanFileName(part.fileName, 'untitled'),
          mimeType: cleanMimeType(part.mimeType),
        },
        (path) => receiveFile(stream, path, { maxBytes: maxUploadBytes }),
      ),
    )
    return { content }
  } catch (error) {
    drain(request.raw)
    throw error
  }
}

interface Part {
  fileName: string | undefined
  mimeType: string
}

/** Runs `take` on the file while it arrives; ends when both the form and `take` have ended. */
async function readFilePart<T>(
  request: IncomingMessage,
  take: (stream: Readable, part: Part) => Promise<T>,
): Promise<T> {
  const form = openForm(request)
  const file: { taken: Promise<T> | null } = { taken: null }
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  form.on('file', (field, stream, info) => {
    // It may be cut before anybody reads it; the reader then finds it broken.
    stream.on('error', () => undefined)
    if (field !== 'file' || file.taken) {
      stream.resume()
      return
    }
    file.taken = take(stream, { fileName: info.filename, mimeType: info.mimeType })
    file.taken.catch(failed.reject)
  })
  form.on('error', () => failed.reject(broken()))
  request.on('error', () => failed.reject(broken()))
  request.on('close', () => {
    if (!request.complete) failed.reject(broken())
  })
  const closed = new Promise<void>((resolve) => {
    form.on('close', resolve)
  })
  request.pipe(form)
  try {
    await Promise.race([closed, failed.promise])
    if (!file.taken) {
      throw new Refusal('malformed', 'Please send the file in a form field named "file".')
    }
    return await file.taken
  } catch (error) {
    request.unpipe(form)
    form.destroy()
    // Cutting the form cuts the file's own stream; its clean-up is waited for before the answer.
    await Promise.allSettled([file.taken])
    throw error
  }
}

function openForm(request: IncomingMessage): busboy.Busboy {
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new Refusal('unsupported_type', 'Please send the file as multipart/form-data.')
  }
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      highWaterMark: 256 * 1024,
      fileHwm: 256 * 1024,
      limits: { files: 2, fields: 20, fieldSize: 16 * 1024, parts: 30, headerPairs: 50 },
    })
  } catch {
    throw new Refusal('malformed', 'The multipart form has no valid boundary.')
  }
}

function broken(): Refusal {
  return new Refusal('malformed', 'The upload ended before the file was complete.')
}

/** Lets the client finish reading our refusal, which a browser does only after it has sent. */
function drain(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  request.resume()
  const timer = setTimeout(() => request.destroy(), drainMs)
  request.once('close', () => clearTimeout(timer))
}

function cleanMimeType(text: string): string | null {
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(text) ? text.toLowerCase() : null
}
