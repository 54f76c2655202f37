/**
 * One file into the library. A small file is one request with an Idempotency-Key. A large one goes
 * in pieces (tus 1.0): after a lost connection the service is asked how far it has come, and the
 * upload goes on from there, in this process or in the next one that knows its address.
 */
import { CallError } from '../contract/endpoint.ts'
import type { ContentItem } from '../contract/footage/content.ts'
import { uniqueId } from '../domain/unique-id.ts'
import { errorOf, readJson } from './create-client.ts'
import { pause, pauseBefore } from './retry.ts'
import type { BytesRequest, SendBytes } from './send-bytes.ts'
import { sourceOf } from './source.ts'
import type { Uploadable, UploadSource } from './source.ts'

export interface UploadOptions {
  /** Aborting gives up what has arrived, unless the reason is `leaving`. */
  signal?: AbortSignal
  /** Bytes that have left, of how many. Browsers report them as they go, others piece by piece. */
  onProgress?: (sentBytes: number, totalBytes: number) => void
  /** The connection is lost and the upload waits to go on, or it goes on again. */
  onWaiting?: (isWaiting: boolean) => void
  /** The project that it is added to. */
  projectId?: string
  /** A bin of that project. */
  binId?: string
  /** Within a day the same key makes no second item; a random one is used where none is given. */
  idempotencyKey?: string
  /** Bytes per request, also of a file that is sent whole; 8 MiB by default. */
  pieceBytes?: number
  /** The address of an upload that broke off; it goes on where it was. */
  resumeFrom?: string
  /** A resumable upload has begun; keep the address to go on after a restart. */
  onStarted?: (address: string) => void
}

/** The requests by which an upload reaches the service. */
export interface UploadDoor<Item> {
  base: string
  token: string
  fetch: typeof fetch
  /** As fetch, but may report progress. */
  sendBytes: SendBytes
  maxRetries: number
  /** For a request without a body; one with bytes gets longer, for slow connections. */
  timeoutMs: number
  getContent: (id: string) => Promise<Item>
}

/** The reason of an abort that is no cancel: what has arrived stays, to be resumed. */
export const leaving = 'leaving'

const defaultPieceBytes = 8 * 1024 ** 2
const maxGiveUpMs = 1000
/** A line slower than this is as good as none. */
const minBytesPerMs = 8
/** A longer timer fires at once. */
const maxTimerMs = 2 ** 31 - 1
/** The service joins the pieces of the largest file in less. */
const maxJoinMs = 15 * 60_000

/** Gives the item of the library, also where the same bytes were there before. */
export async function uploadFile(
  door: UploadDoor<ContentItem>,
  file: Uploadable,
  options: UploadOptions,
): Promise<ContentItem> {
  try {
    return await sendFile(door, file, options)
  } catch (error) {
    const known = error instanceof CallError ? error.body.content_id : undefined
    if (!(error instanceof CallError) || error.code !== 'duplicate' || !known) throw error
    return door.getContent(known)
  }
}

/** Gives the new item of the library; refused as a duplicate where the same bytes are there. */
export function sendFile<Item>(
  door: UploadDoor<Item>,
  file: Uploadable,
  options: UploadOptions,
): Promise<Item> {
  const source = sourceOf(file)
  const isSmall = source.size <= (options.pieceBytes ?? defaultPieceBytes)
  return isSmall && !options.resumeFrom
    ? sendForm(door, source, options)
    : sendPieces(door, source, options)
}

