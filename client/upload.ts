/**
 * One file into the library. A small file is one request with an Idempotency-Key. A large one goes
 * in pieces (tus 1.0): after a lost connection the service is asked how far it has come, and the
 * upload goes on from there, in this process or in the next one that knows its address.
 */
import { CallError } from '../contract/endpoint.ts'
import type { ContentItem } from '../contract/content.ts'
import { errorOf, readJson } from './create-client.ts'
import { pause, pauseBefore } from './retry.ts'
import { sourceOf } from './source.ts'
import type { Uploadable, UploadSource } from './source.ts'

export interface UploadOptions {
  signal?: AbortSignal
  /** Bytes that have arrived, of how many. */
  onProgress?: (sentBytes: number, totalBytes: number) => void
  /** The same key never makes a second item; a random one is used where none is given. */
  idempotencyKey?: string
  /** The address of an upload that broke off; it goes on where it was. */
  resumeFrom?: string
  /** A resumable upload has begun; keep the address to go on after a restart. */
  onStarted?: (address: string) => void
}

/** How an upload reaches the service. */
export interface UploadDoor {
  base: string
  token: string
  fetch: typeof fetch
  maxRetries: number
  getContent: (id: string) => Promise<ContentItem>
}

const pieceBytes = 8 * 1024 ** 2

/** Gives the item of the library, also where the same bytes were there before. */
export async function uploadFile(
  door: UploadDoor,
  file: Uploadable,
  options: UploadOptions,
): Promise<ContentItem> {
  const source = sourceOf(file)
  try {
    return source.size <= pieceBytes && !options.resumeFrom
      ? await sendForm(door, source, options)
      : await sendPieces(door, source, options)
  } catch (error) {
    const known = error instanceof CallError ? error.body.content_id : undefined
    if (!(error instanceof CallError) || error.code !== 'duplicate' || !known) throw error
    return door.getContent(known)
  }
}

async function sendForm(
  door: UploadDoor,
  source: UploadSource,
  options: UploadOptions,
): Promise<ContentItem> {
  const { signal, onProgress, idempotencyKey = crypto.randomUUID() } = options
  const bytes = await source.read(0, source.size)
  onProgress?.(0, source.size)
  const answer = await persist(door, signal, async () => {
    const form = new FormData()
    form.set('file', new Blob([bytes], { type: source.type ?? '' }), source.name)
    return request(door, `${door.base}/v1/content/upload`, {
      method: 'POST',
      headers: { 'idempotency-key': idempotencyKey },
      body: form,
      signal,
    })
  })
  onProgress?.(source.size, source.size)
  return ((await answer.json()) as { content: ContentItem }).content
}

async function sendPieces(
  door: UploadDoor,
  source: UploadSource,
  options: UploadOptions,
): Promise<ContentItem> {
  const { signal, onProgress, resumeFrom } = options
  const resumed = resumeFrom ? await askOffset(door, resumeFrom, options) : null
  const address = resumed && resumeFrom ? resumeFrom : await begin(door, source, options)
  let reached: Reached = resumed ?? { offset: 0, contentId: null }
  try {
    while (reached.contentId === null) {
      const { offset } = reached
      onProgress?.(offset, source.size)
      const piece = await source.read(offset, Math.min(source.size, offset + pieceBytes))
      reached = await sendPiece(door, { address, offset, piece, signal })
    }
  } catch (error) {
    // An upload that was aborted is given up on the server too; one that was lost can be resumed.
    if (signal?.aborted) await giveUp(door, address)
    throw error
  }
  onProgress?.(source.size, source.size)
  return door.getContent(reached.contentId)
}

async function begin(
  door: UploadDoor,
  source: UploadSource,
  { signal, onStarted }: UploadOptions,
): Promise<string> {
  const metadata = [`filename ${base64(source.name)}`]
  if (source.type) metadata.push(`filetype ${base64(source.type)}`)
  const answer = await persist(door, signal, () =>
    request(door, `${door.base}/v1/content/resumable`, {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': String(source.size),
        'upload-metadata': metadata.join(','),
      },
      signal,
    }),
  )
  const address = new URL(answer.headers.get('location') ?? '', door.base).href
  onStarted?.(address)
  return address
}

interface Reached {
  offset: number
  contentId: string | null
}

async function sendPiece(
  door: UploadDoor,
  part: { address: string; offset: number; piece: Uint8Array<ArrayBuffer>; signal?: AbortSignal },
): Promise<Reached> {
  let isFirst = true
  return persist(door, part.signal, async () => {
    // Whatever happened to the attempt before, the service knows how much of it arrived.
    if (!isFirst) {
      const reached = await askOffset(door, part.address, part)
      if (reached && (reached.offset > part.offset || reached.contentId)) return reached
    }
    isFirst = false
    const answer = await request(door, part.address, {
      method: 'PATCH',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-offset': String(part.offset),
        'content-type': 'application/offset+octet-stream',
      },
      body: part.piece,
      signal: part.signal,
    })
    return reachedIn(answer)
  })
}

/** Null where the service no longer knows the upload. */
async function askOffset(
  door: UploadDoor,
  address: string,
  { signal }: { signal?: AbortSignal },
): Promise<Reached | null> {
  try {
    const headers = { 'tus-resumable': '1.0.0' }
    const answer = await persist(door, signal, () =>
      request(door, address, { method: 'HEAD', headers, signal }),
    )
    return reachedIn(answer)
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

async function giveUp(door: UploadDoor, address: string): Promise<void> {
  const headers = { 'tus-resumable': '1.0.0' }
  await request(door, address, { method: 'DELETE', headers }).catch(() => undefined)
}

/** Sends again after what passes: a lost connection, a busy service, a file still being joined. */
async function persist<Answer>(
  door: UploadDoor,
  signal: AbortSignal | undefined,
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await send()
    } catch (error) {
      // 423: the service is joining the pieces. 409: it still holds a connection that we lost.
      const isBusy =
        error instanceof CallError && (error.status === 423 || error.code === 'conflict')
      const pauseMs = isBusy ? 1000 : pauseBefore(error, { retries, isSafe: true })
      if (pauseMs === null || retries >= door.maxRetries || signal?.aborted) throw error
      await pause(pauseMs, signal)
    }
  }
}

async function request(door: UploadDoor, address: string, init: RequestInit): Promise<Response> {
  const headers = { ...(init.headers as object), authorization: `Bearer ${door.token}` }
  const answer = await door.fetch(address, { ...init, headers }).catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause
    throw new CallError(0, { message: 'Network error. Please check your connection.' })
  })
  if (answer.ok) return answer
  throw errorOf(answer, readJson(await answer.text().catch(() => '')))
}

function base64(text: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCodePoint(byte)
  return btoa(binary)
}
