/**
 * Server-sent events over fetch, because a browser's EventSource cannot carry the bearer header.
 * Reconnects with growing pauses until it is closed.
 */
import { addressOf } from '../../contract/endpoint.ts'
import type { Job } from '../../contract/footage/jobs.ts'
import { currentApiAddress } from './api-address.ts'
import { currentSession } from '../session/session.tsx'

export interface LiveEvent {
  event: string
  data: unknown
}

/** The job that an event tells of; null for events about something else. */
export function jobIn({ event, data }: LiveEvent): Job | null {
  if (event !== 'job' || typeof data !== 'object' || data === null) return null
  return ('job' in data ? data.job : data) as Job
}

const firstPauseMs = 1000
const longestPauseMs = 15_000
/** The service says something every 15 seconds; a line that is silent for longer is a dead one. */
const longestSilenceMs = 45_000

interface Watcher {
  onEvent: (event: LiveEvent) => void
  /** There will be no events: the service does not have them, or does not allow them. */
  onRefused?: () => void
}

export function watchEvents(
  endpoint: { path: string },
  args: { params?: Record<string, string> },
  watcher: Watcher,
): () => void {
  const controller = new AbortController()
  void keepReading(addressOf(currentApiAddress(), endpoint, args), watcher, controller.signal)
  return () => controller.abort()
}

async function keepReading(
  address: string,
  { onEvent, onRefused }: Watcher,
  signal: AbortSignal,
): Promise<void> {
  let pauseMs = firstPauseMs
  while (!signal.aborted) {
    const token = currentSession().token
    if (!token) return
    try {
      const response = await fetch(address, {
        headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
        signal,
      })
      // A refusal (not signed in, not there) does not get better by asking again.
      if (response.status >= 400 && response.status < 500 && response.status !== 429) {
        onRefused?.()
        return
      }
      if (response.ok && response.body) {
        pauseMs = firstPauseMs
        await readStream(response.body, onEvent)
      }
    } catch {
      if (signal.aborted) return
    }
    await new Promise((done) => {
      setTimeout(done, pauseMs)
    })
    pauseMs = Math.min(longestPauseMs, pauseMs * 2)
  }
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: LiveEvent) => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as never).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await readOrGiveUp(reader as ReadableStreamDefaultReader<string>)
    if (done) return
    rest += value ?? ''
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const parsed = parseBlock(block)
      if (parsed) onEvent(parsed)
    }
  }
}

/** An aborted read leaves no timer behind: cancelling an ended one is an error of its own. */
async function readOrGiveUp(reader: ReadableStreamDefaultReader<string>) {
  const silence = setTimeout(() => void reader.cancel(), longestSilenceMs)
  try {
    return await reader.read()
  } finally {
    clearTimeout(silence)
  }
}

/** Comments, which keep the line alive, give nothing. */
export function parseBlock(block: string): LiveEvent | null {
  const lines = block.split('\n')
  const valueOf = (name: string): string[] =>
    lines
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ''))
  const data = valueOf('data').join('\n')
  if (!data) return null
  return { event: valueOf('event')[0] ?? 'message', data: JSON.parse(data) as unknown }
}