async function sendForm<Item>(
  door: UploadDoor<Item>,
  source: UploadSource,
  options: UploadOptions,
): Promise<Item> {
  const { onProgress, projectId, binId, idempotencyKey = uniqueId() } = options
  const place = { ...(projectId && { project_id: projectId }), ...(binId && { bin_id: binId }) }
  const query = projectId ? `?${new URLSearchParams(place)}` : ''
  const { size, type = '', name } = source
  const bytes = await source.read(0, size)
  onProgress?.(0, size)
  const text = await persist(door, options, async () => {
    const form = new FormData()
    form.set('file', new Blob([bytes], { type }), name)
    const answer = await send(door, `${door.base}/v1/content/upload${query}`, {
      method: 'POST',
      headers: { 'idempotency-key': idempotencyKey },
      body: form,
      signal: options.signal,
      // The form is a little longer than the file in it.
      onSent: (sent) => onProgress?.(Math.min(sent, size), size),
    })
    return answer.text().catch(lost(options.signal))
  })
  onProgress?.(size, size)
  return (readJson(text) as { content: Item } | null)?.content as Item
}

async function sendPieces<Item>(
  door: UploadDoor<Item>,
  source: UploadSource,
  options: UploadOptions,
): Promise<Item> {
  const { signal, onProgress, resumeFrom, pieceBytes = defaultPieceBytes } = options
  const resumed = resumeFrom
    ? await persist(door, options, () => askOffset(door, resumeFrom, signal))
    : null
  const address = resumed && resumeFrom ? resumeFrom : await begin(door, source, options)
  let reached: Reached = resumed ?? { offset: 0, contentId: null }
  try {
    while (reached.contentId === null) {
      const { offset } = reached
      onProgress?.(offset, source.size)
      const piece = await source.read(offset, Math.min(source.size, offset + pieceBytes))
      const onSent = (sent: number) => onProgress?.(offset + sent, source.size)
      reached = await sendPiece(door, { address, offset, piece, onSent }, options)
    }
  } catch (error) {
    // An upload that was canceled is given up on the server too; one that was lost can be resumed.
    // A cancel does not wait for a connection that may be gone.
    if (signal?.aborted && signal.reason !== leaving) {
      await Promise.race([giveUp(door, address), pause(maxGiveUpMs)])
    }
    throw error
  }
  onProgress?.(source.size, source.size)
  return door.getContent(reached.contentId)
}

async function begin(
  door: UploadDoor<unknown>,
  source: UploadSource,
  options: UploadOptions,
): Promise<string> {
  const metadata = [`filename ${base64(source.name)}`]
  if (source.type) metadata.push(`filetype ${base64(source.type)}`)
  if (options.projectId) metadata.push(`project_id ${base64(options.projectId)}`)
  if (options.binId) metadata.push(`bin_id ${base64(options.binId)}`)
  const answer = await persist(door, options, () =>
    request(door, `${door.base}/v1/content/resumable`, {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': String(source.size),
        'upload-metadata': metadata.join(','),
      },
      signal: options.signal,
    }),
  )
  const address = new URL(answer.headers.get('location') ?? '', door.base).href
  options.onStarted?.(address)
  return address
}

interface Reached {
  offset: number
  contentId: string | null
}

async function sendPiece(
  door: UploadDoor<unknown>,
  part: {
    address: string
    offset: number
    piece: Uint8Array<ArrayBuffer> | Blob
    onSent: (bytes: number) => void
  },
  options: UploadOptions,
): Promise<Reached> {
  const { signal } = options
  let isFirst = true
  return persist(door, options, async () => {
    // Whatever happened to the attempt before, the service knows how much of it arrived.
    if (!isFirst) {
      const reached = await askOffset(door, part.address, signal)
      options.onWaiting?.(false)
      if (reached && (reached.offset > part.offset || reached.contentId)) return reached
    }
    isFirst = false
    const answer = await send(door, part.address, {
      method: 'PATCH',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-offset': String(part.offset),
        'content-type': 'application/offset+octet-stream',
      },
      body: part.piece,
      signal,
      onSent: part.onSent,
    })
    return reachedIn(answer)
  })
}

