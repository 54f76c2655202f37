import { addressOf, CallError } from '../../contract/endpoint.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ErrorAnswer } from '../../contract/refusal.ts'
import { currentApiAddress } from './api-address.ts'
import { askForLogin } from './api.ts'
import { showFailure } from './failures.ts'
import type { FailureWords } from './failures.ts'
import { currentSession } from '../session/session.tsx'

interface WantedFile {
  /** The file's name where the service gives none. */
  name: string
  params?: Record<string, string>
  query?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
  failure?: FailureWords
}

interface SavedFile {
  name: string
  headers: Headers
}

const keptMs = 60_000

/**
 * Fetches a file with the bearer header that a plain link could not carry, and saves it. Returns
 * null when that failed, after showing why.
 */
export async function saveFile(
  endpoint: Pick<Endpoint, 'path' | 'method'>,
  wanted: WantedFile,
): Promise<SavedFile | null> {
  try {
    const response = await fetchFile(endpoint, wanted)
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await response.blob())
    link.download = fileNameOf(response.headers) ?? wanted.name
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), keptMs)
    return { name: link.download, headers: response.headers }
  } catch (error) {
    const fallback = 'The file could not be downloaded. Please try again.'
    showFailure(error, { title: 'Download Failed', fallback, ...wanted.failure })
    return null
  }
}

/** Throws a `CallError` with the service's reason. */
export async function fetchFile(
  endpoint: Pick<Endpoint, 'path' | 'method'>,
  wanted: Pick<WantedFile, 'params' | 'query' | 'body'>,
): Promise<Response> {
  const { body } = wanted
  const { token } = currentSession()
  const response = await fetch(addressOf(currentApiAddress(), endpoint, wanted), {
    method: endpoint.method,
    headers: {
      authorization: `Bearer ${token ?? ''}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  if (response.ok) return response
  if (response.status === 401) askForLogin(token)
  const answer = (await response.json().catch(() => ({}))) as Partial<ErrorAnswer>
  throw new CallError(response.status, answer)
}

function fileNameOf(headers: Headers): string | null {
  const header = headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1]
  if (encoded) return decodeURIComponent(encoded)
  return /filename="([^"]+)"/.exec(header)?.[1] ?? null
}
