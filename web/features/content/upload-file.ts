/**
 * One file to the service, by the client that the package has too. Small files go as a form in one
 * request; large ones go in pieces that can be resumed: after a lost connection by itself, after a
 * closed tab when the same file is chosen again.
 */
import { leaving, sendFile } from '../../../client/upload.ts'
import type { UploadOptions } from '../../../client/upload.ts'
import { sendBytes } from '../../../client/send-bytes.ts'
import { contentLimits } from '../../../domain/money/catalogue.ts'
import { CallError } from '../../../contract/endpoint.ts'
import type { Place } from '../../../contract/footage/content.ts'
import type { ContentItem } from '../../app/answers.ts'
import { api } from '../../app/api.ts'
import { isMissingCall } from '../../app/failures.ts'
import { currentApiAddress } from '../../app/api-address.ts'
import { withKey } from '../../app/idempotency-keys.ts'
import { openUploadsKey } from '../../session/session.tsx'

export interface UploadWatch {
  token: string
  place: Place
  signal: AbortSignal
  /** From 0 to 1; at 1 the service looks at the file. */
  onProgress: (share: number) => void
  /** The connection is lost and the upload waits to go on, or it goes on again. */
  onWaiting: (isWaiting: boolean) => void
}

export { leaving }

/** Thrown when the user canceled. */
export class UploadCancelled extends Error {}

/** The pauses between so many attempts make a minute; trying again later resumes. */
const maxRetries = 9
/** A connection that takes no byte for so long is dead, even if nobody has closed it. */
const stalledMs = 60_000

/** Gives the item that the library has now. */
export async function uploadFile(file: File, watch: UploadWatch): Promise<ContentItem | undefined> {
  try {
    return file.size <= contentLimits.resumableFromBytes
      ? await uploadForm(file, watch)
      : await uploadPieces(file, watch)
  } catch (error) {
    throw watch.signal.aborted ? new UploadCancelled() : error
  }
}

/** Reports a lost connection at once: the same button sends again under the same key. */
function uploadForm(file: File, watch: UploadWatch): Promise<ContentItem | undefined> {
  const identity = JSON.stringify([file.name, file.size, file.lastModified, watch.place])
  return withKey(`POST /v1/content/upload ${identity}`, (idempotencyKey) =>
    send(file, watch, { idempotencyKey, pieceBytes: Infinity }, 0),
  )
}

async function uploadPieces(file: File, watch: UploadWatch): Promise<ContentItem | undefined> {
  const identity = [
    file.name,
    file.type,
    file.size,
    file.lastModified,
    watch.place.project_id,
    watch.place.bin_id,
  ].join('/')
  const kept = readKept()
  const options: UploadOptions = {
    pieceBytes: contentLimits.resumableFromBytes,
    resumeFrom: kept.find((upload) => upload.identity === identity)?.address,
    onStarted: (address) => keep(identity, address),
  }
  try {
    const item = await send(file, watch, options, maxRetries)
    keep(identity)
    return item
  } catch (error) {
    // A service without resumable uploads takes every file as a form.
    if (!isMissingCall(error)) throw error
    return uploadForm(file, watch)
  }
}

async function send(
  file: File,
  { token, place, signal, onProgress, onWaiting }: UploadWatch,
  options: UploadOptions,
  retries: number,
): Promise<ContentItem | undefined> {
  const stalled = new AbortController()
  const end = (): void => stalled.abort(leaving)
  let timer = setTimeout(end, stalledMs)
  const door = {
    base: currentApiAddress(),
    token,
    fetch: (...call: Parameters<typeof fetch>) => fetch(...call),
    sendBytes,
    maxRetries: retries,
    timeoutMs: 2 * stalledMs,
    // The file has arrived, whether or not its item can be read.
    getContent: (id: string) =>
      api.getContent({ params: { id } }).then(
        ({ content }) => content as ContentItem | undefined,
        () => undefined,
      ),
  }
  try {
    return await sendFile(door, file, {
      ...options,
      projectId: place.project_id ?? undefined,
      binId: place.bin_id ?? undefined,
      signal: AbortSignal.any([signal, stalled.signal]),
      onWaiting,
      onProgress(sent, total) {
        clearTimeout(timer)
        // With the last byte the service is at work, which may take its time.
        if (sent < total) timer = setTimeout(end, stalledMs)
        onProgress(total ? sent / total : 1)
      },
    })
  } catch (error) {
    if (!stalled.signal.aborted || signal.aborted) throw error
    throw new CallError(0, { message: 'The upload stalled.' })
  } finally {
    clearTimeout(timer)
  }
}

/** An upload that has begun, for when the same file is chosen again. */
interface KeptUpload {
  identity: string
  address: string
}

const maxKept = 50

function readKept(): readonly KeptUpload[] {
  try {
    return JSON.parse(localStorage.getItem(openUploadsKey) ?? '[]') as readonly KeptUpload[]
  } catch {
    // No storage, or somebody else's text in it.
    return []
  }
}

/** Forgets what was kept of the file, and keeps the address where there is one. */
function keep(identity: string, address?: string): void {
  const others = readKept().filter((upload) => upload.identity !== identity)
  const own = address ? [{ identity, address }] : []
  try {
    localStorage.setItem(openUploadsKey, JSON.stringify([...others, ...own].slice(-maxKept)))
  } catch {
    // Without storage a closed tab ends the upload.
  }
}