/** Asks for the offset of an upload; null if the service no longer knows it. */
async function askOffset(
  door: UploadDoor<unknown>,
  address: string,
  signal: AbortSignal | undefined,
): Promise<Reached | null> {
  try {
    const headers = { 'tus-resumable': '1.0.0' }
    return reachedIn(await request(door, address, { method: 'HEAD', headers, signal }))
  } catch (error) {
    if (error instanceof CallError && [404, 410].includes(error.status)) return null
    throw error
  }
}

function reachedIn(answer: Response): Reached {
  return {
    offset: Number(answer.headers.get('upload-offset')),
    contentId: answer.headers.get('content-location')?.split('/').at(-1) ?? null,
  }
}

async function giveUp(door: UploadDoor<unknown>, address: string): Promise<void> {
  const headers = { 'tus-resumable': '1.0.0' }
  await request(door, address, { method: 'DELETE', headers }).catch(() => undefined)
}

/** Sends again after what passes: a lost connection, a busy service, a file still being joined. */
async function persist<Answer>(
  door: UploadDoor<unknown>,
  { signal, onWaiting }: UploadOptions,
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  const joinedByMs = Date.now() + maxJoinMs
  for (let retries = 0; ;) {
    try {
      const answer = await attempt()
      if (retries > 0) onWaiting?.(false)
      return answer
    } catch (error) {
      // 423: the service is joining the pieces. 409: it still holds a connection that we lost.
      const isJoining = error instanceof CallError && error.status === 423
      const isBusy = isJoining || (error instanceof CallError && error.code === 'conflict')
      const pauseMs = isBusy ? busyMs(error) : pauseBefore(error, { retries, isSafe: true })
      const isSpent = isJoining ? Date.now() > joinedByMs : retries >= door.maxRetries
      if (pauseMs === null || isSpent || signal?.aborted) throw error
      if (!isJoining) retries += 1
      onWaiting?.(true)
      await pause(pauseMs, signal)
    }
  }
}

function busyMs({ retryAfterSeconds = 1 }: CallError): number {
  return Math.max(1, retryAfterSeconds) * 1000
}

function request(
  door: UploadDoor<unknown>,
  address: string,
  init: RequestInit & { headers: Record<string, string> },
): Promise<Response> {
  const { signal } = init
  const call = { ...init, headers: signed(door, init), signal: within(door.timeoutMs, signal) }
  return answered(door.fetch(address, call), signal)
}

function send(door: UploadDoor<unknown>, address: string, init: BytesRequest): Promise<Response> {
  const { body, signal } = init
  const limitMs = door.timeoutMs + bytesOf(body) / minBytesPerMs
  const call = { ...init, headers: signed(door, init), signal: within(limitMs, signal) }
  return answered(door.sendBytes(address, call), signal)
}

function bytesOf(body: BytesRequest['body']): number {
  if (body instanceof Blob) return body.size
  if (body instanceof Uint8Array) return body.byteLength
  const file = body.get('file')
  return file instanceof Blob ? file.size : 0
}

/** Combines the caller's signal with a timeout. */
function within(ms: number, signal: AbortSignal | null | undefined): AbortSignal {
  const limit = AbortSignal.timeout(Math.ceil(Math.min(ms, maxTimerMs)))
  return signal ? AbortSignal.any([signal, limit]) : limit
}

function signed(door: UploadDoor<unknown>, { headers }: { headers: Record<string, string> }) {
  return { ...headers, authorization: `Bearer ${door.token}` }
}

async function answered(
  call: Promise<Response>,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  const answer = await call.catch(lost(signal))
  if (answer.ok) return answer
  throw errorOf(answer, readJson(await answer.text().catch(() => '')))
}

/** The error where no answer came: the abort as it is, anything else as a lost connection. */
function lost(signal: AbortSignal | null | undefined): (cause: unknown) => never {
  return (cause) => {
    if (signal?.aborted) throw cause
    throw new CallError(0, { message: 'Network error. Please check your connection.' })
  }
}

function base64(text: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCodePoint(byte)
  return btoa(binary)
}
