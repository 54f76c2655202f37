/** Sends a body and reports how much of it has left, where the platform knows. */
import { reasonOf } from './retry.ts'

export interface BytesRequest {
  method: string
  headers: Record<string, string>
  body: Blob | Uint8Array<ArrayBuffer> | FormData
  signal: AbortSignal | undefined
  onSent: (bytes: number) => void
}

export type SendBytes = (address: string, request: BytesRequest) => Promise<Response>

/** Only XMLHttpRequest reports progress, and only browsers have it. */
export function sendBytesBy(send: typeof fetch): SendBytes {
  return (address, { onSent: _, ...request }) => send(address, request)
}

export const sendBytes: SendBytes = (address, request) =>
  browser.XMLHttpRequest
    ? sendByXhr(new browser.XMLHttpRequest(), address, request)
    : sendBytesBy(fetch)(address, request)

/** The part of an XMLHttpRequest that is used here: Node has no types for it. */
interface Xhr extends EventTarget {
  readonly status: number
  readonly responseText: string
  readonly upload: EventTarget
  open: (method: string, address: string) => void
  setRequestHeader: (name: string, value: string) => void
  getAllResponseHeaders: () => string
  send: (body: BytesRequest['body']) => void
  abort: () => void
}

const browser = globalThis as unknown as { XMLHttpRequest?: new () => Xhr }

/** A connection that takes no more bytes for so long is dead, even if nobody has closed it. */
const stalledMs = 60_000

function sendByXhr(
  xhr: Xhr,
  address: string,
  { method, headers, body, signal, onSent }: BytesRequest,
): Promise<Response> {
  if (signal?.aborted) return Promise.reject(reasonOf(signal))
  return new Promise((resolve, reject) => {
    const end = (): void => xhr.abort()
    let timer = setTimeout(end, stalledMs)
    xhr.open(method, address)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.upload.addEventListener('progress', (event) => {
      clearTimeout(timer)
      timer = setTimeout(end, stalledMs)
      onSent((event as Event & { loaded: number }).loaded)
    })
    // From here on the service is at work, which may take its time.
    xhr.upload.addEventListener('load', () => clearTimeout(timer))
    xhr.addEventListener('load', () => resolve(responseOf(xhr)))
    xhr.addEventListener('error', () => reject(new TypeError('The connection was lost.')))
    xhr.addEventListener('abort', () =>
      reject(signal?.aborted ? reasonOf(signal) : new TypeError('The connection stalled.')),
    )
    xhr.addEventListener('loadend', () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
    })
    signal?.addEventListener('abort', end)
    xhr.send(body)
  })
}

function responseOf(xhr: Xhr): Response {
  const headers = new Headers()
  for (const line of xhr.getAllResponseHeaders().trim().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const { status } = xhr
  return new Response(status === 204 ? null : xhr.responseText, { status, headers })
}
