/**
 * One file to the service. Small ones go as a form in one request; large ones go in pieces that can
 * be resumed: after a lost line by itself, after a closed tab when the same file is chosen again.
 */
import { contentLimits } from '../../../contract/catalogue.ts'
import { api as endpoints } from '../../../contract/api.ts'
import type { ContentItem } from '../../app/answers.ts'
import { addressOf, CallError } from '../../../contract/endpoint.ts'
import type { ErrorAnswer } from '../../../contract/refusal.ts'
import { api, isMissingCall } from '../../app/api.ts'
import { currentApiAddress } from '../../app/api-address.ts'
import { withKey } from '../../app/idempotency-keys.ts'

export interface UploadWatch {
  token: string
  /** The project that it is added to. */
  projectId?: string | null
  signal: AbortSignal
  /** From 0 to 1; at 1 the service looks at the file. */
  onProgress: (share: number) => void
  /** The line is lost and the upload waits to go on, or it goes on again. */
  onWaiting: (isWaiting: boolean) => void
}

/** The reason of an abort that is no cancel: the screen goes away, the upload may be resumed. */
export const leaving = 'leaving'

/** Thrown when the user canceled. */
export class UploadCancelled extends Error {}

/** Gives the item that the library has now. */
export async function uploadFile(file: File, watch: UploadWatch): Promise<ContentItem | undefined> {
  if (file.size <= contentLimits.resumableFromBytes) return uploadForm(file, watch)
  try {
    return await uploadResumable(file, watch)
  } catch (error) {
    // A service without resumable uploads takes every file as a form.
    if (!isMissingCall(error)) throw error
    return uploadForm(file, watch)
  }
}

function uploadForm(file: File, watch: UploadWatch): Promise<ContentItem | undefined> {
  const query = watch.projectId ? { project_id: watch.projectId } : {}
  const address = addressOf(currentApiAddress(), endpoints.uploadContent, { query })
  const identity = JSON.stringify([file.name, file.size, file.lastModified])
  return withKey(`POST ${address} ${identity}`, (key) => sendForm(address, { file, key, watch }))
}

function sendForm(
  address: string,
  { file, key, watch }: { file: File; key: string; watch: UploadWatch },
): Promise<ContentItem | undefined> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', address)
    request.setRequestHeader('authorization', `Bearer ${watch.token}`)
    request.setRequestHeader('idempotency-key', key)
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) watch.onProgress(event.loaded / event.total)
    })
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) {
        resolve(readAnswer<{ content: ContentItem }>(request.responseText).content)
      } else reject(new CallError(request.status, readAnswer<ErrorAnswer>(request.responseText)))
    })
    request.addEventListener('error', () => reject(new CallError(0, {})))
    request.addEventListener('abort', () => reject(new UploadCancelled()))
    watch.signal.addEventListener('abort', () => request.abort())
    const form = new FormData()
    form.set('file', file)
    request.send(form)
  })
}

const pieceBytes = 64 * 1024 ** 2
/** After a minute without a connection it is lost for good; trying again later resumes. */
const pausesMs = [0, 1000, 2000, 4000, 8000, 15_000, 30_000]
/** A connection that takes no more bytes for so long is dead, even if nobody has closed it. */
const stalledMs = 60_000

async function uploadResumable(file: File, watch: UploadWatch): Promise<ContentItem | undefined> {
  const { DetailedError, Upload } = await import('tus-js-client')
  const answerOf = (error: unknown): CallError => {
    const response = error instanceof DetailedError ? error.originalResponse : null
    if (!response) return new CallError(0, {})
    return new CallError(response.getStatus(), readAnswer<ErrorAnswer>(response.getBody()))
  }
  return new Promise((resolve, reject) => {
    const watchdog = createWatchdog(() => {
      void upload.abort(false).catch(() => undefined)
      reject(new CallError(0, {}))
    })
    const upload = new Upload(file, {
      endpoint: addressOf(currentApiAddress(), endpoints.createResumableUpload),
      headers: { authorization: `Bearer ${watch.token}` },
      metadata: {
        filename: file.name,
        filetype: file.type,
        ...(watch.projectId ? { project_id: watch.projectId } : {}),
      },
      chunkSize: pieceBytes,
      retryDelays: pausesMs,
      removeFingerprintOnSuccess: true,
      onBeforeRequest: () => watchdog.feed(),
      onProgress: (sent, total) => {
        if (sent < total) watchdog.feed()
        else watchdog.rest()
        watch.onWaiting(false)
        watch.onProgress(sent / total)
      },
      onShouldRetry: (error) => {
        const { status, code } = answerOf(error)
        const isPassing = status === 0 || status >= 500 || status === 423 || code === 'conflict'
        watch.onWaiting(isPassing)
        // The pauses between attempts have an end of their own.
        watchdog.rest()
        return isPassing
      },
      onSuccess: ({ lastResponse }) => {
        watchdog.rest()
        resolve(itemAt(lastResponse.getHeader('content-location')))
      },
      onError: (error) => {
        watchdog.rest()
        reject(answerOf(error))
      },
    })
    watch.signal.addEventListener('abort', () => {
      watchdog.rest()
      // A canceled upload is given up on the server too, so that it does not wait to be resumed.
      const isGivenUp = watch.signal.reason !== leaving
      void upload.abort(isGivenUp).catch(() => undefined)
      reject(new UploadCancelled())
    })
    void upload
      .findPreviousUploads()
      .then((before) => {
        const [latest] = before
        if (latest) upload.resumeFromPreviousUpload(latest)
        if (!watch.signal.aborted) upload.start()
        return undefined
      })
      .catch(reject)
  })
}

/** The last piece is answered with the address of the item. */
async function itemAt(address: string | undefined): Promise<ContentItem | undefined> {
  const id = address?.split('/').at(-1)
  // The file has arrived, whether or not the list does.
  const library = await api.listContent({ query: {} }).catch(() => null)
  return library?.content.find((item) => item.id === id)
}

/** Barks when it has not been fed for too long; at rest it waits for nothing. */
function createWatchdog(bark: () => void): { feed: () => void; rest: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const rest = (): void => clearTimeout(timer)
  return {
    rest,
    feed: () => {
      rest()
      timer = setTimeout(bark, stalledMs)
    },
  }
}

function readAnswer<Answer>(text: string | undefined): Partial<Answer> {
  try {
    return JSON.parse(text ?? '') as Partial<Answer>
  } catch {
    return {}
  }
}
