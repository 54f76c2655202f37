/**
 * One thread makes this process's exports, one after the other; it starts with the first of them
 * and goes when none has been asked for in a while. A thread that dies or takes too long takes the
 * export with it that it was making; those that wait get a new thread. An account has a few of them
 * in the line, so that nobody's flood is another's refusal.
 */
import { Worker } from 'node:worker_threads'
import type { ExportedFile, ExportInput } from '../../engine/export.ts'
import { Refusal } from '../refusal.ts'
import type { ExportOrder, ExportOutcome } from './export-thread.ts'

const idleMs = 5 * 60_000
const longestMs = 60_000
const mostWaiting = 50
/** Every format of a job at once. */
const mostOfAccount = 10
const mostHeapMiB = 1024

interface Waiting {
  accountId: string
  message: ExportOrder
  settle: (outcome: ExportOutcome) => void
}

interface Thread {
  worker: Worker
  /** In the order of their turn; the first one is being made. */
  waiting: Map<number, Waiting>
  /** Ends what takes too long, or a thread that nobody needs. */
  timer: NodeJS.Timeout | undefined
}

let thread: Thread | null = null
let count = 0

export async function makeExport(accountId: string, input: ExportInput): Promise<ExportedFile> {
  const outcome = await order(accountId, input)
  if (outcome.status === 'made') return outcome.file
  if (outcome.status === 'refused') throw new Refusal('invalid', outcome.message)
  throw new Error(outcome.fault)
}

function order(accountId: string, input: ExportInput): Promise<ExportOutcome> {
  const on = (thread ??= startThread())
  const own = [...on.waiting.values()].filter((one) => one.accountId === accountId)
  if (own.length >= mostOfAccount) {
    const message = 'Too many of your exports are being made. Please wait for some of them.'
    throw new Refusal('rate_limited', message, { retryAfterSeconds: 10 })
  }
  if (on.waiting.size >= mostWaiting) {
    const message = 'Too many exports at once. Please try again in a minute.'
    throw new Refusal('unavailable', message, { retryAfterSeconds: 60 })
  }
  count += 1
  const message: ExportOrder = { id: count, input }
  return new Promise((settle) => {
    enqueue(on, { accountId, message, settle })
  })
}

function enqueue(on: Thread, asked: Waiting): void {
  on.waiting.set(asked.message.id, asked)
  on.worker.postMessage(asked.message, [])
  if (on.waiting.size === 1) watch(on)
}

/** The time of an export is its own: those that wait have not begun. */
function watch(on: Thread): void {
  clearTimeout(on.timer)
  on.timer =
    on.waiting.size > 0
      ? setTimeout(() => end(on, 'The export took too long.'), longestMs)
      : setTimeout(() => end(on, 'The thread was idle.'), idleMs).unref()
}

function startThread(): Thread {
  const worker = new Worker(new URL('./export-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: mostHeapMiB },
  })
  const made: Thread = { worker, waiting: new Map(), timer: undefined }
  worker.on('message', ({ id, outcome }: { id: number; outcome: ExportOutcome }) => {
    const asked = made.waiting.get(id)
    if (!asked) return
    made.waiting.delete(id)
    watch(made)
    asked.settle(outcome)
  })
  worker.on('error', (error) => end(made, String(error)))
  worker.on('exit', () => end(made, 'The export thread ended.'))
  // A process that has nothing else to do may end.
  worker.unref()
  return made
}

function end(which: Thread, fault: string): void {
  if (thread === which) thread = null
  clearTimeout(which.timer)
  const [current, ...others] = which.waiting.values()
  which.waiting.clear()
  void which.worker.terminate()
  current?.settle({ status: 'failed', fault })
  if (others.length === 0) return
  const next = (thread ??= startThread())
  for (const other of others) enqueue(next, other)
}
