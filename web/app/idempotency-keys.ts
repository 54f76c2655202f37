/**
 * Keys of creating calls whose outcome is unknown. A call keeps its key until an answer arrives:
 * pressing again after a lost answer, even after a reload, creates and charges nothing twice. The
 * typed client runs every creating call through here, so that no screen can forget it.
 */
import { CallError } from '../../contract/endpoint.ts'
import { unansweredKey } from '../session/session.tsx'
import { uniqueId } from '../../domain/unique-id.ts'

interface KeptKey {
  request: string
  key: string
  atMs: number
}

const maxKept = 50
/** The service keeps a key for a day; a request older than this is a new one to the visitor. */
const keptMs = 12 * 3_600_000
/** The first request is still at work when it is asked for again: its answer is worth a wait. */
const inFlightPausesMs = [1000, 2000, 4000, 8000, 15_000]

/** Where the tab has no storage, keys last as long as the page. */
let withoutStorage: readonly KeptKey[] = []

export async function withKey<Answer>(
  request: string,
  call: (idempotencyKey: string) => Promise<Answer>,
): Promise<Answer> {
  const key = keyFor(request)
  try {
    const answer = await callUntilAnswered(() => call(key))
    forget(request)
    return answer
  } catch (error) {
    if (isAnswered(error)) forget(request)
    throw error
  }
}

async function callUntilAnswered<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (const pauseMs of inFlightPausesMs) {
    try {
      return await call()
    } catch (error) {
      if (!isInFlight(error)) throw error
    }
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs)
    })
  }
  return call()
}

function isInFlight(error: unknown): boolean {
  return error instanceof CallError && error.code === 'in_flight'
}

/** A refusal is an answer. An outage, an abort and a request still under way leave it open. */
function isAnswered(error: unknown): boolean {
  return (
    error instanceof CallError && error.status >= 400 && error.status < 500 && !isInFlight(error)
  )
}

function keyFor(request: string): string {
  const kept = read()
  const known = kept.find((entry) => entry.request === request)
  if (known) return known.key
  const key = uniqueId()
  write([...kept.slice(1 - maxKept), { request, key, atMs: Date.now() }])
  return key
}

function forget(request: string): void {
  write(read().filter((entry) => entry.request !== request))
}

function read(): readonly KeptKey[] {
  let kept = withoutStorage
  try {
    kept = JSON.parse(sessionStorage.getItem(unansweredKey) ?? '[]') as readonly KeptKey[]
  } catch {
    // No storage, or somebody else's text in it.
  }
  return kept.filter((entry) => Date.now() - entry.atMs < keptMs)
}

function write(kept: readonly KeptKey[]): void {
  try {
    sessionStorage.setItem(unansweredKey, JSON.stringify(kept))
  } catch {
    withoutStorage = kept
  }
}
