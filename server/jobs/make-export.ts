/**
 * One thread makes this process's exports, one after the other; it starts with the first of them
 * and goes when none has been asked for in a while. A thread that dies takes its exports with it,
 * and the next one gets a new thread.
 */
import { Worker } from 'node:worker_threads'
import type { ExportedFile, ExportInput } from '../../engine/export.ts'
import { Refusal } from '../refusal.ts'
import type { ExportOrder, ExportOutcome } from './export-thread.ts'

const idleMs = 5 * 60_000
const longestMs = 60_000
const mostWaiting = 50
const mostHeapMiB = 1024

interface Waiting {
  settle: (outcome: ExportOutcome) => void
  timer: NodeJS.Timeout
}

interface Thread {
  worker: Worker
  waiting: Map<number, Waiting>
  idle: NodeJS.Timeout | undefined
}

let thread: Thread | null = null
let count = 0

export async function makeExport(input: ExportInput): Promise<ExportedFile> {
  const outcome = await order(input)
  if (outcome.status === 'made') return outcome.file
  if (outcome.status === 'refused') throw new Refusal('invalid', outcome.message)
  throw new Error(outcome.fault)
}

function order(input: ExportInput): Promise<ExportOutcome> {
  const on = (thread ??= startThread())
  if (on.waiting.size >= mostWaiting) {
    const message = 'Too many exports are being made at the moment. Please try again in a minute.'
    throw new Refusal('unavailable', message, { retryAfterSeconds: 60 })
  }
  clearTimeout(on.idle)
  count += 1
  const id = count
  return new Promise((settle) => {
    const timer = setTimeout(() => end(on, 'The export took too long.'), longestMs)
    on.waiting.set(id, { settle, timer })
    const message: ExportOrder = { id, input }
    on.worker.postMessage(message, [])
  })
}

function startThread(): Thread {
  const worker = new Worker(new URL('./export-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: mostHeapMiB },
  })
  const made: Thread = { worker, waiting: new Map(), idle: undefined }
  worker.on('message', ({ id, outcome }: { id: number; outcome: ExportOutcome }) => {
    const asked = made.waiting.get(id)
    if (!asked) return
    made.waiting.delete(id)
    clearTimeout(asked.timer)
    asked.settle(outcome)
    if (made.waiting.size > 0) return
    made.idle = setTimeout(() => end(made, 'The thread was idle.'), idleMs).unref()
  })
  worker.on('error', (error) => end(made, String(error)))
  worker.on('exit', () => end(made, 'The export thread ended.'))
  // A process that has nothing else to do may end.
  worker.unref()
  return made
}

function end(which: Thread, fault: string): void {
  if (thread === which) thread = null
  clearTimeout(which.idle)
  for (const { settle, timer } of which.waiting.values()) {
    clearTimeout(timer)
    settle({ status: 'failed', fault })
  }
  which.waiting.clear()
  void which.worker.terminate()
}
