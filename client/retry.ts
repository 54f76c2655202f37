/**
 * Makes a call again where that helps and cannot do harm. The service has done nothing when it
 * answers 429 or 503, so everything is sent again then. After a lost connection, to the service or
 * from it to the database, only calls that change nothing, or carry an Idempotency-Key, are sent
 * again.
 */
import { CallError } from '../contract/endpoint.ts'
import type { Attempt } from './create-client.ts'

/** They change nothing that anyone pays for or sees twice. */
const repeatable = new Set([
  'quoteJob',
  'quoteBatch',
  'createFileTicket',
  'createDownloadTicket',
  'createPlayTicket',
  'createPlayback',
  'addSample',
])
const firstPauseMs = 500
const maxPauseMs = 15_000
/** A longer wait is the caller's to decide. */
const maxRetryAfterSeconds = 120

export function createAttempt(policy: { maxRetries: number; timeoutMs: number }): Attempt {
  return async ({ name, endpoint, hasKey, signal }, send) => {
    const isSafe = ['GET', 'HEAD'].includes(endpoint.method) || hasKey || repeatable.has(name)
    for (let retries = 0; ; retries += 1) {
      try {
        return await withTimeout(send, { signal, timeoutMs: policy.timeoutMs })
      } catch (error) {
        const pauseMs = pauseBefore(error, { retries, isSafe })
        if (pauseMs === null || retries >= policy.maxRetries || signal?.aborted) throw error
        await pause(pauseMs, signal)
      }
    }
  }
}

/** How long to wait before the call is repeated; null if it must not be. */
export function pauseBefore(
  error: unknown,
  { retries, isSafe }: { retries: number; isSafe: boolean },
): number | null {
  if (!(error instanceof CallError)) return null
  const { status, code, retryAfterSeconds } = error
  const isInterrupted = code === 'interrupted'
  const isUntouched = status === 429 || (status === 503 && !isInterrupted)
  const isUnknown =
    isInterrupted || status === 0 || status === 500 || status === 502 || status === 504
  const isUnderWay = code === 'in_flight'
  if (!isUntouched && !(isSafe && (isUnknown || isUnderWay))) return null
  if (retryAfterSeconds !== undefined && retryAfterSeconds > maxRetryAfterSeconds) return null
  const growing = Math.min(maxPauseMs, firstPauseMs * 2 ** retries)
  // Clients that lost the service together must not come back together.
  return Math.max((retryAfterSeconds ?? 0) * 1000, growing * (0.5 + Math.random() / 2))
}

/** Waits, unless the caller gives up first. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      reject(reasonOf(signal))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
}

export function reasonOf(signal?: AbortSignal): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new DOMException('Aborted', 'AbortError')
}

async function withTimeout<Answer>(
  send: (signal: AbortSignal) => Promise<Answer>,
  { signal, timeoutMs }: { signal?: AbortSignal; timeoutMs: number },
): Promise<Answer> {
  if (signal?.aborted) throw reasonOf(signal)
  const controller = new AbortController()
  const end = (): void => controller.abort(reasonOf(signal))
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  signal?.addEventListener('abort', end, { once: true })
  try {
    return await send(controller.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}
